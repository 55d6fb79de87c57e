/**
 * Runs a deployment over the emulators: the adapters of `aws/`, the tables of the storage stack, four queues, and
 * a clock that tests move. Each test file has one deployment, and each test uses its own endpoint.
 */
import { basename } from 'node:path';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { BucketAlreadyOwnedByYou, CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, DeleteQueueCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { changesFrom } from '../../aws/jobs/job-stream.ts';
import { type Ports, portsWith } from '../../aws/ports.ts';
import { createSecretPorts } from '../../aws/secret-ports.ts';
import type { Clock } from '../../core/clock.ts';
import type { EndpointConfig } from '../../core/endpoints/endpoint.ts';
import type { ExpiryTimer, ExpiryTimers } from '../../core/expiry/expire.ts';
import type { DeliveryKey } from '../../core/jobs/delivery-key.ts';
import type { JobChange } from '../../core/jobs/job.ts';
import type { ReceivedMessage } from '../../core/jobs/queues.ts';
import type { DeliveryStarts } from '../../core/webhooks/store.ts';
import { type SharedEmulators, sharedEmulators } from '../runner/emulators.ts';
import { withConstantSignature } from './constant-signature.ts';
import { endpointConfig } from './endpoint-config.ts';
import { type KeyServer, startKeyServer } from './key-server.ts';
import { storageTables } from './storage-tables.ts';
import { type FollowTable, followTable } from './stream.ts';

/**
 * A clock that starts at the current time when it is first read, because queues use real time. Only tests and
 * pauses move it.
 */
export class MovedClock implements Clock {
  #now: number | undefined;

  constructor(now?: number) {
    this.#now = now;
  }

  now(): number {
    this.#now ??= Date.now();
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now = this.now() + milliseconds;
  }

  /** Moves the clock instead of waiting. */
  async pause(milliseconds: number): Promise<void> {
    this.advance(milliseconds);
  }
}

/** The tables of the deployment. Each is named like the variable from which functions read its name. */
export const TABLES = [
  'JOBS_TABLE',
  'PAYLOADS_TABLE',
  'DEADLINES_TABLE',
  'ARRIVALS_TABLE',
  'HISTORY_TABLE',
  'ENDPOINTS_TABLE',
  'WORKERS_TABLE',
  'KEYS_TABLE',
  'TEMPLATES_TABLE',
  'RELEASES_TABLE',
  'SIGNING_TABLE',
  'DELIVERIES_TABLE',
];
const BUCKET = 'payloads';

/** @returns the URL of a queue. The emulator lists queues under host names that do not resolve. */
const queueUrl = (sqsUrl: string, name: string) => `${sqsUrl}/000000000000/${name}`;

/** Removes all data of earlier test files from the emulators. */
async function clear(dynamodb: DynamoDBClient, sqs: SQSClient, sqsUrl: string): Promise<void> {
  const [{ TableNames = [] }, { QueueUrls = [] }] = await Promise.all([
    dynamodb.send(new ListTablesCommand()),
    sqs.send(new ListQueuesCommand()),
  ]);
  await Promise.all([
    ...TableNames.map((TableName) => dynamodb.send(new DeleteTableCommand({ TableName }))),
    ...QueueUrls.map((listed) => sqs.send(new DeleteQueueCommand({ QueueUrl: queueUrl(sqsUrl, basename(listed)) }))),
  ]);
}

/** Creates the tables as the storage stack declares them, and sets the variables with their names. */
async function createTables(dynamodb: DynamoDBClient): Promise<void> {
  const tables = await storageTables();
  for (const variable of TABLES) {
    const word = variable.replace('_TABLE', '');
    const found = Object.entries(tables).find(([logicalId]) => logicalId.toUpperCase().startsWith(word));
    if (!found) throw new Error(`The storage stack has no table for ${variable}.`);
    const { KeySchema, AttributeDefinitions, BillingMode, StreamSpecification } = found[1].Properties;
    const table = { TableName: variable, KeySchema, AttributeDefinitions, BillingMode };
    await dynamodb.send(
      new CreateTableCommand({
        ...table,
        ...(StreamSpecification && { StreamSpecification: { ...StreamSpecification, StreamEnabled: true } }),
      }),
    );
    process.env[variable] = variable;
  }
}

/** Creates the bucket if it does not exist. Its objects remain, because jobs do not share objects. */
async function createBucket(): Promise<void> {
  const s3 = new S3Client({ forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: BUCKET })).catch((error: unknown) => {
    if (!(error instanceof BucketAlreadyOwnedByYou)) throw error;
  });
}

/** Records the restarted deliveries. */
export interface RecordedStarts extends DeliveryStarts {
  readonly started: DeliveryKey[];
}

function recordStarts(): RecordedStarts {
  const started: DeliveryKey[] = [];
  return { started, start: async (key) => void started.push(key) };
}

