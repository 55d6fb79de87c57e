import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import {
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type Emulators, startEmulators } from '../../emulators/emulators.ts';
import { removeExpired } from '../../expiry/item-expiry.ts';
import { eventually, newFolder } from '../small-service.ts';

const folder = newFolder();
let running: Emulators | undefined;

afterAll(() => running?.stop());

const settings = { region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };

/**
 * Returns the running emulators, or starts emulators with the data of the previous ones.
 * @param name name of the queue to create
 */
async function start(name = 'jobs') {
  const emulators = running ?? (await startEmulators(folder));
  running = emulators;
  const dynamodb = new DynamoDBClient({ ...settings, endpoint: emulators.dynamodbUrl });
  const sqs = new SQSClient({ ...settings, endpoint: emulators.sqsUrl });
  return {
    emulators,
    dynamodb,
    sqs,
    createQueue: () => sqs.send(new CreateQueueCommand({ QueueName: name })),
    queue: `${emulators.sqsUrl}/000000000000/${name}`,
  };
}

async function waitingMessages(sqs: SQSClient, queue: string): Promise<string | undefined> {
  const command = new GetQueueAttributesCommand({ QueueUrl: queue, AttributeNames: ['All'] });
  return (await sqs.send(command)).Attributes?.ApproximateNumberOfMessages;
}

const createTable = (dynamodb: DynamoDBClient, TableName: string) =>
  dynamodb.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );

const put = (dynamodb: DynamoDBClient, TableName: string, id: string, removeAfter?: number) =>
  dynamodb.send(
    new PutItemCommand({
      TableName,
      Item: { id: { S: id }, ...(removeAfter !== undefined && { removeAfter: { N: String(removeAfter) } }) },
    }),
  );

describe('the emulators', () => {
  it('have the same data in every run, at addresses of their own', async () => {
    const before = await start();
    await createTable(before.dynamodb, 'jobs');
    await put(before.dynamodb, 'jobs', 'a');
    await before.createQueue();
    await before.sqs.send(new SendMessageCommand({ QueueUrl: before.queue, MessageBody: 'look' }));
    await before.emulators.stop();
    running = undefined;

    const after = await start();
    const hosts = [before, after].flatMap(({ emulators }) =>
      [emulators.dynamodbUrl, emulators.sqsUrl].map((url) => new URL(url).hostname),
    );
    expect(new Set(hosts).size).toBe(4);
    const { Item } = await after.dynamodb.send(new GetItemCommand({ TableName: 'jobs', Key: { id: { S: 'a' } } }));
    expect(Item).toEqual({ id: { S: 'a' } });
    const { Messages } = await after.sqs.send(new ReceiveMessageCommand({ QueueUrl: after.queue }));
    expect(Messages?.map(({ Body }) => Body)).toEqual(['look']);
  });

  it('listen only on a random address of the loopback interface each, where no web page finds them', async () => {
    const { emulators } = await start();
    const urls = [emulators.dynamodbUrl, emulators.sqsUrl].map((url) => new URL(url));
    const ports = urls.map(({ port }) => Number(port));
    const sockets = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readFileSync(file, 'utf8').split('\n'));
    const addresses = sockets.flatMap((line) => {
      const [, local = '', , state] = line.trim().split(/\s+/);
      const [address = '', port = ''] = local.split(':');
      return state === '0A' && ports.includes(Number.parseInt(port, 16)) ? [address] : [];
    });
    const bytes = (host: string) => Buffer.from(host.split('.').map(Number)).reverse().toString('hex').toUpperCase();
    expect(new Set(addresses)).toEqual(new Set(urls.map(({ hostname }) => bytes(hostname))));
    expect(addresses).toHaveLength(2);
    for (const { hostname } of urls) expect(hostname).toMatch(/^127\.(?!0\.0\.1$)/);
  });

  it('deliver no message to a long poll whose client has closed the connection', async () => {
    const { sqs, createQueue, queue } = await start('polled');
    await createQueue();
    const poll = request(new URL(queue).origin, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-amz-json-1.0', 'X-Amz-Target': 'AmazonSQS.ReceiveMessage' },
    });
    poll.on('error', () => undefined).end(JSON.stringify({ QueueUrl: queue, WaitTimeSeconds: 20 }));
    await once(poll, 'finish');
    // The emulator has one thread, so its later responses show that it has processed the poll and its end.
    await waitingMessages(sqs, queue);
    const closed = new Promise((resolve) => poll.once('close', resolve));
    poll.destroy();
    await closed;
    for (let n = 0; n < 3; n += 1) await waitingMessages(sqs, queue);

    await sqs.send(new SendMessageCommand({ QueueUrl: queue, MessageBody: 'look' }));
    const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: queue, WaitTimeSeconds: 2 }));
    expect(Messages).toHaveLength(1);
  });

  it('make delayed messages visible without a further call', async () => {
    const { sqs, createQueue, queue } = await start('delayed');
    await createQueue();
    await sqs.send(new SendMessageCommand({ QueueUrl: queue, MessageBody: 'look', DelaySeconds: 1 }));
    expect(await waitingMessages(sqs, queue)).toBe('0');
    await eventually('the message waits', async () => (await waitingMessages(sqs, queue)) === '1');
  });
});

describe('the time to live', () => {
  it('removes only expired items', async () => {
    const { dynamodb, emulators } = await start();
    await createTable(dynamodb, 'expiring');
    await put(dynamodb, 'expiring', 'expired', 999);
    await put(dynamodb, 'expiring', 'now', 1_000);
    await put(dynamodb, 'expiring', 'later', 1_001);
    await put(dynamodb, 'expiring', 'for ever');
    const table = { name: 'expiring', key: ['id'], attribute: 'removeAfter' };
    expect(await removeExpired(dynamodb, table, emulators.streamJournal.announceExpiry, () => 1_000_000)).toBe(1);
    const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: 'expiring' }));
    expect(Items.map(({ id }) => id?.S).sort()).toEqual(['for ever', 'later', 'now']);
  });
});
