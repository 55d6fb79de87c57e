/** The chunks of streams, in the payload table: one item each, in order under the job and the attempt. */
import { BatchWriteCommand, type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '../core/clock.ts';
import { LAST_CHUNK } from '../core/jobs/chunk.ts';
import type { Chunks } from '../core/jobs/chunk-store.ts';
import type { JobKey } from '../core/jobs/job.ts';
import { payloadRef } from '../core/jobs/job.ts';
import { partitionOf } from '../core/jobs/partition.ts';
import type { OnUnreadable } from '../core/unreadable.ts';
import { readItem } from './readable.ts';

/** With leading zeros the order of texts is that of numbers. */
const DIGITS = String(LAST_CHUNK).length;

const chunkSchema = z.object({
  output: payloadRef,
  metrics: z.optional(z.string()),
  part: z.optional(z.number()),
  parts: z.optional(z.number()),
});

const nameOf = ({ id }: JobKey, attempt: number, number: number) =>
  `${id}#chunk#${attempt}#${String(number).padStart(DIGITS, '0')}`;

/** DynamoDB leaves items out of a batch whose partition is too busy. */
const TRIES = 6;
/** Before the second try, in milliseconds; twice as long before each later one. */
const PAUSE = 25;

/** @param onUnreadable is called with each item that is no chunk; the list leaves it out */
export function createChunks(
  documents: DynamoDBDocumentClient,
  table: string,
  clock: Pick<Clock, 'pause'>,
  onUnreadable?: OnUnreadable,
): Chunks {
  return {
    async write(key, attempt, first, chunks, removeAfter) {
      const partition = partitionOf(key);
      const puts = chunks.map((chunk, n) => ({
        PutRequest: { Item: { partition, item: nameOf(key, attempt, first + n), ...chunk, removeAfter } },
      }));
      let left: NonNullable<BatchWriteCommand['input']['RequestItems']> = { [table]: puts };
      for (let tries = 1; ; tries += 1) {
        const { UnprocessedItems = {} } = await documents.send(new BatchWriteCommand({ RequestItems: left }));
        if (Object.keys(UnprocessedItems).length === 0) return;
        if (tries === TRIES) throw new Error(`DynamoDB has left chunks of job ${key.id} out of ${TRIES} batches.`);
        left = UnprocessedItems;
        await clock.pause(PAUSE * 2 ** (tries - 1));
      }
    },

    async *list(key, attempt, from, before) {
      const query = {
        TableName: table,
        KeyConditionExpression: '#partition = :partition AND #item BETWEEN :first AND :last',
        ExpressionAttributeNames: { '#partition': 'partition', '#item': 'item' },
        ExpressionAttributeValues: {
          ':partition': partitionOf(key),
          ':first': nameOf(key, attempt, from),
          ':last': nameOf(key, attempt, Math.min(before - 1, LAST_CHUNK)),
        },
        ConsistentRead: true,
      };
      let expected = from;
      for await (const { Items = [] } of paginateQuery({ client: documents }, query))
        for (const item of Items) {
          const name = String(item.item);
          const number = Number(name.slice(-DIGITS));
          // A batch is being stored, and what it lacks comes before this chunk.
          if (before === Number.POSITIVE_INFINITY && number > expected) return;
          expected = number + 1;
          const read = readItem(chunkSchema, item);
          if ('value' in read) {
            yield { number, chunk: read.value };
            continue;
          }
          const { endpoint } = key;
          onUnreadable?.({ table: 'payloads', partition: partitionOf(key), name, endpoint, reason: read.reason });
        }
    },
  };
}
