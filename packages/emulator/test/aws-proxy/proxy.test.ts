/** Calls real emulators through the proxy with real SDK clients, and tests which calls it allows and refuses. */
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { DescribeServicesCommand, ECSClient } from '@aws-sdk/client-ecs';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AwsFault } from '../../aws-proxy/aws-fault.ts';
import type { JsonService } from '../../aws-proxy/json-service.ts';
import { startAwsProxy } from '../../aws-proxy/server.ts';
import { createPermissions, roleArn } from '../../iam/permissions.ts';
import { freePort } from '../../network/ports.ts';
import { credentialsOf } from '../credentials.ts';
import { QUEUE_ARN, type SmallProxy, startSmallProxy, TABLE_ARN } from './small-proxy.ts';

const CLUSTER = 'arn:aws:ecs:us-east-1:000000000000:cluster/fleet';

/** A service with one operation, which returns its caller. */
const ecs: JsonService = {
  authorization(operation, input) {
    if (operation !== 'DescribeServices') throw new AwsFault(400, 'UnknownOperationException', operation);
    const { cluster } = input as { cluster: string };
    const resource = 'arn:aws:ecs:us-east-1:000000000000:service/fleet/echo';
    return { action: 'ecs:DescribeServices', resource, context: { 'ecs:cluster': [cluster] } };
  },
  async call(_, input, { roleArn: role, sessionArn }) {
    const { services } = input as { services: string[] };
    if (services.includes('missing')) throw new AwsFault(400, 'ServiceNotFoundException', 'Service not found.');
    return { services: [{ serviceName: role, serviceArn: sessionArn }] };
  },
};

let small: SmallProxy;
beforeAll(async () => {
  small = await startSmallProxy(new Map([['ecs', ecs]]));
});
afterAll(() => small.stop());

const allow = (Action: string | string[], Resource: string, Condition?: Record<string, Record<string, string[]>>) =>
  ({ Effect: 'Allow', Action, Resource, Condition }) as const;
const ownPartitions = {
  'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['echo#0', 'echo#1', 'echo#2', 'echo#3'] },
  Null: { 'dynamodb:LeadingKeys': ['false'] },
};
const onPartitions = (...actions: string[]) =>
  allow(
    actions.map((action) => `dynamodb:${action}`),
    TABLE_ARN,
    ownPartitions,
  );

const TableName = 'jobs';
const key = (partition: string, id = '1') => ({ partition: { S: partition }, id: { S: id } });
const put = (partition: string, id?: string) => new PutItemCommand({ TableName, Item: key(partition, id) });
const get = (partition: string, id?: string) => new GetItemCommand({ TableName, Key: key(partition, id) });

/** Returns the error of a call that must fail. */
const errorOf = (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => Promise.reject(new Error('The call was allowed.')),
    (error: Error) => error,
  );
const denial = (role: string, action: string, resource: string) =>
  `User: arn:aws:sts::000000000000:assumed-role/${role}/session-1 is not authorized to perform: ${action} ` +
  `on resource: ${resource} because no identity-based policy allows the ${action} action`;

