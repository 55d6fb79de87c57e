/**
 * Tests that this version skips items that a newer version has stored, and does not change them (docs/adr/0016).
 */
import { Buffer } from 'node:buffer';
import { type AttributeValue, DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { saveStart } from '../../core/fleet/start.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { partitionOf } from '../../core/jobs/id.ts';
import { hashOf, newSecret } from '../../core/keys/client-keys.ts';
import { requests } from '../../core/status/requests.ts';
import { status } from '../../core/status/status.ts';
import { SCHEMA_ATTRIBUTE, SCHEMA_VERSION } from '../../core/stored-items/schema-version.ts';
import { stream } from '../../core/streams/stream.ts';
import { declare } from '../../core/templates/declare.ts';
import { templateSettingsSchema } from '../../core/templates/template.ts';
import { startsPartitionOf } from '../../core/workers/partitions.ts';
import { take } from '../../core/workers/take.ts';
import { templateOf } from '../templates/settings.ts';
import { ENDPOINT, type Jobs, KEY_BYTES, storeAll } from './history.ts';
import { type Stage, startStage } from './stage.ts';

type Key = Readonly<Record<string, string>>;

let stage: Stage;
let jobs: Jobs;
let dynamodb: DynamoDBClient;

beforeAll(async () => {
  stage = await startStage();
  jobs = await storeAll(stage);
  dynamodb = new DynamoDBClient({});
}, 60_000);
afterAll(() => stage.stop());

const inNotation = (key: Key): Record<string, AttributeValue> =>
  Object.fromEntries(Object.entries(key).map(([name, value]) => [name, { S: value }]));
const stored = async (TableName: string, key: Key) =>
  (await dynamodb.send(new GetItemCommand({ TableName, Key: inNotation(key) }))).Item;

async function mark(TableName: string, key: Key, version: AttributeValue = { N: String(SCHEMA_VERSION + 1) }) {
  await dynamodb.send(
    new UpdateItemCommand({
      TableName,
      Key: inNotation(key),
      UpdateExpression: 'SET #schema = :version',
      ExpressionAttributeNames: { '#schema': SCHEMA_ATTRIBUTE },
      ExpressionAttributeValues: { ':version': version },
    }),
  );
}

describe('a job of a newer version', () => {
  let job: { readonly endpoint: string; readonly id: string };
  let key: Key;
  beforeEach(() => {
    job = { endpoint: ENDPOINT, id: String(jobs.queued) };
    key = { partition: partitionOf(job), id: job.id };
  });

  it.each<[string, AttributeValue]>([
    ['a higher number', { N: String(SCHEMA_VERSION + 1) }],
    ['no number', { S: 'two' }],
  ])('is invisible to clients and workers, and is not changed, if its version is %s', async (_, version) => {
    await mark('JOBS_TABLE', key, version);
    const before = await stored('JOBS_TABLE', key);
    const { ports } = stage;
    await expect(status(ports, job)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    await expect(cancel(ports, job)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    expect(await requests(ports, { endpoint: ENDPOINT, limit: '100' })).not.toContain(job.id);
    const message = { endpoint: ENDPOINT, job: job.id, attempt: 0, generation: 1 };
    expect(await take(ports, 'w9', message)).toEqual({ outcome: 'stale' });
    expect(await stored('JOBS_TABLE', key)).toEqual(before);
  });

  it('can be taken by a version that supports its schema', async () => {
    await mark('JOBS_TABLE', key, { N: String(SCHEMA_VERSION) });
    const message = { endpoint: ENDPOINT, job: job.id, attempt: 0, generation: 1 };
    expect(await take(stage.ports, 'w9', message)).toMatchObject({ outcome: 'taken' });
  });
});

it('omits a chunk of a newer version from the stream', async () => {
  const job = { endpoint: ENDPOINT, id: String(jobs.running) };
  await mark('PAYLOADS_TABLE', { partition: partitionOf(job), item: `${job.id}#chunk#1#0000000000` });
  let text = '';
  for await (const piece of await stream(stage.ports, job)) text += piece;
  expect(JSON.parse(text)).toMatchObject([{ metrics: { stream_index: 1 } }]);
});

it('ignores a lease of a newer version', async () => {
  await mark('WORKERS_TABLE', { endpoint: ENDPOINT, worker: 'w2' });
  const workers = (await stage.ports.workers.listNow(ENDPOINT)).map(({ worker }) => worker);
  expect(workers).toEqual(['w0', 'w1', 'w3']);
});

it('ignores the start of a worker of a newer version, and does not overwrite it', async () => {
  const key = { endpoint: startsPartitionOf(ENDPOINT), worker: 'w1' };
  await mark('WORKERS_TABLE', key);
  const before = await stored('WORKERS_TABLE', key);
  expect(await stage.ports.starts.read(ENDPOINT, 'w1')).toBeUndefined();
  await saveStart(stage.ports, ENDPOINT, 'w1', { readyAt: 1 });
  expect(await stored('WORKERS_TABLE', key)).toEqual(before);
});

it('refuses a key of a newer version, and does not remove it', async () => {
  const hash = hashOf(newSecret(new Uint8Array(Buffer.alloc(64, KEY_BYTES.minimal))));
  await mark('KEYS_TABLE', { hash });
  expect(await stage.ports.keys.read(hash)).toBeUndefined();
  expect((await stage.ports.keys.list()).map(({ name }) => name)).toEqual(['full']);
  expect(await stored('KEYS_TABLE', { hash })).toMatchObject({ name: { S: 'minimal' } });
});

it('ignores a template of a newer version, and does not overwrite it', async () => {
  const { declared } = stage;
  const key = { collection: 'templates', item: 'official' };
  await mark('TEMPLATES_TABLE', key);
  const before = await stored('TEMPLATES_TABLE', key);
  expect(await declared.templates.read('official')).toBeUndefined();
  const ids: string[] = [];
  for await (const { id } of declared.templates.list()) ids.push(id);
  expect(ids).not.toContain('official');
  const settings = templateSettingsSchema.parse(templateOf({ name: 'Another' }));
  await expect(declare(declared, 'official', settings)).rejects.toThrow();
  expect(await stored('TEMPLATES_TABLE', key)).toEqual(before);
});
