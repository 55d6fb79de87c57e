/**
 * The sums of endpoints, in the history table: items `minute#`, `hour#` and `day#` with the begin of the span, and
 * `summed` with the time up to which the endpoint is summed.
 */

import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { sortableTime } from '../../core/history/store.ts';
import { SECOND } from '../../core/limits.ts';
import { sumsKept } from '../../core/usage/limits.ts';
import type { UsageSums } from '../../core/usage/store.ts';
import { type SpanLength, spanRowSchema } from '../../core/usage/sums.ts';
import { and, between, compare, queryExpression, updateExpression } from '../expressions.ts';
import { type HistoryTable, readAll } from './history.ts';

const SUMMED = 'summed';

const itemOf = (length: SpanLength, from: number) => `${length}#${sortableTime(from)}`;

export function createUsageSums(documents: DynamoDBDocumentClient, { table, days }: HistoryTable): UsageSums {
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

  return {
    isKept: days > 0,

    async summedTo(endpoint) {
      const Key = { endpoint, item: SUMMED };
      const { Item } = await documents.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
      return typeof Item?.to === 'number' ? Item.to : undefined;
    },

    async saveSummedTo(endpoint, to) {
      await documents.send(new PutCommand({ TableName: table, Item: { endpoint, item: SUMMED, to } }));
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