describe('a call of DynamoDB', () => {
  it('is executed if the role allows it', async () => {
    const dynamodb = small.dynamodb(small.role('writer', allow(['dynamodb:PutItem', 'dynamodb:GetItem'], TABLE_ARN)));
    await dynamodb.send(put('writer#0'));
    expect((await dynamodb.send(get('writer#0'))).Item).toEqual(key('writer#0'));
    expect((await small.dynamodb().send(get('writer#0'))).Item).toEqual(key('writer#0'));
  });

  it('is refused with the error message of AWS, and the user sees one message', async () => {
    const dynamodb = small.dynamodb(small.role('reader', allow('dynamodb:Query', TABLE_ARN)));
    for (let n = 0; n < 2; n += 1) {
      const error = await errorOf(dynamodb.send(get('a')));
      expect(error).toMatchObject({ name: 'AccessDeniedException', $metadata: { httpStatusCode: 400 } });
      expect(error.message).toBe(`${denial('reader', 'dynamodb:GetItem', TABLE_ARN)}`);
    }
    const denials = small.notices.filter((text) => text.includes('role reader '));
    expect(denials).toEqual([`AccessDenied: role reader may not dynamodb:GetItem on ${TABLE_ARN}`]);
  });

  it('is allowed only for the leading keys in the condition of the policy', async () => {
    const role = small.role('partitioned', onPartitions('GetItem', 'PutItem', 'UpdateItem', 'Query', 'Scan'));
    const dynamodb = small.dynamodb(role);
    await dynamodb.send(put('echo#0'));
    const query = (partition: string) =>
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'id >= :id AND #partition = :partition',
        ExpressionAttributeNames: { '#partition': 'partition' },
        ExpressionAttributeValues: { ':partition': { S: partition }, ':id': { S: '0' } },
      });
    expect((await dynamodb.send(query('echo#0'))).Items).toEqual([key('echo#0')]);

    const update = new UpdateItemCommand({ TableName, Key: key('other#0') });
    const values = ' (dynamodb:LeadingKeys: other#0)';
    const refusedCalls = [
      ['Query', () => dynamodb.send(query('other#0')), values],
      ['PutItem', () => dynamodb.send(put('other#0')), values],
      ['UpdateItem', () => dynamodb.send(update), values],
      ['Scan', () => dynamodb.send(new ScanCommand({ TableName })), ' (dynamodb:LeadingKeys: none)'],
    ] as const;
    for (const [operation, call, unmet] of refusedCalls) {
      const action = `dynamodb:${operation}`;
      // AWS does not name the values of conditions. The message for the user does.
      expect((await errorOf(call())).message).toBe(denial(role, action, TABLE_ARN));
      expect(small.notices).toContain(`AccessDenied: role ${role} may not ${action} on ${TABLE_ARN}${unmet}`);
    }
    expect((await small.dynamodb().send(get('other#0'))).Item).toBeUndefined();
  });

  it('needs permission for the action of each item in a transaction', async () => {
    const dynamodb = small.dynamodb(
      small.role('transacting', onPartitions('PutItem', 'ConditionCheckItem', 'GetItem')),
    );
    const check = { TableName, ConditionExpression: 'attribute_not_exists(id)' };
    const Put = { TableName, Item: key('echo#1', 'tx') };
    await dynamodb.send(
      new TransactWriteItemsCommand({ TransactItems: [{ Put }, { ConditionCheck: { ...check, Key: key('echo#2') } }] }),
    );
    const Get = { TableName, Key: key('echo#1', 'tx') };
    const { Responses } = await dynamodb.send(new TransactGetItemsCommand({ TransactItems: [{ Get }] }));
    expect(Responses).toEqual([{ Item: key('echo#1', 'tx') }]);

    const Delete = { TableName, Key: key('echo#1', 'tx') };
    const second = { Put: { TableName, Item: key('echo#1', 'second') } };
    const deleting = new TransactWriteItemsCommand({ TransactItems: [second, { Delete }] });
    expect((await errorOf(dynamodb.send(deleting))).message).toContain(
      'not authorized to perform: dynamodb:DeleteItem',
    );
    const elsewhere = new TransactWriteItemsCommand({
      TransactItems: [second, { Put: { TableName, Item: key('other') } }],
    });
    expect((await errorOf(dynamodb.send(elsewhere))).message).toContain('not authorized to perform: dynamodb:PutItem');
    expect(small.notices.at(-1)).toContain('(dynamodb:LeadingKeys: other)');
    expect((await small.dynamodb().send(get('echo#1', 'second'))).Item).toBeUndefined();
  });

  it('needs permission for the batch action on all keys of a batch', async () => {
    const role = small.role('batching', onPartitions('BatchWriteItem', 'BatchGetItem'));
    const writes = (...partitions: string[]) =>
      new BatchWriteItemCommand({
        RequestItems: { jobs: partitions.map((partition) => ({ PutRequest: { Item: key(partition, 'batch') } })) },
      });
    const reads = new BatchGetItemCommand({ RequestItems: { jobs: { Keys: [key('echo#1', 'batch')] } } });
    await small.dynamodb(role).send(writes('echo#1', 'echo#2'));
    expect((await small.dynamodb(role).send(reads)).Responses?.jobs).toHaveLength(1);
    const mixed = await errorOf(small.dynamodb(role).send(writes('echo#1', 'other#1')));
    expect(mixed.message).toContain('dynamodb:BatchWriteItem on resource');
    const putting = small.dynamodb(small.role('putting', onPartitions('PutItem')));
    expect((await errorOf(putting.send(writes('echo#1')))).name).toBe('AccessDeniedException');
  });

  it('needs permission for the ARN of the stream to read a stream', async () => {
    const stream = `${TABLE_ARN}/stream/*`;
    const reading = ['dynamodb:DescribeStream', 'dynamodb:GetShardIterator', 'dynamodb:GetRecords'];
    const role = small.role('streaming', allow('dynamodb:ListStreams', '*'), allow(reading, stream));
    small.role('other-streaming', allow(reading, stream.replace('jobs', 'keys')));
    const clientOf = (name: string) =>
      new DynamoDBStreamsClient({
        region: 'us-east-1',
        endpoint: small.proxy.url,
        credentials: credentialsOf(small.proxy, name),
      });
    const streams = clientOf(role);
    await small.dynamodb().send(put('streamed'));
    const StreamArn = (await streams.send(new ListStreamsCommand({ TableName }))).Streams?.[0]?.StreamArn;
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
    const ShardId = StreamDescription?.Shards?.[0]?.ShardId;
    const iterator = new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
    const { ShardIterator } = await streams.send(iterator);
    const records = new GetRecordsCommand({ ShardIterator });
    expect((await streams.send(records)).Records?.length).toBeGreaterThan(0);
    const { message } = await errorOf(clientOf('other-streaming').send(records));
    expect(message).toMatch(/dynamodb:GetRecords on resource: \S+:us-east-1:000000000000:table\/jobs\/stream\//);
  });
});

