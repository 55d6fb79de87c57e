/**
 * The usual way in AWS: API Gateway, SQS, a worker on Fargate, and a DynamoDB table with the results. An own
 * equivalent of the structure of the public sample
 *
 *     github.com/aws-samples/asynchronous-event-processing-api-gateway-sqs-cdk
 *     at commit 7c25cbd370a4b945d4479555fd83d2a3c1b9cb6d
 *
 * which AWS Prescriptive Guidance describes in "Process events asynchronously with Amazon API Gateway, Amazon SQS, and
 * AWS Fargate". No code of the sample is copied. The sample has no function between API Gateway and SQS, which costs
 * less than a function.
 *
 * Settings of the sample: up to 10 messages per receive, performed one after the other; `maxReceiveCount` 1; a function
 * that stores the messages of the dead-letter queue as `Failure`. What differs, all in favor of the sample:
 *
 * - The visibility timeout is 30 s, the default of SQS, instead of 300 s, so that the run sees what happens to the
 *   messages of a killed worker.
 * - The worker polls for 20 s at a time, and reads the URL of the queue once. The sample sends a request for the URL
 *   before each short poll.
 * - The queue and the table are not encrypted with a KMS key, and the table is billed on demand.
 * - Node.js receives the requests instead of an emulated API Gateway: no authorizer, no validation, no throttling.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, ResourceInUseException } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type Emulators, startEmulators } from '../../../emulator/emulators/emulators.ts';
import { freePort } from '../../../emulator/network/ports.ts';
import { type CallCounts, samplePrice } from './dollars.ts';
import { createClient } from './http.ts';
import { outcomeOf, submitJob } from './jobs-api.ts';
import { CONCURRENCY, EXECUTIONS, type Peer, type Running } from './peer.ts';
import { killTree, pidsWith } from './processes.ts';
import { PROGRAMS } from './programs.ts';
import { supervise } from './supervised.ts';

const TABLE = 'jobs';
const VISIBILITY = '30';
const RETENTION = '21600';
const REGION = 'us-east-1';
const ACCOUNT = '000000000000';
const settings = { region: REGION, credentials: { accessKeyId: 'peer', secretAccessKey: 'local' } };
const PROCESSES = ['api', 'worker'] as const;

const callsFile = (folder: string, name: string) => join(folder, `${name}-calls.json`);

interface Queues {
  readonly QUEUE_URL: string;
  readonly FAILED_QUEUE_URL: string;
}

async function createResources({ sqsUrl, dynamodbUrl }: Emulators): Promise<Queues> {
  const sqs = new SQSClient({ ...settings, endpoint: sqsUrl });
  const dynamodb = new DynamoDBClient({ ...settings, endpoint: dynamodbUrl });
  const queue = async (QueueName: string, Attributes: Record<string, string>) =>
    (await sqs.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl ?? '';
  const failed = await queue('failed-jobs', {});
  const redrive = { deadLetterTargetArn: `arn:aws:sqs:${REGION}:${ACCOUNT}:failed-jobs`, maxReceiveCount: 1 };
  const jobs = await queue('jobs', {
    VisibilityTimeout: VISIBILITY,
    MessageRetentionPeriod: RETENTION,
    RedrivePolicy: JSON.stringify(redrive),
  });
  try {
    await dynamodb.send(
      new CreateTableCommand({
        TableName: TABLE,
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  return { QUEUE_URL: jobs, FAILED_QUEUE_URL: failed };
}

async function start(folder: string): Promise<Running> {
  const data = join(folder, 'emulators');
  mkdirSync(data, { recursive: true });
  let emulators = await startEmulators(data);
  const port = await freePort();
  const environment = {
    ...(await createResources(emulators)),
    TABLE,
    SQS_URL: emulators.sqsUrl,
    DYNAMODB_URL: emulators.dynamodbUrl,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: settings.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: settings.credentials.secretAccessKey,
    PORT: String(port),
    CONCURRENCY: String(CONCURRENCY),
    EXECUTIONS: join(folder, EXECUTIONS),
  };
  const program = (name: (typeof PROCESSES)[number]) => ({
    command: process.execPath,
    args: [join(PROGRAMS, `aws-${name}.mjs`)],
    environment: { ...environment, CALLS: callsFile(folder, name) },
    log: join(folder, `${name}.log`),
  });
  const api = await supervise({ ...program('api'), port });
  const worker = await supervise(program('worker'));
  const client = createClient(`http://127.0.0.1:${port}`);
  /** The process of the emulators, and the DynamoDB emulator, which outlives it if it is killed. */
  const emulatorPids = () => pidsWith([process.pid], data);
  return {
    pids: () => [api.pid(), worker.pid(), ...emulatorPids()],
    submit: (ms) => submitJob(client, ms),
    outcome: (id) => outcomeOf(client, id),
    parts: {
      API: api.kill,
      worker: worker.kill,
      async emulators() {
        await killTree(emulatorPids());
        emulators = await startEmulators(data);
      },
    },
    async stop() {
      client.close();
      for (const one of [worker, api]) await one.stop();
      await emulators.stop();
    },
  };
}

const readCalls = (folder: string, name: string): CallCounts =>
  JSON.parse(readFileSync(callsFile(folder, name), 'utf8'));

export const awsSample: Peer = {
  name: 'aws-sample',
  title: 'API Gateway, SQS, Fargate and DynamoDB',
  settings: [
    'the structure of `aws-samples/asynchronous-event-processing-api-gateway-sqs-cdk` at commit `7c25cbd`',
    '10 messages per receive, `maxReceiveCount` 1, a visibility timeout of 30 s instead of 300 s',
  ],
  missing: () => undefined,
  start,
  dollars: (folder) => samplePrice(readCalls(folder, 'api'), readCalls(folder, 'worker')),
};
