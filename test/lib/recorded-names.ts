/**
 * Names that deployed stacks share, and the ids by which CloudFormation identifies the stores of data. The lists are
 * edited manually: removing or changing a line breaks existing deployments (see docs/guides/upgrade.md).
 */

/**
 * Values in Parameter Store, below the name of the deployment. A deployed stack reads the names of its last synthesis.
 */
export const storedValues = [
  'Fleet/ClusterName',
  'Fleet/Pool-nvidia/GroupName',
  'Fleet/Pool-nvidia/ProviderName',
  'Fleet/Subnets',
  'Fleet/VpcId',
  'Fleet/WorkersGroupId',
  'Fleet/ZoneSubnets',
  'Management/UsagePlanId',
  'Platform/BalancerArn',
  'Platform/CallerKeys/ServiceToken',
  'Platform/ConsoleKeyId',
  'Platform/JobAddress/AuthorizerId',
  'Platform/JobAddress/RestApiId',
  'Platform/JobAddress/RootResourceId',
  'Platform/JobsUrl',
  'Platform/LogGroups',
  'Platform/ManagementAddress/AuthorizerId',
  'Platform/ManagementAddress/RestApiId',
  'Platform/ManagementAddress/RootResourceId',
  'Platform/Proof',
  'Platform/UnknownEndpointKeyId',
  'Platform/UsagePlanId',
  'Storage/Arrivals/Name',
  'Storage/Deadlines/Name',
  'Storage/Deliveries/Name',
  'Storage/Endpoints/Name',
  'Storage/History/Name',
  'Storage/Jobs/Name',
  'Storage/Jobs/Stream',
  'Storage/Keys/Name',
  'Storage/Objects/Name',
  'Storage/Payloads/Name',
  'Storage/Releases/Name',
  'Storage/Secrets/Arn',
  'Storage/Signing/Name',
  'Storage/Templates/Name',
  'Storage/Templates/Stream',
  'Storage/Users/PoolId',
  'Storage/Volumes/FileSystemId',
  'Storage/Workers/Name',
];

/** Exports of the functions of custom resources. CloudFormation keeps an export while a stack imports it. */
export const exportedFunctions = [
  'gpu-endpoints-Platform:ExportsOutputFnGetAttDeclaredTemplatesDeclare16E9E36FArn85E8E2A7',
  'gpu-endpoints-Platform:ExportsOutputFnGetAttDeclaredTemplatesUse23F56F7BArnD477A49F',
  'gpu-endpoints-Platform:ExportsOutputFnGetAttEndpointsRegister73634FD5ArnAB59039A',
  'gpu-endpoints-Platform:ExportsOutputFnGetAttPlanKeysChangeD2684584Arn039FAE4D',
  'gpu-endpoints-Platform:ExportsOutputFnGetAttReleasesFirstDADD5854Arn2C2FF958',
  'gpu-endpoints-Platform:ExportsOutputFnGetAttReleasesLiveCount1DBBCF42Arn294C1496',
  'gpu-endpoints-Platform:ExportsOutputFnGetAttReleasesRelease83583977ArnCE5D6BE9',
];

/** Logical ids by stack. Under another id CloudFormation creates an empty table, bucket, key, queue or file system. */
export const withData: Readonly<Record<string, readonly string[]>> = {
  Storage: [
    'ArrivalsTableBD2EB02D',
    'DeadlinesTableD9082905',
    'DeliveriesTable439E74BF',
    'EndpointsTable1F54A679',
    'HistoryTable4479EEA3',
    'JobsTable10C8EDF6',
    'KeysTableF42AC009',
    'ObjectsBucket5A707942',
    'PayloadsTable2FAF9CBB',
    'ReleasesTableDDBF6907',
    'SecretsKey9BF95D68',
    'SigningTableA83DCD09',
    'TemplatesTable783B6CA0',
    'UsersPoolBFC35D3B',
    'VolumesFileSystem0187A663',
    'WorkersTable76A38F27',
  ],
  Platform: [
    'ConsoleBucket86B6957C',
    'LedgerDeadLetters01CFD533',
    'ReleasesRolloutDeadLettersF8916AEB',
    'WebhooksDeadLettersA656B8E7',
  ],
  'Endpoint-echo': [
    'HintsLowEvenB0E7E38F',
    'HintsLowOdd4F0161C5',
    'HintsNormalEven4954CA35',
    'HintsNormalOdd9F997954',
    'MessagesDeadLetters418A5DE3',
  ],
};