describe('a call of SQS', () => {
  it('can be allowed by the policy of the queue, whose denials take precedence', async () => {
    const [sender, both] = [small.role('sender'), small.role('denied', allow('sqs:*', QUEUE_ARN))];
    const SendMessage = { Action: 'sqs:SendMessage', Resource: QUEUE_ARN };
    small.protect(
      QUEUE_ARN,
      { ...SendMessage, Effect: 'Allow', Principal: { AWS: [roleArn(sender), roleArn(both)] } },
      { ...SendMessage, Effect: 'Deny', Principal: { AWS: roleArn(both) } },
    );
    const QueueUrl = small.queueUrl;
    const send = new SendMessageCommand({ QueueUrl, MessageBody: 'look' });
    const Entries = ['a', 'b'].map((Id) => ({ Id, MessageBody: Id }));
    await small.sqs(sender).send(send);
    const batch = await small.sqs(sender).send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    expect(batch.Successful).toHaveLength(2);

    const receive = await errorOf(small.sqs(sender).send(new ReceiveMessageCommand({ QueueUrl })));
    expect(receive).toMatchObject({ name: 'AccessDenied', message: denial(sender, 'sqs:receivemessage', QUEUE_ARN) });
    const { message } = await errorOf(small.sqs(both).send(send));
    expect(message).toMatch(/sqs:sendmessage on resource: \S+ with an explicit deny in a resource-based policy$/);
    const forbidden = small.role('forbidden', { ...allow('sqs:*', QUEUE_ARN), Effect: 'Deny' });
    const { message: ownDenial } = await errorOf(small.sqs(forbidden).send(send));
    expect(ownDenial).toMatch(/with an explicit deny in an identity-based policy$/);

    const { Messages = [] } = await small
      .sqs(both)
      .send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    expect(Messages.map(({ Body }) => Body).sort()).toEqual(['a', 'b', 'look']);
    for (const { ReceiptHandle } of Messages)
      await small.sqs(both).send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  });
});

