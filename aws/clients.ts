/** The AWS SDK clients of jobs. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { anyNumber } from './images.ts';
import { requestHandler } from './request-handler.ts';

/** Called with each client as it is made: where tests put delays and faults between the product and AWS. */
export type OnClient = (client: DynamoDBDocumentClient | SQSClient | S3Client) => void;

export function createDocumentClient(onClient?: OnClient): DynamoDBDocumentClient {
  const client = new DynamoDBClient({ requestHandler: requestHandler('dynamodb') });
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    // The SDK adds to it.
    unmarshallOptions: { ...anyNumber },
  });
  onClient?.(documents);
  return documents;
}

export function createQueueClient(onClient?: OnClient): SQSClient {
  const queues = new SQSClient({
    requestHandler: requestHandler('sqs'),
    // The queue's address is in every call; it need not be the address of the region's SQS.
    useQueueUrlAsEndpoint: true,
  });
  onClient?.(queues);
  return queues;
}
