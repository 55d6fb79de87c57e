import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type AwsEnvironment, account, type EmulatorAddresses } from './account.ts';
import type { TableKey } from './aws-proxy/described.ts';
import type { CustomResources } from './cloudformation/custom-resources.ts';
import { type Alarms, createAlarms } from './cloudwatch/alarms.ts';
import { createMetrics, type Metrics } from './cloudwatch/metrics.ts';
import type { UserPools } from './cognito/definitions.ts';
import { type DistributionDefinitions, noDistributions } from './distribution/definitions.ts';
import { type EcsDefinitions, noServices } from './ecs/registry.ts';
import type { Rule } from './events/bus.ts';
import type { ExpiringTable } from './expiry/item-expiry.ts';
import type { ExpiringObjects } from './expiry/object-expiry.ts';
import type { Functions } from './functions/functions.ts';
import { type ApiDefinitions, noApis } from './gateway/definitions.ts';
import type { PlanKeys } from './gateway/plan-keys.ts';
import type { Permissions } from './iam/permissions.ts';
import { createKeyRing, type KeyRing } from './kms/key-ring.ts';
import { type LoadBalancers, noLoadBalancers } from './load-balancer/definitions.ts';
import { createLogGroups, type LogGroups } from './logs/log-groups.ts';
import { LOOPBACK } from './network/ports.ts';
import type { Product } from './product.ts';
import type { LateSite } from './serve/late-site.ts';
import type { StateMachines } from './step-functions/state-machines.ts';
import type { EventSource } from './streams/event-source.ts';

/** The emulators that the resources of the stacks run on, and the declarations of the resources created so far. */
export interface Cloud {
  readonly product: Pick<Product, 'site' | 'localVariables'>;
  /** Address at which code of the stacks calls AWS. */
  readonly proxyUrl: string;
  /** Returns the environment in which code of the stacks calls AWS. */
  readonly awsEnvironment: AwsEnvironment;
  readonly permissions: Permissions;
  /** Keys of the tables that the templates declare, by table name. */
  readonly tables: Map<string, TableKey>;
  /** Clients that call the emulators directly, without the proxy. */
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly s3: S3Client;
  readonly functions: Functions;
  readonly customResources: CustomResources;
  readonly stateMachines: StateMachines;
  readonly apis: ApiDefinitions;
  readonly distributions: DistributionDefinitions;
  readonly userPools: UserPools;
  readonly ecs: EcsDefinitions;
  readonly keys: KeyRing;
  readonly logs: LogGroups;
  readonly metrics: Metrics;
  readonly alarms: Alarms;
  readonly loadBalancers: LoadBalancers;
  /** Tables with a time-to-live. */
  readonly expiring: ExpiringTable[];
  /** Lifecycle rules of buckets. */
  readonly buckets: ExpiringObjects[];
  /** Names of the buckets that the templates declare, by domain name. */
  readonly bucketDomains: Map<string, string>;
  /** The sites that are built when they are opened. */
  readonly lateSites: LateSite[];
  readonly eventSources: EventSource[];
  readonly rules: Rule[];
  /** Values that stacks share through Parameter Store, by parameter name. */
  readonly parameters: Map<string, string>;
  /** Names of the queues that the templates declare. */
  readonly queues: Set<string>;
  /** Returns the absolute path of a log file. */
  logFile(name: string): string;
  /** Replaces addresses in AWS with addresses on this machine. */
  localized(text: string): string;
}

export interface CloudOptions {
  readonly product: Cloud['product'];
  readonly emulators: EmulatorAddresses;
  readonly proxyUrl: string;
  readonly awsEnvironment: AwsEnvironment;
  readonly permissions: Permissions;
  readonly tables: Cloud['tables'];
  readonly functions: Functions;
  readonly customResources: CustomResources;
  readonly stateMachines: StateMachines;
  /** Port of the distribution. */
  readonly port: number;
  /** Port of the REST APIs. */
  readonly gatewayPort: number;
  readonly logFile: Cloud['logFile'];
  /** Present if the ECS API is served before the stacks are deployed. */
  readonly ecs?: EcsDefinitions;
  /** Present if the KMS API is served. */
  readonly keys?: KeyRing;
  /** Present if the CloudWatch Logs API is served. */
  readonly logs?: LogGroups;
  /** Present if functions are measured, and alarms are evaluated. */
  readonly metrics?: Metrics;
  readonly alarms?: Alarms;
  /** Present if keys of usage plans are stored. */
  readonly planKeys?: PlanKeys;
}

const API_ADDRESS = new RegExp(`https://[a-z0-9]+\\.execute-api\\.${account.region}\\.${account.urlSuffix}`, 'g');
const DISTRIBUTION_ADDRESS = /https:\/\/d[a-z0-9]+\.cloudfront\.net/g;
/** Matches addresses of user pools and of their sign-in pages, which share a path on this machine. */
const SIGN_IN_ADDRESS = new RegExp(
  `https://(?:cognito-idp\\.${account.region}\\.${account.urlSuffix}|[a-z0-9-]+\\.auth\\.${account.region}\\.amazoncognito\\.com)`,
  'g',
);

/** Returns a function that replaces addresses in AWS with addresses on this machine. */
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

/** Settings of the clients with which this folder itself calls the emulators. */
export const clientSettings = {
  region: account.region,
  credentials: { accessKeyId: 'deployment', secretAccessKey: 'local' },
};

/** Creates a cloud without resources. */
export function createCloud(given: CloudOptions): Cloud {
  const {
    port,
    gatewayPort,
    emulators,
    ecs = noServices(),
    keys = createKeyRing(),
    logs = createLogGroups(),
    metrics = createMetrics(),
    alarms = createAlarms(),
    planKeys,
    ...options
  } = given;
  const distributions = noDistributions();
  const aliases = () => distributions.distributions.flatMap(({ properties }) => properties.DistributionConfig.Aliases);
  return {
    ...options,
    dynamodb: new DynamoDBClient({ ...clientSettings, endpoint: emulators.dynamodbUrl }),
    sqs: new SQSClient({ ...clientSettings, endpoint: emulators.sqsUrl }),
    s3: new S3Client({ ...clientSettings, endpoint: emulators.s3Url, forcePathStyle: true }),
    apis: noApis(planKeys),
    distributions,
    userPools: new Map(),
    ecs,
    keys,
    logs,
    metrics,
    alarms,
    loadBalancers: noLoadBalancers(),
    expiring: [],
    buckets: [],
    bucketDomains: new Map(),
    lateSites: [],
    eventSources: [],
    rules: [],
    parameters: new Map(),
    queues: new Set(),
    localized: localizer({ port, gatewayPort }, aliases),
  };
}
