/** Creates the clients for DynamoDB and SQS. */
import { DocumentClient } from './services/dynamodb.ts';
import type { ServiceClient } from './services/service-client.ts';
import { QueueClient } from './services/sqs.ts';

/** Called with each new client. Tests use it to add delays and faults between the product and AWS. */
export type OnClient = (client: ServiceClient) => void;

export function createDocumentClient(onClient?: OnClient): DocumentClient {
  const documents = new DocumentClient();
  onClient?.(documents);
  return documents;
}

export function createQueueClient(onClient?: OnClient): QueueClient {
  const queues = new QueueClient();
  onClient?.(queues);
  return queues;
}