/**
 * Logical ids by stack of resources that CloudFormation cannot replace. Values of API keys must be unique, a key can
 * be in only one usage plan of a stage, a REST API has the address of its interface, and names of parameters, functions and policies of CloudFront, VPC origins
 * and domains of user pools must be unique.
 */
export const withOneName: Readonly<Record<string, readonly string[]>> = {
  Storage: [
    'ArrivalsNameParameterCAE3F73A',
    'DeadlinesNameParameterFDB1D54E',
    'DeliveriesNameParameterB2270843',
    'EndpointsNameParameterAE92540C',
    'HistoryNameParameterAE084BC2',
    'JobsNameParameter65DCF94D',
    'JobsStreamParameterEF7B3C2E',
    'KeysNameParameter713222D0',
    'ObjectsNameParameterA69C2D7C',
    'PayloadsNameParameter953EBAF6',
    'ReleasesNameParameter03A81A7E',
    'SecretsArnParameter3C0E9D05',
    'SigningNameParameter5D3ED2D8',
    'TemplatesNameParameter9D0CE768',
    'TemplatesStreamParameterAC2C3DBC',
    'UsersPoolIdParameter0CE9A321',
    'VolumesFileSystemIdParameter6703737E',
    'WorkersNameParameter848B28CA',
  ],
  Fleet: [
    'ClusterNameParameterDED66536',
    'PoolnvidiaGroupNameParameter0B762932',
    'PoolnvidiaProviderNameParameter9D445565',
    'SubnetsParameterF088E8B2',
    'VpcIdParameter9C45D32F',
    'WorkersGroupIdParameter773CEA85',
    'ZoneSubnetsParameter626A2D7F',
  ],
  Platform: [
    'BalancerArnParameterBE8010AA',
    'BucketconsoleKey537C8321',
    'BucketunknownEndpointKeyA89619AB',
    'CallerKeysServiceTokenParameterE29113C1',
    'ConsoleAccessE54815AE',
    'ConsoleHeaders6DD47EF7',
    'ConsoleKeyIdParameter7FD1986A',
    'ConsoleOpenPage140E154A',
    'DistributionChooseOriginC9EC6AC3',
    'DistributionNoInterface567AC770',
    'DistributionVpcOrigin1B0462B3',
    'JobAddressApi81EB7A76',
    'JobAddressAuthorizerIdParameterCD212056',
    'JobAddressRestApiIdParameter05B8807A',
    'JobAddressRootResourceIdParameterB471D7B4',
    'JobsUrlParameter157801B6',
    'LogGroupsParameter31DB472C',
    'ManagementAddressApiB9E140AB',
    'ManagementAddressAuthorizerIdParameter8F0EBE54',
    'ManagementAddressRestApiIdParameter84A8A654',
    'ManagementAddressRootResourceIdParameter62EAC35A',
    'ProofParameterDD18B06D',
    'SignInDomainB208A22F',
    'UnknownEndpointKeyIdParameterE37ABEDA',
    'UsagePlanIdParameter37339041',
    'UsagePlansConsoleA8423769',
    'UsagePlansEndpoints122E8C47',
  ],
  Management: [
    'BucketmanagementKeyAEC7A847',
    'UsagePlanIdParameter37339041',
    'UsagePlansConsoleA8423769',
    'UsagePlansEndpoints122E8C47',
  ],
  'Endpoint-echo': ['BucketKeyAACFFC7B'],
};
