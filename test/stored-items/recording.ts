/** Files with all stored data: items in DynamoDB's notation, contents of objects, and messages of queues. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type AttributeValue, DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Jobs } from './history.ts';

type Item = Record<string, AttributeValue>;

export interface Recording {
  /** Time of the recording, in milliseconds since the epoch, by the clock of its history. */
  readonly now: number;
  readonly jobs: Jobs;
  /** Items by table, sorted by key. */
  readonly items: Readonly<Record<string, readonly Item[]>>;
  /** Contents of objects by key. */
  readonly objects: Readonly<Record<string, string>>;
  /** The message of the job `queuedStored`, by the priority of its queue. */
  readonly messages: Readonly<Record<string, string>>;
}

const FOLDER = join(import.meta.dirname, 'recorded');
const BUCKET = 'payloads';
/** Placeholder for the address of the queue emulator. */
const SQS = 'https://sqs.example';

/** The recording of today's shape, which `RECORD_ITEMS=true npm test -- test/stored-items/shape` replaces. A release gives it the release's version as name. */
const UNRELEASED = 'unreleased';

const fileOf = (name: string) => join(FOLDER, `${name}.json`);

const byVersion = new Intl.Collator('en', { numeric: true }).compare;

/** Lists the names of all recordings: versions of releases, the oldest first, and then `unreleased` if it exists. */
export const recordings = (): string[] =>
  globSync('*.json', { cwd: FOLDER })
    .map((file) => basename(file, '.json'))
    .sort(byVersion);

export const readRecording = (name: string): Recording => JSON.parse(readFileSync(fileOf(name), 'utf8')) as Recording;

/** Returns the recording to which the items of today are compared. */
export function newestRecording(): Recording | undefined {
  const name = recordings().at(-1);
  return name === undefined ? undefined : readRecording(name);
}

/** Sorts members by name, because DynamoDB returns the attributes of an item in any order. */
const sorted = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Returns the recording as text. An attribute's type and its value are on one line, which halves the file. */
const textOf = (recording: Recording) =>
  JSON.stringify(recording, sorted, 2).replaceAll(/\{\n\s+("(?:S|N|BOOL)": .+)\n\s+\}/g, '{ $1 }');

/** Replaces the unreleased recording if its shape differs from the newest recording. */
export function saveRecording(recording: Recording): void {
  const newest = newestRecording();
  if (newest && isDeepStrictEqual(shapeOf(newest), shapeOf(recording))) return;
  writeFileSync(fileOf(UNRELEASED), `${textOf(recording)}\n`);
}

const KEYS = ['partition', 'endpoint', 'collection', 'hash', 'id', 'item', 'due', 'delivery', 'worker', 'release'];

/** Returns the table and the key attributes of an item, separated by spaces. */
export const keyOf = (table: string, item: Item): string =>
  [table, ...KEYS.flatMap((name) => (name === 'release' && item.release?.M ? [] : (item[name]?.S ?? [])))].join(' ');

async function itemsOf(dynamodb: DynamoDBClient, TableName: string): Promise<Item[]> {
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName, ConsistentRead: true }));
  return Items.toSorted((one, other) => (keyOf('', one) < keyOf('', other) ? -1 : 1));
}

async function objectsNow(s3: S3Client): Promise<Record<string, string>> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: BUCKET }));
  const found: Record<string, string> = {};
  for (const { Key = '' } of Contents) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
    found[Key] = (await Body?.transformToString()) ?? '';
  }
  return found;
}

/** Returns the first message that names the job. */
async function messageFor(job: string, QueueUrl: string): Promise<string> {
  const sqs = new SQSClient({});
  for (;;) {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    const found = Messages.find(({ Body = '' }) => Body.includes(job));
    if (found?.Body || Messages.length === 0) return found?.Body ?? '';
  }
}

/**
 * Returns a recording of all stored data.
 * @param isOfThis selects the objects of this deployment in the bucket, which test files share
 */
export async function recordAll(
  now: number,
  jobs: Jobs,
  tables: readonly string[],
  queueUrl: string,
  isOfThis: (key: string) => boolean,
): Promise<Recording> {
  const dynamodb = new DynamoDBClient({});
  const items: Record<string, Item[]> = {};
  for (const table of tables) items[table] = await itemsOf(dynamodb, table);
  const objects = Object.entries(await objectsNow(new S3Client({ forcePathStyle: true })));
  const recording: Recording = {
    now,
    jobs,
    items,
    objects: Object.fromEntries(objects.filter(([key]) => isOfThis(key))),
    messages: { normal: await messageFor(String(jobs.queuedStored), queueUrl) },
  };
  return JSON.parse(JSON.stringify(recording).replaceAll(new URL(queueUrl).origin, SQS)) as Recording;
}

/**
 * Stores the whole recording in empty tables.
 * @param sqsUrl address of the queue emulator
 */
export async function restore(recording: Recording, sqsUrl: string, queueUrl: string): Promise<void> {
  const { items, objects, messages } = JSON.parse(
    JSON.stringify(recording).replaceAll(SQS, new URL(sqsUrl).origin),
  ) as Recording;
  const dynamodb = new DynamoDBClient({});
  const s3 = new S3Client({ forcePathStyle: true });
  for (const [TableName, stored] of Object.entries(items))
    for (const Item of stored) await dynamodb.send(new PutItemCommand({ TableName, Item }));
  for (const [Key, Body] of Object.entries(objects)) await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }));
  const send = new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: messages.normal });
  await new SQSClient({}).send(send);
}

function shapeIn(place: string, value: AttributeValue): string[] {
  if (value.M) return Object.entries(value.M).flatMap(([name, member]) => shapeIn(`${place}.${name}`, member));
  if (value.L) return [...new Set(value.L.flatMap((member) => shapeIn(`${place}[]`, member)))];
  return [`${place}: ${Object.keys(value)[0]}`];
}

/** Returns a line for each attribute of each item with its type, and the shapes of messages and of objects' keys. */
export function shapeOf({ items, objects, messages }: Recording): string[] {
  const ofItems = Object.entries(items).flatMap(([table, all]) =>
    all.flatMap((item) =>
      Object.entries(item).flatMap(([name, value]) => shapeIn(`${keyOf(table, item)} ${name}`, value)),
    ),
  );
  const ofMessages = Object.values(messages).flatMap((body) =>
    Object.entries(JSON.parse(body) as object).map(([name, value]) => `message ${name}: ${typeof value}`),
  );
  return [...ofItems, ...ofMessages, ...Object.keys(objects).map((key) => `object ${key}`)].toSorted((one, other) =>
    one < other ? -1 : 1,
  );
}
