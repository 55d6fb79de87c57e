/** Compares the commands of DynamoDB with those of the SDK, in the emulator and in a server that replaces DynamoDB. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as lib from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import * as ours from '../../aws/services/dynamodb.ts';
import { HOUR } from '../../core/limits.ts';
import { useEmulatedDeployment } from '../use-emulated-deployment.ts';
import { addressesIn } from './addresses.ts';
import { signaturesOf } from './signature.ts';
import { dropConnection, responseOf } from './small-aws.ts';
import { useSmallAws } from './use-small-aws.ts';

const sdkClient = () =>
  lib.DynamoDBDocumentClient.from(new DynamoDBClient({}), {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: Number as never },
  });

const Key = { endpoint: 'commands', worker: 'w1' };
const item = {
  ...Key,
  text: 'ü "quoted" 🙂',
  empty: '',
  whole: 42,
  fraction: -0.1,
  large: Number.MAX_SAFE_INTEGER,
  yes: true,
  nothing: null,
  bytes: Buffer.from([0, 1, 254, 255]),
  names: new Set(['a', 'b']),
  numbers: new Set([1, 2]),
  blobs: new Set([Buffer.from([1])]),
  list: [1, 'two', [Buffer.from([3])], { four: 4 }],
  map: { B: 'a name like that of a type', S: { N: '5' }, deep: { deeper: [{}] } },
};
const TableName = 'WORKERS_TABLE';

/** Bytes as the SDK returns them, whatever their class is. */
const comparable = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('hex') };
  if (value instanceof Set) return new Set([...value].map((one) => JSON.stringify(comparable(one))));
  if (Array.isArray(value)) return value.map(comparable);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, comparable(one)]));
};

describe('items in the emulator', () => {
  useEmulatedDeployment();

  it('are stored so that the SDK reads the same values', async () => {
    const Item = { ...item, left: undefined, map: { ...item.map, left: undefined } };
    await createDocumentClient().send(new ours.PutCommand({ TableName, Item }));
    const { Item: read } = await sdkClient().send(new lib.GetCommand({ TableName, Key }));
    expect(comparable(read)).toEqual(comparable(item));
  });

  it('are read with the values that the SDK stored', async () => {
    await sdkClient().send(new lib.PutCommand({ TableName, Item: item }));
    const { Item } = await createDocumentClient().send(new ours.GetCommand({ TableName, Key }));
    expect(comparable(Item)).toEqual(comparable(item));
  });

  it('are changed, listed and removed', async () => {
    const documents = createDocumentClient();
    const keys = ['w1', 'w2', 'w3'].map((worker) => ({ endpoint: 'several', worker }));
    const items = keys.map((key, n) => ({ ...key, n }));
    await documents.send(
      new ours.TransactWriteCommand({ TransactItems: items.map((Item) => ({ Put: { TableName, Item } })) }),
    );
    const { Responses } = await documents.send(
      new ours.BatchGetCommand({ RequestItems: { [TableName]: { Keys: keys, ConsistentRead: true } } }),
    );
    expect(new Set(Responses?.[TableName])).toEqual(new Set(items));

    const { Attributes } = await documents.send(
      new ours.UpdateCommand({
        TableName,
        Key: keys[2],
        UpdateExpression: 'SET #n = #n + :more',
        ExpressionAttributeNames: { '#n': 'n' },
        ExpressionAttributeValues: { ':more': 5 },
        ReturnValues: 'ALL_NEW',
      }),
    );
    expect(Attributes).toEqual({ ...keys[2], n: 7 });

    await documents.send(new ours.DeleteCommand({ TableName, Key: keys[0] }));
    const query = {
      TableName,
      KeyConditionExpression: 'endpoint = :endpoint',
      ExpressionAttributeValues: { ':endpoint': 'several' },
    };
    const pages: unknown[] = [];
    for await (const { Items } of ours.paginateQuery({ client: documents, pageSize: 1 }, { ...query }))
      pages.push(Items);
    expect(pages.flat()).toEqual([items[1], { ...keys[2], n: 7 }]);
    expect(pages.length).toBeGreaterThanOrEqual(2);

    const scanned: unknown[] = [];
    for await (const { Items = [] } of ours.paginateScan({ client: documents, pageSize: 1 }, { TableName }))
      scanned.push(...Items);
    expect(scanned).toEqual(expect.arrayContaining([items[1]]));
  });

  it('that do not meet a condition are in the error, if the write requests them', async () => {
    const documents = createDocumentClient();
    const put = {
      TableName,
      Item: { endpoint: 'once', worker: 'w1' },
      ConditionExpression: 'attribute_not_exists(worker)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    };
    await documents.send(new ours.PutCommand(put));
    const error = await documents.send(new ours.PutCommand(put)).catch((failure: unknown) => failure);
    expect(ours.isConditionalCheckFailed(error)).toBe(true);
    expect(error).toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: expect.any(String),
      Item: { endpoint: { S: 'once' }, worker: { S: 'w1' } },
      $fault: 'client',
      $metadata: { httpStatusCode: 400, attempts: 1 },
    });
    // A log of the error contains its own properties.
    expect(Object.keys(error as object)).not.toContain('$response');

    const cancelled = await documents
      .send(new ours.TransactWriteCommand({ TransactItems: [{ Put: put }] }))
      .catch((failure: unknown) => failure);
    expect(ours.isTransactionCanceled(cancelled)).toBe(true);
    expect(cancelled).toMatchObject({ CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] });
  });
});

