/** Reads of jobs by clients that poll: where it probably saves a call, with the delivery of the job's webhook. */

import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { deliveryOf } from '../../core/jobs/delivery-key.ts';
import type { JobKey } from '../../core/jobs/job.ts';
import type { Jobs } from '../../core/jobs/store.ts';
import type { Polled, PolledJobs } from '../../core/status/status.ts';
import { deliveryFrom, deliveryKeyOf } from '../webhooks/deliveries.ts';
import { jobFrom, jobKeyOf } from './job-item.ts';

/** The completion of jobs that were not retried, which most jobs are. */
const FIRST = 0;

export interface PolledTables {
  readonly jobs: string;
  readonly deliveries: string;
}

/**
 * Reads the jobs that clients poll. If the last job of the endpoint had a delivery, one call reads the next job and its
 * delivery.
 * @param jobs reads a job alone
 */
export function createPolledJobs(
  documents: DynamoDBDocumentClient,
  { jobs: jobsTable, deliveries: deliveriesTable }: PolledTables,
  jobs: Pick<Jobs, 'read'>,
): PolledJobs {
  /**
   * Endpoints whose job in the last read had a delivery. The read of a delivery that does not exist costs half a unit,
   * so each of them follows at least one read that saved a call.
   */
  const delivering = new Set<string>();

  async function readBoth(key: JobKey): Promise<Polled> {
    const both = new BatchGetCommand({
      RequestItems: {
        [jobsTable]: { Keys: [jobKeyOf(key)], ConsistentRead: true },
        [deliveriesTable]: { Keys: [deliveryKeyOf({ ...key, completion: FIRST })] },
      },
    });
    const { Responses = {}, UnprocessedKeys = {} } = await documents.send(both);
    // A partition is throttled. The read of one item is repeated by the SDK.
    if (UnprocessedKeys[jobsTable]) return { job: await jobs.read(key) };
    const [job, delivery] = [Responses[jobsTable]?.[0], Responses[deliveriesTable]?.[0]];
    return {
      job: job && jobFrom(job),
      ...(!UnprocessedKeys[deliveriesTable] && {
        delivery: { completion: FIRST, found: delivery && deliveryFrom(delivery) },
      }),
    };
  }

  return {
    async read(key) {
      const polled = delivering.has(key.endpoint) ? await readBoth(key) : { job: await jobs.read(key) };
      if (polled.job && deliveryOf(polled.job)) delivering.add(key.endpoint);
      else delivering.delete(key.endpoint);
      return polled;
    },
  };
}
