/**
 * Worker of the peer `aws-sample`: each of the loops receives up to 10 messages, performs their jobs one after the
 * other, stores each result and deletes its message.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { counted } from './aws-calls.mjs';
import { perform } from './job.mjs';

const { QUEUE_URL, TABLE, CONCURRENCY, DYNAMODB_URL, SQS_URL } = process.env;
const dynamodb = counted(new DynamoDBClient({ endpoint: DYNAMODB_URL }));
const isEmpty = (name, output) => name === 'ReceiveMessage' && !output.Messages?.length;
const sqs = counted(new SQSClient({ endpoint: SQS_URL }), (name, output) => (isEmpty(name, output) ? undefined : name));

async function performJob({ Body, MessageAttributes, ReceiptHandle }) {
  const id = MessageAttributes.id.StringValue;
  const results = await perform(id, JSON.parse(Body));
  const item = { id: { S: id }, results: { S: JSON.stringify(results) }, status: { S: 'Success' } };
  await dynamodb.send(new PutItemCommand({ TableName: TABLE, Item: item, ReturnConsumedCapacity: 'TOTAL' }));
  await sqs.send(new DeleteMessageCommand({ QueueUrl: QUEUE_URL, ReceiptHandle }));
}

async function receive() {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: QUEUE_URL,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: 20,
      MessageAttributeNames: ['All'],
    }),
  );
  for (const message of Messages) await performJob(message);
}

async function loop() {
  for (;;) {
    try {
      await receive();
    } catch (error) {
      console.error(error);
      await delay(200);
    }
  }
}

await Promise.all(Array.from({ length: Number(CONCURRENCY) }, loop));
