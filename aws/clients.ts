/** The AWS SDK clients, with time-outs on every call. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { SECOND } from '../core/limits.ts';
import { anyNumber } from './images.ts';

/** Called with each client as it is made: where tests put delays and faults between the product and AWS. */
export type OnClient = (client: DynamoDBDocumentClient | SQSClient | S3Client) => void;

const CONNECT = SECOND;
/** A single-item call takes milliseconds; SQS holds a long poll for up to 20 s. */
const DYNAMODB_REQUEST = 3 * SECOND;
const SQS_REQUEST = 25 * SECOND;

/** For data keys. */
export const keyTimeouts = { connectionTimeout: CONNECT, requestTimeout: 3 * SECOND };
/** For objects of up to 20 MB, and for calls that move a service. */
export const objectTimeouts = { connectionTimeout: CONNECT, requestTimeout: 30 * SECOND };
export const serviceTimeouts = { connectionTimeout: CONNECT, requestTimeout: 5 * SECOND };
/** A search of logs may look through a few megabytes. */
export const logTimeouts = { connectionTimeout: CONNECT, requestTimeout: 8 * SECOND };

export function createDocumentClient(onClient?: OnClient): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    requestHandler: { connectionTimeout: CONNECT, requestTimeout: DYNAMODB_REQUEST },
  });
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
    requestHandler: { connectionTimeout: CONNECT, requestTimeout: SQS_REQUEST },
    // The queue's address is in every call; it need not be the address of the region's SQS.
    useQueueUrlAsEndpoint: true,
  });
  onClient?.(queues);
  return queues;
}
