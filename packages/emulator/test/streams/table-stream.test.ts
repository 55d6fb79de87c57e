/** Tests the streams of tables in the emulators, with our corrections. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DeleteItemCommand, DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Cloud } from '../../cloud.ts';
import type { Resource } from '../../cloudformation/resource.ts';
import { resourceTypeOf } from '../../cloudformation/resource-types.ts';
import { type Emulators, startEmulators } from '../../emulators/emulators.ts';
import { type ExpiringTable, removeExpired } from '../../expiry/item-expiry.ts';
import { openStreamJournal } from '../../streams/journal.ts';
import { openStreams, type Streams } from '../../streams/stream.ts';
import { eventually, newFolder } from '../small-service.ts';

let folder: string;
let emulators: Emulators;
let dynamodb: DynamoDBClient;
let streams: Streams;

beforeAll(async () => {
  folder = newFolder();
  emulators = await startEmulators(folder);
  const settings = {
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    endpoint: emulators.dynamodbUrl,
  };
  dynamodb = new DynamoDBClient(settings);
  streams = openStreams(emulators.database);
});
afterAll(async () => {
  streams.close();
  await emulators.stop();
});

const SEEN = { StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' } };

/** Deploys a table with two key attributes and these properties. */
async function deploy(TableName: string, properties: object = SEEN) {
  const expiring: ExpiringTable[] = [];
  const resource = {
    stack: { id: 'Storage' },
    logicalId: 'Table',
    type: 'AWS::DynamoDB::Table',
    properties: {
      TableName,
      AttributeDefinitions: [
        { AttributeName: 'id', AttributeType: 'S' },
        { AttributeName: 'n', AttributeType: 'N' },
      ],
      KeySchema: [
        { AttributeName: 'id', KeyType: 'HASH' },
        { AttributeName: 'n', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      ...properties,
    },
  };
  const cloud = { dynamodb, expiring, tables: new Map() } as unknown as Cloud;
  const identity = await resourceTypeOf('AWS::DynamoDB::Table')?.create(resource as unknown as Resource, cloud);
  return { streamArn: identity?.attributes?.StreamArn ?? '', identity, expiring };
}

const key = (id: string, n = '1') => ({ id: { S: id }, n: { N: n } });
const put = (TableName: string, id: string, rest: object = {}) =>
  dynamodb.send(new PutItemCommand({ TableName, Item: { ...key(id), ...rest } }));
const remove = (TableName: string, id: string) => dynamodb.send(new DeleteItemCommand({ TableName, Key: key(id) }));

const recordsOf = (streamArn: string, after = 0) => streams.open(streamArn, after).read(1_000);

describe('a table', () => {
  it('gives its stream an ARN that never changes', async () => {
    const { streamArn } = await deploy('arn');
    expect(streamArn).toMatch(
      /^arn:aws:dynamodb:us-east-1:000000000000:table\/arn\/stream\/\d{4}-\d\d-\d\dT[\d:.]{12}$/,
    );
    expect((await deploy('arn')).streamArn).toBe(streamArn);
  });

  it('gets or loses its stream when the template of an existing state directory changes', async () => {
    const { identity } = await deploy('old', {});
    expect(identity?.attributes).not.toHaveProperty('StreamArn');
    await put('old', 'before');
    const { streamArn } = await deploy('old');
    await put('old', 'after');
    expect(recordsOf(streamArn).map(({ event }) => event.dynamodb.Keys)).toEqual([key('after')]);
    await deploy('old', {});
    expect(() => recordsOf(streamArn)).toThrow('not found');
  });

  it('refuses to change the view type of its stream', async () => {
    await deploy('view');
    await expect(deploy('view', { StreamSpecification: { StreamViewType: 'KEYS_ONLY' } })).rejects.toThrow(
      'Storage/Table (AWS::DynamoDB::Table) has a stream of KEYS_ONLY, but the table in the state directory ' +
        'has one of NEW_AND_OLD_IMAGES: remove the state directory',
    );
  });
});

describe('a stream record', () => {
  it('has the structure of the record that Lambda gets', async () => {
    const { streamArn } = await deploy('shape');
    await put('shape', 'a', { data: { B: Buffer.from('raw') }, list: { L: [{ BS: [Buffer.from('x')] }] } });
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: 'shape',
        Key: key('a'),
        UpdateExpression: 'SET #s = :s REMOVE #l, #d',
        ExpressionAttributeNames: { '#s': 'status', '#l': 'list', '#d': 'data' },
        ExpressionAttributeValues: { ':s': { S: 'DONE' } },
      }),
    );
    await remove('shape', 'a');

    const records = recordsOf(streamArn);
    const first = { ...key('a'), data: { B: 'cmF3' }, list: { L: [{ BS: ['eA=='] }] } };
    const second = { ...key('a'), status: { S: 'DONE' } };
    const change = (at: number, eventName: string, images: object) => ({
      eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventName,
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      dynamodb: {
        ApproximateCreationDateTime: expect.any(Number),
        Keys: key('a'),
        ...images,
        SequenceNumber: `10000000000000000000${at}`,
        SizeBytes: expect.any(Number),
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
      eventSourceARN: streamArn,
    });
    expect(records.map(({ event }) => event)).toEqual([
      change(1, 'INSERT', { NewImage: first }),
      change(2, 'MODIFY', { NewImage: second, OldImage: first }),
      change(3, 'REMOVE', { OldImage: second }),
    ]);
    expect(new Set(records.map(({ event }) => event.eventID)).size).toBe(3);
    const createdAt = records[0]?.createdAt ?? 0;
    expect(Math.abs(Date.now() - createdAt)).toBeLessThan(60_000);
    expect(records[0]?.event.dynamodb.ApproximateCreationDateTime).toBe(createdAt / 1000);
  });

  it('shows whether a deletion was an expiry by time to live', async () => {
    const TimeToLiveSpecification = { AttributeName: 'removeAfter', Enabled: true };
    const { streamArn, expiring } = await deploy('ttl', { ...SEEN, TimeToLiveSpecification });
    const [table] = expiring;
    if (!table) throw new Error('The table has no time to live.');
    const { announceExpiry } = emulators.streamJournal;
    // Several items, because the emulator writes the attributes of a key in any order.
    const expired = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `a "quoted"\n\u0001 ключ ${n}`);
    for (const id of expired) await put('ttl', id, { removeAfter: { N: '10' } });
    await put('ttl', 'manual', { removeAfter: { N: '99' } });
    await remove('ttl', 'manual');
    expect(await removeExpired(dynamodb, table, announceExpiry, () => 50_000)).toBe(8);
    await put('ttl', expired[0] ?? '');
    await remove('ttl', expired[0] ?? '');

    const deletions = recordsOf(streamArn).filter(({ event }) => event.eventName === 'REMOVE');
    expect(deletions.map(({ event }) => event.userIdentity)).toEqual([
      undefined,
      ...expired.map(() => ({ type: 'Service', principalId: 'dynamodb.amazonaws.com' })),
      undefined,
    ]);
  });
});

