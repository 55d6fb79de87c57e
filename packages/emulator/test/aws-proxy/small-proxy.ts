/** Starts a proxy over real emulators, with a table, a queue, a bucket and roles, for tests with real SDKs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { BucketAlreadyOwnedByYou, CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, DeleteQueueCommand, QueueDoesNotExist, SQSClient } from '@aws-sdk/client-sqs';
import { sharedEmulators } from '../../../../test/runner/emulators.ts';
import type { EmulatorAddresses } from '../../account.ts';
import type { LoggedCall } from '../../aws-proxy/call-log.ts';
import type { JsonService } from '../../aws-proxy/json-service.ts';
import { type AwsProxy, startAwsProxy } from '../../aws-proxy/server.ts';
import { createPermissions, type Permissions } from '../../iam/permissions.ts';
import { type DeclaredStatement, parsePolicy } from '../../iam/statement.ts';
import { credentialsOf } from '../credentials.ts';
import { newFolder } from '../small-service.ts';

export const TABLE_ARN = 'arn:aws:dynamodb:us-east-1:000000000000:table/jobs';
export const QUEUE_ARN = 'arn:aws:sqs:us-east-1:000000000000:jobs';
export const BUCKET_ARN = 'arn:aws:s3:::files';

export interface SmallProxy {
  readonly proxy: AwsProxy;
  readonly emulators: EmulatorAddresses;
  readonly permissions: Permissions;
  /** Messages that the user has seen. */
  readonly notices: readonly string[];
  readonly queueUrl: string;
  readonly callLog: string;
  readonly permissionsFile: string;
  /** Returns clients of a role or, without a role, clients that call the emulators directly. */
  dynamodb(role?: string): DynamoDBClient;
  sqs(role?: string): SQSClient;
  s3(role?: string): S3Client;
  /**
   * Creates a role with this policy.
   * @returns its name
   */
  role(name: string, ...statements: DeclaredStatement[]): string;
  protect(resourceArn: string, ...statements: DeclaredStatement[]): void;
  logged(): LoggedCall[];
  stop(): Promise<void>;
}

/** Removes resources that the previous test file left in the emulators. */
async function removeResources(dynamodb: DynamoDBClient, sqs: SQSClient, QueueUrl: string): Promise<void> {
  await dynamodb.send(new DeleteTableCommand({ TableName: 'jobs' })).catch((error: unknown) => {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  });
  await sqs.send(new DeleteQueueCommand({ QueueUrl })).catch((error: unknown) => {
    if (!(error instanceof QueueDoesNotExist)) throw error;
  });
}

async function createResources(dynamodb: DynamoDBClient, sqs: SQSClient, s3: S3Client): Promise<void> {
  await dynamodb.send(
    new CreateTableCommand({
      TableName: 'jobs',
      AttributeDefinitions: [
        { AttributeName: 'partition', AttributeType: 'S' },
        { AttributeName: 'id', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'partition', KeyType: 'HASH' },
        { AttributeName: 'id', KeyType: 'RANGE' },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  await sqs.send(new CreateQueueCommand({ QueueName: 'jobs' }));
  // An existing bucket keeps its objects, so each test uses its own keys.
  await s3.send(new CreateBucketCommand({ Bucket: 'files' })).catch((error: unknown) => {
    if (!(error instanceof BucketAlreadyOwnedByYou)) throw error;
  });
}

const parsed = (Statement: DeclaredStatement[], kind: 'identity' | 'resource') =>
  parsePolicy({ Version: '2012-10-17', Statement }, 'policy', kind);

export async function startSmallProxy(services: ReadonlyMap<string, JsonService> = new Map()): Promise<SmallProxy> {
  const folder = newFolder();
  const emulators = sharedEmulators();
  const permissions = createPermissions();
  const notices: string[] = [];
  const files = { callLog: join(folder, 'calls.jsonl'), permissionsFile: join(folder, 'permissions.json') };
  const proxy = await startAwsProxy({
    ...files,
    emulators,
    permissions,
    tables: new Map([['jobs', { partition: 'partition', sort: 'id' }]]),
    services,
    notify: (text) => notices.push(text),
  });

  const settings = (direct: string, role?: string) => ({
    region: 'us-east-1',
    endpoint: role === undefined ? direct : proxy.url,
    maxAttempts: 1,
    credentials: credentialsOf(proxy, role ?? 'admin'),
  });
  const dynamodb = (role?: string) => new DynamoDBClient(settings(emulators.dynamodbUrl, role));
  const sqs = (role?: string) => new SQSClient(settings(emulators.sqsUrl, role));
  const s3 = (role?: string) => new S3Client(settings(emulators.s3Url, role));
  await removeResources(dynamodb(), sqs(), `${emulators.sqsUrl}/000000000000/jobs`);
  await createResources(dynamodb(), sqs(), s3());

  return {
    proxy,
    emulators,
    permissions,
    notices,
    queueUrl: `${proxy.url}/000000000000/jobs`,
    ...files,
    dynamodb,
    sqs,
    s3,
    role(name, ...statements) {
      permissions.addRole(name);
      permissions.attach(name, parsed(statements, 'identity'));
      return name;
    },
    protect: (resourceArn, ...statements) => permissions.protect(resourceArn, parsed(statements, 'resource')),
    logged() {
      const text = existsSync(files.callLog) ? readFileSync(files.callLog, 'utf8') : '';
      return text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as LoggedCall] : []));
    },
    stop: () => proxy.stop(),
  };
}