describe('the proxy', () => {
  const known = () => small.role('powerful', allow('*', '*'));

  it.each<[string, () => Promise<unknown>, string]>([
    ['DynamoDB', () => small.dynamodb(known()).send(new ListTablesCommand()), 'dynamodb ListTables'],
    ['SQS', () => small.sqs(known()).send(new CreateQueueCommand({ QueueName: 'mine' })), 'sqs CreateQueue'],
    [
      'an index',
      () => small.dynamodb(known()).send(new QueryCommand({ TableName, IndexName: 'byStatus' })),
      'dynamodb Query of an index',
    ],
  ])('names an unknown operation in its refusal: %s', async (_, call, named) => {
    const { name, message } = await errorOf(call());
    expect([name, message]).toEqual([
      'UnknownOperationException',
      `${named} cannot be checked here, so it is refused.`,
    ]);
    expect(small.notices).toContain(`UnknownOperationException: ${message}`);
  });

  it('refuses a caller whose access key is not the name of a role', async () => {
    const { name, message } = await errorOf(small.dynamodb('stranger').send(get('a')));
    expect([name, message]).toEqual([
      'InvalidClientTokenId',
      'The access key stranger is not the name of a role of the stacks.',
    ]);
  });

  it('refuses a request without a signature', async () => {
    const headers = { 'X-Amz-Target': 'DynamoDB_20120810.Scan', 'Content-Type': 'application/x-amz-json-1.0' };
    const answer = await fetch(small.proxy.url, { method: 'POST', headers, body: '{"TableName":"jobs"}' });
    expect([answer.status, await answer.json()]).toMatchObject([403, { __type: 'MissingAuthenticationToken' }]);
  });
});

describe('a service in the process of the proxy', () => {
  const describing = (role: string, cluster: string, service = 'echo') => {
    const credentials = credentialsOf(small.proxy, role, 'task-1');
    const client = new ECSClient({ region: 'us-east-1', endpoint: small.proxy.url, maxAttempts: 1, credentials });
    return client.send(new DescribeServicesCommand({ cluster, services: [service] }));
  };

  it('is called under the role, subject to the conditions of its policies', async () => {
    const condition = { ArnEquals: { 'ecs:cluster': [CLUSTER] } };
    const role = small.role('scaler', allow('ecs:DescribeServices', '*', condition));
    const { services } = await describing(role, CLUSTER);
    expect(services).toEqual([
      { serviceName: roleArn(role), serviceArn: `arn:aws:sts::000000000000:assumed-role/${role}/task-1` },
    ]);
    expect(await errorOf(describing(role, `${CLUSTER}2`))).toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringMatching(/ because no identity-based policy allows the ecs:DescribeServices action$/),
    });
    expect(small.notices.at(-1)).toContain(` (ecs:cluster: ${CLUSTER}2)`);
    const missing = await errorOf(describing(role, CLUSTER, 'missing'));
    expect(missing).toMatchObject({ name: 'ServiceNotFoundException', message: 'Service not found.' });
  });
});

describe('the access key of the operator', () => {
  it('allows every call', async () => {
    await small.dynamodb('operator').send(put('operator'));
    expect((await small.dynamodb('operator').send(new ScanCommand({ TableName }))).Count).toBeGreaterThan(0);
  });
});

describe('the address of the proxy', () => {
  const options = () => ({
    emulators: small.emulators,
    permissions: createPermissions(),
    tables: new Map(),
    services: new Map(),
    notify: () => undefined,
  });

  it('stays the same in the next run if its port is free', async () => {
    const first = await startAwsProxy(options());
    await first.stop();
    const second = await startAwsProxy({ ...options(), preferredPort: first.port });
    const third = await startAwsProxy({ ...options(), preferredPort: first.port });
    await Promise.all([second.stop(), third.stop()]);
    expect(second.url).toBe(first.url);
    expect(third.port).not.toBe(first.port);
  });

  it('returns 503, which the SDK retries, while an emulator is not running', async () => {
    const emulators = { ...small.emulators, dynamodbUrl: `http://127.0.0.1:${await freePort()}` };
    const proxy = await startAwsProxy({ ...options(), emulators });
    const credentials = credentialsOf(proxy, 'operator');
    const client = new DynamoDBClient({ region: 'us-east-1', endpoint: proxy.url, maxAttempts: 1, credentials });
    const error = await errorOf(client.send(get('a')));
    await proxy.stop();
    expect(error).toMatchObject({ name: 'ServiceUnavailable', $metadata: { httpStatusCode: 503 } });
  });
});
