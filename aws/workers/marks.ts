/**
 * Marks for work that only one worker of an endpoint does at a time, in the payload table: one item for each kind of
 * work. The item's partition can be written by the endpoint's workers and belongs to no job.
 */

import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { removeAfterEnd } from '../../core/jobs/ending.ts';
import { volumePartitionOf } from '../../core/jobs/id.ts';
import type { WorkerMark, WorkerMarks } from '../../core/workers/lease.ts';
import { refusalIn } from '../conditional-write.ts';
import { and, compare, conditionExpression, notExists, or } from '../expressions.ts';

const markSchema = z.object({ worker: z.string(), until: z.number() });

/**
 * Stores which worker of an endpoint does a kind of work that one worker at a time does.
 * @param kind kind of work: `measured` for the volume, `replaced` for a worker whose jobs fail immediately
 */
export function createWorkerMarks(
  documents: DynamoDBDocumentClient,
  table: string,
  kind: 'measured' | 'replaced',
): WorkerMarks {
  const itemOf = (endpoint: string, mark: WorkerMark) => ({
    TableName: table,
    Item: { partition: volumePartitionOf(endpoint), item: kind, ...mark, removeAfter: removeAfterEnd(mark.until) },
  });

  return {
    async hold(endpoint, mark, now) {
      // The worker's own mark can exist already, if the response to an earlier attempt was lost.
      const isOwn = and(compare('worker', '=', mark.worker), compare('until', '=', mark.until));
      const put = new PutCommand({
        ...itemOf(endpoint, mark),
        ...conditionExpression(or(notExists('until'), compare('until', '<=', now), isOwn)),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        await documents.send(put);
        return mark;
      } catch (error) {
        const { item } = refusalIn(error);
        if (!item) throw error;
        return markSchema.parse(item);
      }
    },

    async set(endpoint, mark) {
      await documents.send(new PutCommand(itemOf(endpoint, mark)));
    },
  };
}
