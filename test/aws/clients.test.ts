/** Reads and writes items in the emulator of DynamoDB. */
import { ConditionalCheckFailedException, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const TableName = 'WORKERS_TABLE';
const Key = { endpoint: 'commands', worker: 'w1' };

useEmulatedDeployment();

it('stores an item without its undefined values', async () => {
  const documents = createDocumentClient();
  const Item = { ...Key, left: undefined, map: { left: undefined, kept: 1 } };
  await documents.send(new PutCommand({ TableName, Item }));
  const { Item: read } = await documents.send(new GetCommand({ TableName, Key }));
  expect(read).toStrictEqual({ ...Key, map: { kept: 1 } });
});

it('reads a number of more digits than JavaScript has as the nearest one', async () => {
  const item = { endpoint: { S: Key.endpoint }, worker: { S: Key.worker }, n: { N: '0.12345678901234567891' } };
  await new DynamoDBClient().send(new PutItemCommand({ TableName, Item: item }));
  const { Item } = await createDocumentClient().send(new GetCommand({ TableName, Key }));
  expect(Item?.n).toBe(Number('0.12345678901234567891'));
});

it('shows no response of AWS in the log of an error', async () => {
  const documents = createDocumentClient();
  const put = { TableName, Item: { ...Key, worker: 'w2' }, ConditionExpression: 'attribute_not_exists(worker)' };
  await documents.send(new PutCommand(put));
  const error = await documents.send(new PutCommand(put)).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(ConditionalCheckFailedException);
  expect(Object.keys(error as object)).not.toContain('$response');
});
