/**
 * Counts the jobs that a purge removes. The counters of the ledger include all of them as soon as the ledger has counted
 * the purge's markers, one in each partition of the jobs table. If the ledger is late, the stored jobs are counted.
 */

import { type DynamoDBDocumentClient, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../core/clock.ts';
import { countersFrom, isMarked, removedFrom, sumOf } from '../../core/endpoints/counts.ts';
import { partitionsOf } from '../../core/jobs/id.ts';
import type { PurgeCounts } from '../../core/jobs/purge-queue.ts';
import { and, compare, or, queryExpression } from '../expressions.ts';
import { readCounters } from '../ledger/ledger.ts';
import { markerItem } from './marker-item.ts';

export function createPurgeCounts(
  documents: DynamoDBDocumentClient,
  tables: { readonly jobs: string; readonly endpoints: string },
  clock: Clock,
): PurgeCounts {
  /** Returns the number of jobs of one partition, or undefined if it is not known by `until`, in milliseconds since the epoch. */
  async function countIn(partition: string, generation: number, until: number): Promise<number | undefined> {
    const isRemoved = and(
      compare('generation', '=', generation),
      or(compare('status', '=', 'IN_QUEUE'), compare('code', '=', 'PURGED')),
    );
    const query = {
      TableName: tables.jobs,
      ...queryExpression(compare('partition', '=', partition), isRemoved),
      Select: 'COUNT' as const,
      ConsistentRead: true,
    };
    let count = 0;
    for await (const { Count = 0, LastEvaluatedKey: next } of paginateQuery({ client: documents }, query)) {
      count += Count;
      if (next && clock.now() >= until) return undefined;
    }
    return count;
  }

  return {
    async mark(endpoint, generation, removeAfter) {
      const puts = partitionsOf(endpoint).map(
        (partition) =>
          new PutCommand({ TableName: tables.jobs, Item: markerItem({ partition, generation }, removeAfter) }),
      );
      await Promise.all(puts.map((put) => documents.send(put)));
    },

    async readLedger(endpoint, generation) {
      const { byPartition, all } = await readCounters(documents, tables.endpoints, endpoint);
      const isComplete = partitionsOf(endpoint).every((partition) => {
        const counters = byPartition.get(partition);
        return counters !== undefined && isMarked(countersFrom(counters), generation);
      });
      const removed = removedFrom(sumOf(all.map(countersFrom)), generation);
      // The counters of partitions are written at different times, so their sum can be negative for a moment.
      return { removed: Math.max(0, removed), isComplete };
    },

    async countStored(endpoint, generation, until) {
      const counts = await Promise.all(
        partitionsOf(endpoint).map((partition) => countIn(partition, generation, until)),
      );
      return counts.reduce((sum, count) => (sum === undefined || count === undefined ? undefined : sum + count), 0);
    },
  };
}
