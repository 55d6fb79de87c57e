/** The chunks of streams, in the payload table: one item each, in order under the job and the attempt. */
import { type DynamoDBDocumentClient, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { LAST_CHUNK } from '../core/jobs/chunk.ts';
import type { JobKey } from '../core/jobs/job.ts';
import { payloadRef } from '../core/jobs/job.ts';
import { partitionOf } from '../core/jobs/partition.ts';
import type { OnUnreadable } from '../core/unreadable.ts';
import type { Chunks } from '../core/world.ts';
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

/** @param onUnreadable is called with each item that is no chunk; the list leaves it out */
export function createChunks(documents: DynamoDBDocumentClient, table: string, onUnreadable?: OnUnreadable): Chunks {
  return {
    async write(key, attempt, number, chunk, removeAfter) {
      const item = { partition: partitionOf(key), item: nameOf(key, attempt, number) };
      await documents.send(new PutCommand({ TableName: table, Item: { ...item, ...chunk, removeAfter } }));
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
      for await (const { Items = [] } of paginateQuery({ client: documents }, query))
        for (const item of Items) {
          const name = String(item.item);
          const read = readItem(chunkSchema, item);
          if ('value' in read) {
            yield { number: Number(name.slice(-DIGITS)), chunk: read.value };
            continue;
          }
          const { endpoint } = key;
          onUnreadable?.({ table: 'payloads', partition: partitionOf(key), name, endpoint, reason: read.reason });
        }
    },
  };
}
