/**
 * Tests the calls that the proxy forwards and logs: objects, the call log, used permissions, and canceled polls.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { GetItemCommand, PutItemCommand, QueryCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LoggedCall } from '../../aws-proxy/call-log.ts';
import { signedHeaders } from '../credentials.ts';
import { eventually } from '../small-service.ts';
import { BUCKET_ARN, QUEUE_ARN, type SmallProxy, startSmallProxy, TABLE_ARN } from './small-proxy.ts';

let small: SmallProxy;
beforeAll(async () => {
  small = await startSmallProxy();
});
afterAll(() => small.stop());

const allow = (Action: string | string[], Resource: string) => ({ Effect: 'Allow', Action, Resource }) as const;
const errorOf = (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => Promise.reject(new Error('The call was allowed.')),
    (error: Error) => error,
  );

const Bucket = 'files';
const TableName = 'jobs';
const key = (partition: string, id = '1') => ({ partition: { S: partition }, id: { S: id } });

/** Waits for the newest lines of a role, because the proxy writes them after it has responded. */
async function loggedOf(role: string, count: number): Promise<LoggedCall[]> {
  const ofRole = () => small.logged().filter((call) => call.role === role);
  await eventually(`${count} calls of ${role} are logged`, () => ofRole().length >= count);
  return ofRole();
}

describe('the proxy for S3', () => {
  const objects = `${BUCKET_ARN}/echo/*`;
  const actions = ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'];

  it('forwards objects of 20 MB and unusual keys unchanged', async () => {
    const s3 = small.s3(small.role('storing', allow(actions, objects)));
    const Body = Buffer.alloc(20 * 1024 * 1024, 'é');
    for (const Key of ['echo/large', 'echo/a b/../ü+c?d=1&e#%25']) {
      await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
      const { Body: read } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      expect(Buffer.compare(Buffer.from((await read?.transformToByteArray()) ?? []), Body)).toBe(0);
      expect((await s3.send(new HeadObjectCommand({ Bucket, Key }))).ContentLength).toBe(Body.length);
      await s3.send(new DeleteObjectCommand({ Bucket, Key }));
      await expect(small.s3().send(new HeadObjectCommand({ Bucket, Key }))).rejects.toMatchObject({ name: 'NotFound' });
    }
  });

  it('supports multipart uploads', async () => {
    const s3 = small.s3(small.role('parts', allow(actions.slice(0, 2), objects)));
    const object = { Bucket, Key: 'echo/parts' };
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand(object));
    const part = { ...object, UploadId, PartNumber: 1 };
    const { ETag } = await s3.send(new UploadPartCommand({ ...part, Body: 'part' }));
    const MultipartUpload = { Parts: [{ ETag, PartNumber: 1 }] };
    const abort = await errorOf(s3.send(new AbortMultipartUploadCommand({ ...object, UploadId })));
    expect(abort.message).toContain(`s3:AbortMultipartUpload on resource: "${BUCKET_ARN}/echo/parts" because`);
    await s3.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload }));
    expect(await (await s3.send(new GetObjectCommand(object))).Body?.transformToString()).toBe('part');
  });

  it('refuses calls with the error messages of S3', async () => {
    const s3 = small.s3(small.role('elsewhere', allow(actions, objects)));
    const put = new PutObjectCommand({ Bucket, Key: 'other/a', Body: Buffer.alloc(3 * 1024 * 1024) });
    const error = await errorOf(s3.send(put));
    expect(error).toMatchObject({ name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
    expect(error.message).toMatch(
      /elsewhere\/session-1 is not authorized to perform: s3:PutObject on resource: "arn:aws:s3:::files\/other\/a" because no identity-based policy allows the s3:PutObject action$/,
    );
    await expect(small.s3().send(new HeadObjectCommand({ Bucket, Key: 'other/a' }))).rejects.toThrow();
    // Tags need a separate permission.
    const tagged = new PutObjectCommand({ Bucket, Key: 'echo/a', Body: 'x', Tagging: 'a=b' });
    expect((await errorOf(s3.send(tagged))).message).toContain('s3:PutObjectTagging');
    const copy = new CopyObjectCommand({ Bucket, Key: 'echo/copy', CopySource: 'files/other/a' });
    expect((await errorOf(s3.send(copy))).name).toBe('UnknownOperationException');
  });

  it('returns NoSuchKey only to roles with permission to list the bucket', async () => {
    const missing = new GetObjectCommand({ Bucket, Key: 'echo/missing' });
    const hidden = await errorOf(small.s3(small.role('blind', allow(actions, objects))).send(missing));
    expect(hidden).toMatchObject({ name: 'AccessDenied', message: expect.stringContaining('s3:ListBucket') });
    const lister = small.s3(small.role('lister', allow(actions, objects), allow('s3:ListBucket', BUCKET_ARN)));
    expect((await errorOf(lister.send(missing))).name).toBe('NoSuchKey');
    await lister.send(new PutObjectCommand({ Bucket, Key: 'echo/listed', Body: 'x' }));
    const { Contents } = await lister.send(new ListObjectsV2Command({ Bucket, Prefix: 'echo/listed' }));
    expect(Contents?.map(({ Key }) => Key)).toEqual(['echo/listed']);
  });
});

