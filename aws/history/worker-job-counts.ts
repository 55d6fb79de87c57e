/** The jobs that each worker has ended, in the history table: items `worked#` and the id of the worker. */

import { BatchGetCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../core/clock.ts';
import { type WorkerJobCounts, type WorkerJobs, workerJobsSchema } from '../../core/history/worker-jobs.ts';
import { DAY, SECOND } from '../../core/limits.ts';
import { unlessRefused } from '../conditional-write.ts';
import { compare, notExists, or, updateExpression } from '../expressions.ts';
import { readItem, valueIn } from '../readable.ts';
import { retryPause } from '../retry-pause.ts';
import type { HistoryTable } from './history.ts';

type Key = Readonly<Record<string, unknown>>;

const PREFIX = 'worked#';

/** Maximum number of items in a call of DynamoDB. */
const BATCH = 100;

/** Attempts to read items that DynamoDB leaves unread because it throttles the table. */
const MAX_ATTEMPTS = 5;

export function createWorkerJobCounts(
  documents: DynamoDBDocumentClient,
  { table, days }: HistoryTable,
  clock: Clock,
): WorkerJobCounts {
  const keyOf = (endpoint: string, worker: string) => ({ endpoint, item: PREFIX + worker });

  return {
    async add(endpoint, worker, minute, { completed, failed, lastError }) {
      const removeAfter = Math.ceil((clock.now() + days * DAY) / SECOND);
      const update = updateExpression({
        set: { lastMinute: minute, removeAfter, ...(lastError && { lastError }) },
        add: { completed, failed },
        condition: or(notExists('lastMinute'), compare('lastMinute', '<', minute)),
      });
      await unlessRefused(
        documents.send(new UpdateCommand({ TableName: table, Key: keyOf(endpoint, worker), ...update })),
      );
    },

    async read(endpoint, workers) {
      const read = new Map<string, WorkerJobs>();
      for (let n = 0; n < workers.length; n += BATCH) {
        let unread: Key[] = workers.slice(n, n + BATCH).map((worker) => keyOf(endpoint, worker));
        for (let attempt = 0; unread.length > 0; attempt += 1) {
          if (attempt === MAX_ATTEMPTS)
            throw new Error(`DynamoDB did not read the jobs of ${unread.length} workers in ${MAX_ATTEMPTS} attempts.`);
          if (attempt > 0) await clock.pause(retryPause(attempt - 1));
          const get = new BatchGetCommand({ RequestItems: { [table]: { Keys: unread } } });
          const { Responses = {}, UnprocessedKeys = {} } = await documents.send(get);
          for (const item of Responses[table] ?? []) {
            const jobs = valueIn(readItem(workerJobsSchema, item));
            if (jobs) read.set(String(item.item).slice(PREFIX.length), jobs);
          }
          unread = UnprocessedKeys[table]?.Keys ?? [];
        }
      }
      return read;
    },
  };
}
