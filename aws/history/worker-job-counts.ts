/** The jobs that each worker has ended, in the history table: items `worked#` and the id of the worker. */

import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../core/clock.ts';
import { type WorkerJobCounts, workerJobsSchema } from '../../core/history/worker-jobs.ts';
import { DAY, SECOND } from '../../core/limits.ts';
import { batchGet } from '../batch-get.ts';
import { unlessRefused } from '../conditional-write.ts';
import { compare, notExists, or, updateExpression } from '../expressions.ts';
import { readItem, valueIn } from '../readable.ts';
import type { HistoryTable } from './history.ts';

const PREFIX = 'worked#';

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
      const items = await batchGet(documents, clock, {
        table,
        keys: [...new Set(workers)].map((worker) => keyOf(endpoint, worker)),
        what: (unread) => `the jobs of ${unread} workers`,
      });
      const read = items.flatMap((item) => {
        const jobs = valueIn(readItem(workerJobsSchema, item));
        return jobs ? [[String(item.item).slice(PREFIX.length), jobs] as const] : [];
      });
      return new Map(read);
    },
  };
}
