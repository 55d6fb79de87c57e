import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { account, type EmulatorAddresses } from './account.ts';
import type { CustomResources } from './custom-resources.ts';
import type { ExpiringTable } from './expiry.ts';
import { type FleetDefinitions, noServices } from './fleet/definitions.ts';
import type { Functions } from './functions/functions.ts';
import { type ApiDefinitions, noApis } from './gateway/definitions.ts';
import { LOOPBACK } from './ports.ts';

/** What the resources of the stacks run on, and what they have told of themselves so far. */
export interface Cloud {
  readonly addresses: EmulatorAddresses;
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly functions: Functions;
  readonly customResources: CustomResources;
  readonly apis: ApiDefinitions;
  readonly fleet: FleetDefinitions;
  /** Tables with a time-to-live. */
  readonly expiring: ExpiringTable[];
  /** Names of the queues that the templates declare. */
  readonly queues: Set<string>;
  /** Absolute path of a log file. */
  logFile(name: string): string;
  /** An address in AWS as it is on this machine; other text as it is. */
  localized(text: string): string;
}

export interface CloudOptions {
  readonly addresses: EmulatorAddresses;
  readonly functions: Functions;
  readonly customResources: CustomResources;
  /** Where REST APIs are served. */
  readonly port: number;
  readonly logFile: Cloud['logFile'];
  /** Given if something answers for the fleet before the stacks are deployed. */
  readonly fleet?: FleetDefinitions;
}

const API_ADDRESS = new RegExp(`https://[a-z0-9]+\\.execute-api\\.${account.region}\\.${account.urlSuffix}`, 'g');

/** An empty cloud. */
export function createCloud({ port, fleet = noServices(), ...options }: CloudOptions): Cloud {
  const { dynamodbUrl, sqsUrl } = options.addresses;
  const client = { region: account.region, credentials: { accessKeyId: 'deployment', secretAccessKey: 'local' } };
  return {
    ...options,
    dynamodb: new DynamoDBClient({ ...client, endpoint: dynamodbUrl }),
    sqs: new SQSClient({ ...client, endpoint: sqsUrl }),
    apis: noApis(),
    fleet,
    expiring: [],
    queues: new Set(),
    localized: (text) => text.replace(API_ADDRESS, `http://${LOOPBACK}:${port}`),
  };
}
