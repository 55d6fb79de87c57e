/** Creates the clients for DynamoDB and SQS. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { MetadataBearer, MiddlewareStack } from '@smithy/types';
import { anyNumber } from './images.ts';
import { requestHandler } from './request-handler.ts';

/** What the clients of all services have in common. */
export interface Client {
  readonly config: { readonly serviceId: string };
  readonly middlewareStack: MiddlewareStack<object, MetadataBearer>;
}

/** Called with each new client. Tests use it to add delays and faults between the product and AWS. */
export type OnClient = (client: Client) => void;

export function createDocumentClient(onClient?: OnClient): DynamoDBDocumentClient {
  const client = new DynamoDBClient({ requestHandler: requestHandler('dynamodb') });
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    // A copy, because the client adds options to it.
    unmarshallOptions: { ...anyNumber },
  });
  onClient?.(documents);
  return documents;
}

export function createQueueClient(onClient?: OnClient): SQSClient {
  const queues = new SQSClient({ requestHandler: requestHandler('sqs') });
  onClient?.(queues);
  return queues;
}
