/**
 * The sums of endpoints, in the history table: items `minute#`, `hour#` and `day#` with the begin of the span, and
 * `summed` with the time up to which the endpoint is summed and its totals.
 */

import { randomUUID } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../core/clock.ts';
import { sortableTime } from '../../core/history/store.ts';
import { SECOND } from '../../core/limits.ts';
import { CONFLICT, conflictTries, retryOnConflict } from '../../core/stored-items/conflicts.ts';
import { sumsKept } from '../../core/usage/limits.ts';
import type { UsageSums } from '../../core/usage/store.ts';
import { type SpanLength, spanRowSchema } from '../../core/usage/sums.ts';
import { type Counted, type Summed, summedSchema } from '../../core/usage/totals.ts';
import { batchGet } from '../batch-get.ts';
import { unlessRefused } from '../conditional-write.ts';
import {
  and,
  between,
  compare,
  exists,
  notExists,
  path,
  queryExpression,
  type Update,
  updateExpression,
} from '../expressions.ts';
import { readItem, valueIn } from '../readable.ts';
import { type HistoryTable, readAll } from './history.ts';

const SUMMED = 'summed';

const itemOf = (length: SpanLength, from: number) => `${length}#${sortableTime(from)}`;

export function createUsageSums(
  documents: DynamoDBDocumentClient,
  { table, days }: HistoryTable,
  clock: Clock,
): UsageSums {
  async function set(
    endpoint: string,
    length: SpanLength,
    from: number,
    part: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const removeAfter = Math.ceil((from + sumsKept[length]) / SECOND);
    await documents.send(
      new UpdateCommand({
        TableName: table,
        Key: { endpoint, item: itemOf(length, from) },
        ...updateExpression({ set: { from, ...part, removeAfter } }),
      }),
    );
  }

  /** All reads are consistent: a total that is smaller than in an earlier answer would look like a restarted counter. */
  async function summed(endpoint: string): Promise<Summed | undefined> {
    const Key = { endpoint, item: SUMMED };
    const { Item } = await documents.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    return Item && valueIn(readItem(summedSchema, Item));
  }

  async function summedOf(endpoints: readonly string[]): Promise<ReadonlyMap<string, Summed>> {
    const items = await batchGet(documents, clock, {
      table,
      keys: endpoints.map((endpoint) => ({ endpoint, item: SUMMED })),
      what: (unread) => `the totals of ${unread} endpoints`,
      ConsistentRead: true,
    });
    const found = items.flatMap((item) => {
      const value = valueIn(readItem(summedSchema, item));
      return value ? [[String(item.endpoint), value] as const] : [];
    });
    return new Map(found);
  }

  const updateSummed = (endpoint: string, update: Update) =>
    unlessRefused(
      documents.send(
        new UpdateCommand({ TableName: table, Key: { endpoint, item: SUMMED }, ...updateExpression(update) }),
      ),
    );

  const isEdition = (before: Counted | undefined) =>
    before ? compare(path('counted', 'edition'), '=', before.edition) : notExists('counted');

  return {
    isKept: days > 0,

    summed,
    summedOf,

    saveCounted: (endpoint, before, counted) =>
      updateSummed(endpoint, { set: { counted }, condition: isEdition(before) }),

    async saveSummed(endpoint, before, { to, counted }) {
      const isCountable = isEdition(before?.counted);
      const isStored = await updateSummed(endpoint, {
        set: { to, counted, newsTo: Math.max(to, before?.newsTo ?? to) },
        remove: ['correction'],
        condition: and(
          isCountable,
          before?.correction
            ? compare('correction', '=', before.correction)
            : and(notExists('correction'), before ? compare('to', '=', before.to) : notExists('to')),
        ),
      });
      // The correction replaces minutes that have been stored now, so they must be in the totals.
      if (!isStored) await updateSummed(endpoint, { set: { counted }, condition: and(isCountable, exists('to')) });
      return isStored;
    },

    async repeatFrom(endpoint, time) {
      const correction = randomUUID();
      await retryOnConflict(`the sums of ${endpoint}`, conflictTries.sums, async () => {
        const moves = { set: { to: time, correction }, condition: compare('to', '>', time) };
        if (await updateSummed(endpoint, moves)) return undefined;
        // A sum that runs now might have read the history before, although it has not come to this time.
        if (await updateSummed(endpoint, { set: { correction }, condition: compare('to', '<=', time) }))
          return undefined;
        return (await summed(endpoint)) ? CONFLICT : undefined;
      });
    },

    saveSums: (endpoint, from, sums) => set(endpoint, 'minute', from, { sums }),

    saveSamples: (endpoint, from, samples) => set(endpoint, 'minute', from, { samples }),

    saveSpan: (endpoint, length, { from, sums, samples }) => set(endpoint, length, from, { sums, samples }),

    async read(endpoint, length, from, to) {
      if (to <= from) return [];
      const key = and(
        compare('endpoint', '=', endpoint),
        between('item', itemOf(length, from), itemOf(length, to - 1)),
      );
      return readAll(documents, { TableName: table, ...queryExpression(key) }, spanRowSchema);
    },
  };
}
