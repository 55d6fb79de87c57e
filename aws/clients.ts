/** Creates the AWS SDK clients for DynamoDB and SQS. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { anyNumber } from './images.ts';
import { requestHandler } from './request-handler.ts';
import type { ServiceClient } from './service-client.ts';

/** Called with each new client. Tests use it to add delays and faults between the product and AWS. */
export type OnClient = (client: DynamoDBDocumentClient | SQSClient | ServiceClient) => void;

export function createDocumentClient(onClient?: OnClient): DynamoDBDocumentClient {
  const client = new DynamoDBClient({ requestHandler: requestHandler('dynamodb') });
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    // A copy, because the SDK adds properties to this object.
    unmarshallOptions: { ...anyNumber },
  });
  onClient?.(documents);
  return documents;
}

export function createQueueClient(onClient?: OnClient): SQSClient {
  const queues = new SQSClient({
    requestHandler: requestHandler('sqs'),
    // Every call contains the queue's address, which can differ from the address of the Region's SQS.
    useQueueUrlAsEndpoint: true,
  });
  onClient?.(queues);
  return queues;
}
