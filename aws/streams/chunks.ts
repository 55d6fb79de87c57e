/**
 * The chunks of streams, in the payload table: in order under the job and the attempt, one or several chunks in an
 * item.
 */

import { type DynamoDBDocumentClient, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { partitionOf } from '../../core/jobs/id.ts';
import { type JobKey, payloadRef } from '../../core/jobs/job.ts';
import type { OnUnreadable } from '../../core/stored-items/unreadable.ts';
import { type Chunk, LAST_CHUNK } from '../../core/streams/chunk.ts';
import { isPart, type Pack, pack, unpack } from '../../core/streams/pack.ts';
import type { Chunks, ListedChunk, StoredChunk } from '../../core/streams/store.ts';
import { and, between, compare, queryExpression } from '../expressions.ts';
import { readItem } from '../readable.ts';

/** Leading zeros make the order of strings match the order of numbers. */
const DIGITS = String(LAST_CHUNK).length;

const chunkSchema = z.object({
  output: payloadRef,
  metrics: z.optional(z.string()),
  part: z.optional(z.number()),
  parts: z.optional(z.number()),
  at: z.optional(z.number()),
  sizes: z.optional(z.array(z.number())),
});

const nameOf = ({ id }: JobKey, attempt: number, number: number) =>
  `${id}#chunk#${attempt}#${String(number).padStart(DIGITS, '0')}`;

/** Groups chunks that are stored in one item. A chunk in an object has its own item. */
function* itemsOf(first: number, chunks: readonly StoredChunk[]) {
  let run: Chunk[] = [];
  const packed = function* (next: number) {
    const [head, ...rest] = run;
    if (head) yield { number: next - 1, item: inlineOf(pack(next - run.length, [head, ...rest])) };
    run = [];
  };
  for (const [n, chunk] of chunks.entries()) {
    if ('inline' in chunk.output) {
      run.push({ ...chunk, output: chunk.output.inline });
      continue;
    }
    yield* packed(first + n);
    yield { number: first + n, item: chunk };
  }
  yield* packed(first + chunks.length);
}

const inlineOf = ({ output, ...rest }: Pack) => ({ ...rest, output: { inline: output } });

/** Returns the chunks of an item, or undefined if its sizes do not match its content, or no part has its numbers. */
function chunksIn(number: number, { sizes, ...chunk }: z.output<typeof chunkSchema>): ListedChunk[] | undefined {
  if (!isPart(chunk.part, chunk.parts)) return undefined;
  if (!sizes) return [{ number, chunk }];
  const { output, ...rest } = chunk;
  const unpacked = 'inline' in output ? unpack(number, { ...rest, output: output.inline, sizes }) : undefined;
  return unpacked?.map(({ number, output, part, parts, text }) => ({
    number,
    chunk: { output: { inline: output }, part, parts, at: chunk.at },
    text,
  }));
}

/**
 * Stores the chunks of jobs' streams in DynamoDB.
 * @param onUnreadable called with each invalid item, which the list omits
 */
export function createChunks(documents: DynamoDBDocumentClient, table: string, onUnreadable?: OnUnreadable): Chunks {
  return {
    async write(key, attempt, first, chunks, removeAfter) {
      for (const { number, item } of itemsOf(first, chunks)) {
        const name = { partition: partitionOf(key), item: nameOf(key, attempt, number) };
        await documents.send(new PutCommand({ TableName: table, Item: { ...name, ...item, removeAfter } }));
      }
    },

    async *list(key, attempt, from, before) {
      const first = nameOf(key, attempt, from);
      const last = nameOf(key, attempt, Math.min(before - 1, LAST_CHUNK));
      const query = {
        TableName: table,
        ...queryExpression(and(compare('partition', '=', partitionOf(key)), between('item', first, last))),
        ConsistentRead: true,
      };
      // An item with several chunks has the number of its last chunk. After a failed write, two items can contain the
      // same chunk.
      let next = from;
      for await (const { Items = [] } of paginateQuery({ client: documents }, query))
        for (const item of Items) {
          const name = String(item.item);
          const number = Number(name.slice(-DIGITS));
          const read = readItem(chunkSchema, item);
          const chunks = 'value' in read ? chunksIn(number, read.value) : undefined;
          if (!chunks) {
            const { endpoint } = key;
            const reason = 'reason' in read ? read.reason : 'sizes or parts: not those of its chunks';
            onUnreadable?.({ table: 'payloads', partition: partitionOf(key), name, endpoint, reason });
            continue;
          }
          for (const chunk of chunks) if (chunk.number >= next) yield chunk;
          next = number + 1;
        }
    },
  };
}
