/** Stores unchanged jobs in the jobs table, many in one call, because creating each separately takes seconds. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../aws/environment.ts';
import { partitionOf } from '../../core/jobs/id.ts';
import type { Job } from '../../core/jobs/job.ts';
import { constantSigner } from './constant-signature.ts';

/** Maximum number of items that DynamoDB stores in one call. */
const BATCH = 25;

const putOf = ({ endpoint, ...fields }: Job) => ({
  PutRequest: { Item: { ...fields, partition: partitionOf({ endpoint, id: fields.id }) } },
});

/** @param jobs no two with the same id */
export async function storeJobs(jobs: readonly Job[]): Promise<void> {
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ signer: async () => constantSigner as never }));
  for (let stored = 0; stored < jobs.length; stored += BATCH) {
    const puts = jobs.slice(stored, stored + BATCH).map(putOf);
    const write = new BatchWriteCommand({ RequestItems: { [environment('JOBS_TABLE')]: puts } });
    const { UnprocessedItems = {} } = await documents.send(write);
    if (Object.keys(UnprocessedItems).length > 0) throw new Error('DynamoDB has not stored all jobs.');
  }
}
