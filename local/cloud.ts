import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { account, type EmulatorAddresses } from './account.ts';
import type { TableKey } from './aws-proxy/described.ts';
import type { CustomResources } from './cloudformation/custom-resources.ts';
import type { UserPools } from './cognito/definitions.ts';
import { type DistributionDefinitions, noDistributions } from './distribution/definitions.ts';
import { type EcsDefinitions, noServices } from './ecs/registry.ts';
import type { Rule } from './events/bus.ts';
import type { ExpiringTable } from './expiry/item-expiry.ts';
import type { ExpiringObjects } from './expiry/object-expiry.ts';
import type { Functions } from './functions/functions.ts';
import { type ApiDefinitions, noApis } from './gateway/definitions.ts';
import type { Permissions } from './iam/permissions.ts';
import { createKeyRing, type KeyRing } from './kms/key-ring.ts';
import { type LoadBalancers, noLoadBalancers } from './load-balancer/definitions.ts';
import { createLogGroups, type LogGroups } from './logs/log-groups.ts';
import { LOOPBACK } from './network/ports.ts';
import type { Product } from './product.ts';
import type { LateConsole } from './serve/console.ts';
import type { StateMachines } from './step-functions/state-machines.ts';
import type { EventSource } from './streams/event-source.ts';

/** What the resources of the stacks run on, and what they have told of themselves so far. */
export interface Cloud {
  readonly product: Pick<Product, 'console' | 'withLocalNetworks'>;
  /** Where code of the stacks calls AWS. */
  readonly proxyUrl: string;
  /** Who may do what. */
  readonly permissions: Permissions;
  /** Keys of the tables that the templates declare, by table name. */
  readonly tables: Map<string, TableKey>;
  /** Clients of the emulators, past the proxy. */
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly s3: S3Client;
  readonly functions: Functions;
  readonly customResources: CustomResources;
  /** State machines. */
  readonly stateMachines: StateMachines;
  readonly apis: ApiDefinitions;
  readonly distributions: DistributionDefinitions;
  /** User pools of Cognito. */
  readonly userPools: UserPools;
  readonly ecs: EcsDefinitions;
  /** Keys of KMS. */
  readonly keys: KeyRing;
  /** Groups of CloudWatch Logs. */
  readonly logs: LogGroups;
  /** Load balancers and their target groups. */
  readonly loadBalancers: LoadBalancers;
  /** Tables with a time-to-live. */
  readonly expiring: ExpiringTable[];
  /** Lifecycle rules of buckets. */
  readonly buckets: ExpiringObjects[];
  /** Names of the buckets that the templates declare, by domain name. */
  readonly bucketDomains: Map<string, string>;
  /** The console that is built when it is first opened, if the templates have one. */
  readonly lateConsoles: LateConsole[];
  readonly eventSources: EventSource[];
  readonly rules: Rule[];
  /** The parameters of Parameter Store, by name: values that stacks share. */
  readonly parameters: Map<string, string>;
  /** Names of the queues that the templates declare. */
  readonly queues: Set<string>;
  /** Networks that webhooks may lead to here, with commas between. */
  readonly webhookNetworks: string;
  /** Absolute path of a log file. */
  logFile(name: string): string;
  /** An address in AWS as it is on this machine; other text as it is. */
  localized(text: string): string;
}

export interface CloudOptions {
  readonly product: Cloud['product'];
  readonly emulators: EmulatorAddresses;
  readonly proxyUrl: string;
  readonly permissions: Permissions;
  readonly tables: Cloud['tables'];
  readonly functions: Functions;
  readonly customResources: CustomResources;
  /** State machines. */
  readonly stateMachines: StateMachines;
  /** Where the distribution is served. */
  readonly port: number;
  /** Where REST APIs are served. */
  readonly gatewayPort: number;
  readonly logFile: Cloud['logFile'];
  readonly webhookNetworks: string;
  /** Given if something answers for ECS before the stacks are deployed. */
  readonly ecs?: EcsDefinitions;
  /** Given if something answers for KMS. */
  readonly keys?: KeyRing;
  /** Given if something answers for CloudWatch Logs. */
  readonly logs?: LogGroups;
}

const API_ADDRESS = new RegExp(`https://[a-z0-9]+\\.execute-api\\.${account.region}\\.${account.urlSuffix}`, 'g');
const DISTRIBUTION_ADDRESS = /https:\/\/d[a-z0-9]+\.cloudfront\.net/g;
/** Of user pools, and of their sign-in pages: both are below one path here. */
const SIGN_IN_ADDRESS = new RegExp(
  `https://(?:cognito-idp\\.${account.region}\\.${account.urlSuffix}|[a-z0-9-]+\\.auth\\.${account.region}\\.amazoncognito\\.com)`,
  'g',
);

/** Puts an address of this machine in place of those in AWS. */
function localizer({ port, gatewayPort }: Pick<CloudOptions, 'port' | 'gatewayPort'>, aliases: () => string[]) {
  const published = `http://${LOOPBACK}:${port}`;
  const named = (text: string, alias: string) => text.replaceAll(`https://${alias}`, published);
  return (text: string): string =>
    aliases().reduce(
      named,
      text
        .replace(API_ADDRESS, `http://${LOOPBACK}:${gatewayPort}`)
        .replace(DISTRIBUTION_ADDRESS, published)
        .replace(SIGN_IN_ADDRESS, `${published}/cognito`),
    );
}

/** Of the clients by which this folder itself calls the emulators. */
export const clientSettings = {
  region: account.region,
  credentials: { accessKeyId: 'deployment', secretAccessKey: 'local' },
};

/** An empty cloud. */
export function createCloud(given: CloudOptions): Cloud {
  const {
    port,
    gatewayPort,
    emulators,
    ecs = noServices(),
    keys = createKeyRing(),
    logs = createLogGroups(),
    ...options
  } = given;
  const distributions = noDistributions();
  const aliases = () => distributions.distributions.flatMap(({ properties }) => properties.DistributionConfig.Aliases);
  return {
    ...options,
    dynamodb: new DynamoDBClient({ ...clientSettings, endpoint: emulators.dynamodbUrl }),
    sqs: new SQSClient({ ...clientSettings, endpoint: emulators.sqsUrl }),
    s3: new S3Client({ ...clientSettings, endpoint: emulators.s3Url, forcePathStyle: true }),
    apis: noApis(),
    distributions,
    userPools: new Map(),
    ecs,
    keys,
    logs,
    loadBalancers: noLoadBalancers(),
    expiring: [],
    buckets: [],
    bucketDomains: new Map(),
    lateConsoles: [],
    eventSources: [],
    rules: [],
    parameters: new Map(),
    queues: new Set(),
    localized: localizer({ port, gatewayPort }, aliases),
  };
}
