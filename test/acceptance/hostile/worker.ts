/** User code that attacks the service. It has only the role of its worker's task. */
import { readFileSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../support/junk.ts';
import { descendants, eventually, jobIn, type LocalService, submit } from '../local-service.ts';

export interface HostileWorker {
  readonly tables: Readonly<Record<'jobs' | 'payloads' | 'workers' | 'endpoints', string>>;
  readonly bucket: string;
  readonly secretsKey: string;
  readonly documents: DynamoDBDocumentClient;
  readonly objects: S3Client;
  readonly keys: KMSClient;
}

type Environment = Readonly<Partial<Record<string, string>>>;

/** Returns the environment of the process, or an empty object if it has exited. */
function environmentOf(pid: number): Environment {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return Object.fromEntries(entries.map((entry) => [entry.split('=', 1)[0], entry.slice(entry.indexOf('=') + 1)]));
  } catch {
    return {};
  }
}

/** Runs a job, so that the endpoint has a worker, and returns clients with the role of the worker's task. */
export async function hostileWorker(service: LocalService, endpoint: string): Promise<HostileWorker> {
  const { json } = await submit(service, '{"input":{}}', endpoint);
  await jobIn(service, json.id, 'COMPLETED', 60_000, endpoint);
  const its = await eventually(`a worker of ${endpoint}`, () =>
    descendants(service.process.pid ?? 0)
      .map(environmentOf)
      .find(({ ENDPOINT_ID, JOBS_TABLE }) => ENDPOINT_ID === endpoint && JOBS_TABLE !== undefined),
  );
  const settings = {
    region: its.AWS_REGION ?? '',
    endpoint: its.AWS_ENDPOINT_URL ?? '',
    credentials: {
      accessKeyId: its.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: its.AWS_SECRET_ACCESS_KEY ?? '',
      sessionToken: its.AWS_SESSION_TOKEN ?? '',
    },
  };
  return {
    tables: {
      jobs: its.JOBS_TABLE ?? '',
      payloads: its.PAYLOADS_TABLE ?? '',
      workers: its.WORKERS_TABLE ?? '',
      endpoints: its.ENDPOINTS_TABLE ?? '',
    },
    bucket: its.PAYLOADS_BUCKET ?? '',
    secretsKey: its.SECRETS_KEY ?? '',
    documents: DynamoDBDocumentClient.from(new DynamoDBClient(settings)),
    objects: new S3Client({ ...settings, forcePathStyle: true }),
    keys: new KMSClient(settings),
  };
}

/**
 * Replaces an item of the jobs table with an update, because a worker's role may update items there but not put
 * them.
 */
export function updateTo(TableName: string, { partition, id, ...fields }: Item) {
  const entries = Object.entries(fields);
  return {
    TableName,
    Key: { partition, id },
    ...(entries.length > 0 && {
      UpdateExpression: `SET ${entries.map((_, n) => `#n${n} = :v${n}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name], n) => [`#n${n}`, name])),
      ExpressionAttributeValues: Object.fromEntries(entries.map(([, value], n) => [`:v${n}`, value])),
    }),
  };
}

/** Items for the three tables, written with as few calls as possible. */
export interface Junk {
  readonly jobs?: readonly Item[];
  readonly leases?: readonly Item[];
  readonly payloads?: readonly Item[];
}

/** Maximum number of items in a DynamoDB transaction. */
const MAX_ITEMS = 100;

export async function write({ documents, tables }: HostileWorker, { jobs = [], leases = [], payloads = [] }: Junk) {
  const items = [
    ...jobs.map((item) => ({ Update: { ...updateTo(tables.jobs, item), UpdateExpression: updateOf(item) } })),
    ...leases.map((Item) => ({ Put: { TableName: tables.workers, Item } })),
    ...payloads.map((Item) => ({ Put: { TableName: tables.payloads, Item } })),
  ];
  for (let from = 0; from < items.length; from += MAX_ITEMS)
    await documents.send(new TransactWriteCommand({ TransactItems: items.slice(from, from + MAX_ITEMS) }));
}

/** A transaction requires an update expression, even for an item that has only its key. */
const updateOf = (item: Item) => updateTo('', item).UpdateExpression ?? 'REMOVE nothing';