describe('the call log', () => {
  it('contains the capacity units and keys of DynamoDB calls, which callers do not see', async () => {
    const dynamodb = small.dynamodb(small.role('counted', allow('dynamodb:*', TABLE_ARN)));
    const Item = { ...key('echo#0', 'a'), text: { S: 'é'.repeat(750) }, big: { N: '12345678901234567890.5' } };
    const output = await dynamodb.send(new PutItemCommand({ TableName, Item }));
    expect(output).not.toHaveProperty('ConsumedCapacity');
    const read = await dynamodb.send(new GetItemCommand({ TableName, Key: key('echo#0', 'a'), ConsistentRead: true }));
    expect(read.Item).toEqual(Item);
    const Put = { TableName, Item: key('echo#0', 'b') };
    const asked = new TransactWriteItemsCommand({ TransactItems: [{ Put }], ReturnConsumedCapacity: 'TOTAL' });
    const { ConsumedCapacity } = await dynamodb.send(asked);
    expect(ConsumedCapacity).toMatchObject([{ CapacityUnits: 2 }]);
    await dynamodb.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: '#p=:p',
        ExpressionAttributeNames: { '#p': 'partition' },
        ExpressionAttributeValues: { ':p': { S: 'echo#0' } },
      }),
    );
    await errorOf(dynamodb.send(new PutItemCommand({ ...Put, ConditionExpression: 'attribute_not_exists(id)' })));

    const calls = await loggedOf('counted', 5);
    const shared = { service: 'dynamodb', resources: [TABLE_ARN], status: 200 };
    expect(calls).toMatchObject([
      { ...shared, operation: 'PutItem', wru: 2, keys: [{ partition: 'echo#0', sort: 'a' }] },
      { ...shared, operation: 'GetItem', rru: 1 },
      { ...shared, operation: 'TransactWriteItems', wru: 2, keys: [{ partition: 'echo#0', sort: 'b' }] },
      { ...shared, operation: 'Query', rru: expect.any(Number), keys: [{ partition: 'echo#0' }] },
      { operation: 'PutItem', status: 400, error: 'ConditionalCheckFailedException', wru: 1 },
    ]);
    const [put] = calls;
    expect(Date.parse(put?.time ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect(put?.requestBytes).toBeGreaterThan(1_500);
    expect(put?.responseBytes).toBe(2);
    expect(put?.ms).toBeGreaterThan(0);
  });

  it('contains the number of messages of SQS calls', async () => {
    const sqs = small.sqs(small.role('messages', allow('sqs:*', QUEUE_ARN)));
    const QueueUrl = small.queueUrl;
    const Entries = ['a', 'b'].map((Id) => ({ Id, MessageBody: Id }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    const counts = (await loggedOf('messages', 3)).map(({ operation, messages }) => [operation, messages]);
    expect(counts).toEqual([
      ['SendMessageBatch', 2],
      ['ReceiveMessage', 2],
      ['ReceiveMessage', 0],
    ]);
  });

  it('contains the id of each message that was sent, received and deleted', async () => {
    const sqs = small.sqs(small.role('named', allow('sqs:*', QUEUE_ARN)));
    const QueueUrl = small.queueUrl;
    const { MessageId } = await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'look' }));
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    const ReceiptHandle = Messages.find((message) => message.MessageId === MessageId)?.ReceiptHandle;
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    const [sent, given, deleted] = await loggedOf('named', 3);
    expect(sent).toMatchObject({ operation: 'SendMessage', messageIds: [MessageId] });
    expect(given?.messageIds).toEqual(Messages.map((message) => message.MessageId));
    expect(given?.receipts).toEqual(Messages.map((message) => message.ReceiptHandle));
    expect(deleted).toMatchObject({ operation: 'DeleteMessage', receipts: [ReceiptHandle] });
    expect(deleted).not.toHaveProperty('messageIds');
  });

  it('contains refused calls', async () => {
    await errorOf(small.s3(small.role('refused')).send(new GetObjectCommand({ Bucket, Key: 'echo/a' })));
    const [refused] = await loggedOf('refused', 1);
    expect(refused).toMatchObject({
      operation: 'GetObject',
      resources: [`${BUCKET_ARN}/echo/a`],
      status: 403,
      error: 'AccessDenied',
    });
  });
});