describe('a stream', () => {
  it('is trimmed up to the handled records except the newest, and continues its numbering', async () => {
    const { streamArn } = await deploy('trim');
    await deploy('beside');
    for (const id of ['a', 'b', 'c', 'd']) await put('trim', id);
    await put('beside', 'x');
    const positions = () => recordsOf(streamArn).map(({ position }) => position);
    await emulators.streamJournal.trim('trim', 2);
    expect(positions()).toEqual([3, 4]);
    await emulators.streamJournal.trim('trim', 99);
    expect(positions()).toEqual([4]);
    await put('trim', 'e');
    expect(positions()).toEqual([4, 5]);
    expect(recordsOf(streamArn, 2).map(({ position }) => position)).toEqual([4, 5]);
    expect(recordsOf((await deploy('beside')).streamArn)).toHaveLength(1);
  });

  it('can be written and read as fast with 20,000 records as when empty', async () => {
    const { streamArn } = await deploy('long');
    const reader = streams.open(streamArn, 0);
    /** Milliseconds of the fastest of several writes with a read, which a busy machine disturbs least. */
    const fastest = async () => {
      const times: number[] = [];
      for (let n = 0; n < 30; n += 1) {
        const begin = performance.now();
        await put('long', 'a');
        reader.read(1);
        times.push(performance.now() - begin);
      }
      return Math.min(...times);
    };
    const empty = await fastest();
    const database = new DatabaseSync(join(folder, 'dynamodb.db'));
    database.exec(`
      PRAGMA busy_timeout = 2000;
      WITH RECURSIVE numbers (n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM numbers WHERE n < 21000)
      INSERT INTO _stream_records (table_name, event_name, keys_json, new_image, sequence_number, shard_id, created_at)
      SELECT 'long', 'MODIFY', '{"id":{"S":"a"},"n":{"N":"1"}}', '{"data":{"S":"' || hex(zeroblob(400)) || '"}}',
        CAST(n AS TEXT), 'shardId-00000001-long', 1
      FROM numbers`);
    database.close();
    // A machine that is busier than before may need several rounds. A scan of all records is slow in every round.
    await eventually('one write and read is as fast as before', async () => (await fastest()) < 3 * empty + 2, 20_000);
  });
});

describe('the file of another version of the emulator', () => {
  it('is refused and left unchanged', async () => {
    const file = join(folder, 'other.db');
    expect(() => openStreamJournal(join(folder, 'dynamodb.db'), '1.3.0')).toThrow(
      'The DynamoDB emulator is version 1.3.0 and stores stream records as',
    );
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE _stream_records (id INTEGER PRIMARY KEY, sequence_number INTEGER)');
    expect(() => openStreamJournal(file, '1.2.1')).toThrow('(id, sequence_number)');
    expect(database.prepare('SELECT name FROM sqlite_master').all()).toHaveLength(1);
    database.close();
  });
});
