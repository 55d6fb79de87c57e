/**
 * The serverless part of the peer `aws-sample`: `POST /jobs` sends a message, `GET /jobs/:id` reads the item. In AWS,
 * these are integrations of API Gateway without a function. The loop is the function that stores the jobs of the
 * dead-letter queue as failed.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { counted } from './aws-calls.mjs';

const { QUEUE_URL, FAILED_QUEUE_URL, TABLE, PORT, DYNAMODB_URL, SQS_URL } = process.env;
const dynamodb = counted(new DynamoDBClient({ endpoint: DYNAMODB_URL }));
const sqs = counted(new SQSClient({ endpoint: SQS_URL }));
const failed = new SQSClient({ endpoint: SQS_URL });

async function submit(body) {
  const id = randomUUID();
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: QUEUE_URL,
      MessageBody: body,
      MessageAttributes: { id: { DataType: 'String', StringValue: id } },
    }),
  );
  return { id };
}

async function status(id) {
  const { Item } = await dynamodb.send(
    new GetItemCommand({ TableName: TABLE, Key: { id: { S: id } }, ReturnConsumedCapacity: 'TOTAL' }),
  );
  return { status: Item?.status?.S ?? '', results: Item?.results?.S, parameters: Item?.parameters?.S };
}

async function bodyOf(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

const server = createServer(async (request, response) => {
  try {
    const answer = request.method === 'POST' ? await submit(await bodyOf(request)) : await status(request.url.slice(6));
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  } catch (error) {
    console.error(error);
    response.writeHead(500).end('{}');
  }
});
server.listen(Number(PORT), '127.0.0.1');

async function storeFailures() {
  const { Messages = [] } = await failed.send(
    new ReceiveMessageCommand({
      QueueUrl: FAILED_QUEUE_URL,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: 20,
      MessageAttributeNames: ['All'],
    }),
  );
  for (const { Body, MessageAttributes, ReceiptHandle } of Messages) {
    const item = { id: { S: MessageAttributes.id.StringValue }, parameters: { S: Body }, status: { S: 'Failure' } };
    await dynamodb.send(new PutItemCommand({ TableName: TABLE, Item: item }));
    await failed.send(new DeleteMessageCommand({ QueueUrl: FAILED_QUEUE_URL, ReceiptHandle }));
  }
}

for (;;) {
  try {
    await storeFailures();
  } catch (error) {
    console.error(error);
    await delay(200);
  }
}