describe('a long poll whose caller closes the connection', () => {
  it('receives no message', async () => {
    const role = small.role('polling', allow('sqs:*', QUEUE_ARN));
    const QueueUrl = small.queueUrl;
    const body = JSON.stringify({ QueueUrl, WaitTimeSeconds: 20 });
    const headers = await signedHeaders(small.proxy, role, {
      service: 'sqs',
      target: 'AmazonSQS.ReceiveMessage',
      body,
    });
    const completeTurns = async (times: number) => {
      const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
      for (let n = 0; n < times; n += 1) await small.sqs('operator').send(command);
    };
    const poll = request(small.proxy.url, { method: 'POST', headers });
    poll.on('error', () => undefined).end(body);
    await once(poll, 'finish');
    // When the proxy has answered later calls, it has received the poll.
    await completeTurns(3);
    poll.destroy();
    const [given] = await loggedOf(role, 1);
    expect(given).toMatchObject({ operation: 'ReceiveMessage', status: 0 });
    await completeTurns(3);

    const sqs = small.sqs(role);
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'look' }));
    const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 2 }));
    expect(Messages?.map(({ Body }) => Body)).toEqual(['look']);
  });
});

describe('the report of used permissions', () => {
  it('is returned by the proxy and written to a file', async () => {
    const role = small.role(
      'using',
      allow(['dynamodb:PutItem', 'dynamodb:DeleteItem'], TABLE_ARN),
      allow('*', TABLE_ARN),
    );
    await small.dynamodb(role).send(new PutItemCommand({ TableName, Item: key('used') }));
    await errorOf(small.sqs(role).send(new ReceiveMessageCommand({ QueueUrl: small.queueUrl })));
    const usage = [
      {
        policy: 'policy',
        statement: 0,
        actions: {
          'dynamodb:PutItem': { [TABLE_ARN]: { used: 1, indispensable: false } },
          'dynamodb:DeleteItem': { [TABLE_ARN]: { used: 0, indispensable: false } },
        },
      },
      { statement: 1, actions: { '*': { [TABLE_ARN]: { used: 1, indispensable: false } } } },
    ];
    expect(small.proxy.usage().using).toMatchObject(usage);
    const written = () => JSON.parse(readFileSync(small.permissionsFile, 'utf8')) as { readonly using?: unknown };
    // The file is written every second, also between the creation of the role and its call.
    const isWritten = () => JSON.stringify(written().using) === JSON.stringify(small.proxy.usage().using);
    await eventually('the use is in the file', isWritten);
    expect(written().using).toMatchObject(usage);
  });
});