describe('a request', () => {
  const aws = useSmallAws();

  const expression = {
    ExpressionAttributeNames: { '#a': 'Key' },
    ExpressionAttributeValues: { ':a': { list: [Buffer.from([7])], left: undefined } },
  };
  const write = { TableName, Key, ConditionExpression: '#a <> :a', ...expression };
  const update = { ...write, UpdateExpression: 'SET #a = :a' };
  const list = { TableName, FilterExpression: '#a = :a', ExclusiveStartKey: Key, Limit: 3, ...expression };

  it.each<[string, (commands: typeof ours | typeof lib) => object]>([
    ['GetItem', ({ GetCommand }) => new GetCommand({ TableName, Key, ConsistentRead: true })],
    ['PutItem', ({ PutCommand }) => new PutCommand({ TableName, Item: { ...item, left: undefined } })],
    ['UpdateItem', ({ UpdateCommand }) => new UpdateCommand(update)],
    ['DeleteItem', ({ DeleteCommand }) => new DeleteCommand(write)],
    ['Query', ({ QueryCommand }) => new QueryCommand({ ...list, KeyConditionExpression: 'endpoint = :a' })],
    ['Scan', ({ ScanCommand }) => new ScanCommand(list)],
    ['BatchGetItem', ({ BatchGetCommand }) => new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [Key] } } })],
    [
      'TransactWriteItems',
      ({ TransactWriteCommand }) =>
        new TransactWriteCommand({
          ClientRequestToken: 'token',
          TransactItems: [
            { Put: { TableName, Item: item } },
            { Update: update },
            { Delete: { TableName, Key } },
            { ConditionCheck: { TableName, Key, ConditionExpression: 'attribute_exists(endpoint)' } },
          ],
        }),
    ],
  ])('of %s contains what the SDK sends, with a signature', async (name, commandOf) => {
    aws.current.respond(responseOf(200, '{}'));
    await createDocumentClient().send(commandOf(ours) as never);
    await sdkClient().send(commandOf(lib) as never);
    const [own, sdk] = aws.current.received;
    expect(JSON.parse(String(own?.body))).toEqual(JSON.parse(String(sdk?.body)));
    for (const header of ['content-type', 'x-amz-target', 'content-length'])
      expect([header, own?.headers[header]]).toEqual([header, sdk?.headers[header]]);
    expect(own?.headers['x-amz-target']).toBe(`DynamoDB_20120810.${name}`);
    expect([own?.method, own?.path]).toEqual([sdk?.method, sdk?.path]);
    const { right, sent } = signaturesOf(own as never, 'secret');
    expect(sent).toBe(right);
  });

  it.each([
    ['is throttled', responseOf(400, '{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException"}')],
    ['fails in AWS', responseOf(500, 'no JSON')],
    ['loses its connection', dropConnection],
  ])('is repeated if it %s, and the result says so', async (_, fault) => {
    aws.current.respond(fault, responseOf(200, '{"Item":{"endpoint":{"S":"e"}}}'));
    const result = await createDocumentClient().send(new ours.GetCommand({ TableName, Key }));
    expect(result).toMatchObject({ Item: { endpoint: 'e' }, $metadata: { attempts: 2 } });
    expect(aws.current.received).toHaveLength(2);
  });

  it('has the time of AWS after a response, although the machine has a wrong clock', async () => {
    const later = Date.now() + HOUR;
    aws.current.respond(responseOf(200, '{}', { date: new Date(later).toUTCString() }));
    const documents = createDocumentClient();
    for (let call = 0; call < 2; call += 1) await documents.send(new ours.GetCommand({ TableName, Key }));
    const times = aws.current.received.map(({ headers }) => headers['x-amz-date'] ?? '');
    const [first = 0, second = 0] = times.map((time) =>
      Date.parse(time.replace(/(....)(..)(.{5})(..)/, '$1-$2-$3:$4:')),
    );
    expect(second - first).toBeGreaterThan(HOUR / 2);
  });

  it('that AWS refuses is not repeated', async () => {
    aws.current.respond(
      responseOf(400, '{"__type":"com.amazon.coral.validate#ValidationException","Message":"No table."}'),
    );
    await expect(createDocumentClient().send(new ours.GetCommand({ TableName, Key }))).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'No table.',
    });
    expect(aws.current.received).toHaveLength(1);
  });

  it('gets keys that DynamoDB has not read as objects', async () => {
    const UnprocessedKeys = { jobs: { Keys: [{ id: { S: 'a' }, at: { N: '1' } }], ConsistentRead: true } };
    aws.current.respond(responseOf(200, JSON.stringify({ Responses: {}, UnprocessedKeys })));
    const command = new ours.BatchGetCommand({ RequestItems: { jobs: { Keys: [{ id: 'a', at: 1 }] } } });
    expect(await createDocumentClient().send(command)).toMatchObject({
      UnprocessedKeys: { jobs: { Keys: [{ id: 'a', at: 1 }], ConsistentRead: true } },
    });
  });
});

it('has the same addresses as the SDK, in each partition and with each kind of endpoint', async () => {
  const { own, sdk } = await addressesIn({
    own: () => createDocumentClient(),
    sdk: () => new DynamoDBClient({}),
    commands: [new ours.GetCommand({ TableName, Key }), new lib.GetCommand({ TableName, Key })],
  });
  expect(own).toEqual(sdk);
});