/** Records the started timers. Tests call `expire` instead of them. */
export interface RecordedTimers extends ExpiryTimers {
  readonly started: ExpiryTimer[];
}

function recordTimers(): RecordedTimers {
  const started: ExpiryTimer[] = [];
  return { started, start: async (timer) => void started.push(timer) };
}

export interface EmulatedDeployment {
  readonly ports: Ports & { readonly deliveryStarts: RecordedStarts; readonly expiryTimers: RecordedTimers };
  readonly clock: MovedClock;
  /** Registers an endpoint with its own queues. */
  deploy(id: string, config?: Partial<EndpointConfig>): Promise<EndpointConfig>;
  /** Removes the endpoint and its queues, but not its jobs. */
  undeploy(endpoint: EndpointConfig): Promise<void>;
  /** Returns the changes of the jobs table since the last call, from its stream. */
  changes(): Promise<JobChange[]>;
  /** Returns the message that a worker would get next, without waiting for one. */
  nextMessage(queueUrl: string): Promise<ReceivedMessage | undefined>;
  stop(): Promise<void>;
}

/** A deployment over emulators that might not run yet. */
export interface UnstartedDeployment extends EmulatedDeployment {
  /** @param emulators that nothing else uses until the deployment stops */
  start(emulators: SharedEmulators): Promise<void>;
}

/** Creates the deployment without calls to emulators. Ports and clients read their environment at their first call. */
export function createEmulatedDeployment(clock = new MovedClock()): UnstartedDeployment {
  let running: { readonly keys: KeyServer; readonly sqsUrl: string; readonly followJobs: FollowTable } | undefined;
  const started = () => {
    if (!running) throw new Error('The deployment has not been started.');
    return running;
  };
  const sqs = new SQSClient({});
  const ports = portsWith(createSecretPorts({ clock, onClient: withConstantSignature }), {
    deliveryStarts: recordStarts(),
    expiryTimers: recordTimers(),
  });
  async function createQueue(name: string): Promise<string> {
    await sqs.send(new CreateQueueCommand({ QueueName: name }));
    return queueUrl(started().sqsUrl, name);
  }

  const createQueues = async (name: string): Promise<[string, string]> => [
    await createQueue(`${name}-even`),
    await createQueue(`${name}-odd`),
  ];

  return {
    ports,
    clock,

    async deploy(id, config = {}) {
      const endpoint = endpointConfig(id, {
        normalQueueUrls: await createQueues(`${id}-normal`),
        lowQueueUrls: await createQueues(`${id}-low`),
        ...config,
      });
      await ports.endpoints.register(endpoint);
      return endpoint;
    },

    async undeploy({ id, normalQueueUrls, lowQueueUrls }) {
      await ports.endpoints.remove(id);
      for (const QueueUrl of [...normalQueueUrls, ...lowQueueUrls])
        await sqs.send(new DeleteQueueCommand({ QueueUrl }));
    },

    // The emulator's stream has the time of the machine.
    changes: async () =>
      changesFrom(await started().followJobs()).changes.map((change) => ({ ...change, at: clock.now() })),

    nextMessage: async (queueUrl) => (await ports.jobQueues.receive(queueUrl, 1, 0, 30_000))[0],

    async start({ dynamodbUrl, sqsUrl, s3Url }) {
      const keys = await startKeyServer();
      Object.assign(process.env, {
        AWS_REGION: 'us-east-1',
        DEPLOYMENT: 'gpu-endpoints',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        AWS_ENDPOINT_URL_DYNAMODB: dynamodbUrl,
        AWS_ENDPOINT_URL_SQS: sqsUrl,
        AWS_ENDPOINT_URL_S3: s3Url,
        AWS_ENDPOINT_URL_KMS: keys.url,
        PAYLOADS_BUCKET: BUCKET,
        SECRETS_KEY: keys.keyArn,
        WAITS: '500',
        HISTORY_DAYS: '30',
        DELIVERY_HISTORY_DAYS: '1',
      });
      const dynamodb = new DynamoDBClient({});
      await clear(dynamodb, sqs, sqsUrl);
      await createTables(dynamodb);
      await createBucket();
      const streams = new DynamoDBStreamsClient({ endpoint: dynamodbUrl });
      running = { keys, sqsUrl, followJobs: await followTable(streams, 'JOBS_TABLE') };
    },

    stop: async () => running?.keys.stop(),
  };
}

/**
 * @param emulators that nothing else uses until the deployment stops; by default, those of this process of Jest
 */
export async function startEmulatedDeployment(
  clock?: MovedClock,
  emulators: SharedEmulators = sharedEmulators(),
): Promise<EmulatedDeployment> {
  const deployment = createEmulatedDeployment(clock);
  await deployment.start(emulators);
  return deployment;
}
