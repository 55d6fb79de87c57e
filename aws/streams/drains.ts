/**
 * Positions up to which the streams of jobs were returned to readers, in the payload table: one item for each job
 * whose stream is drained.
 */

import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { partitionOf } from '../../core/jobs/id.ts';
import type { JobKey } from '../../core/jobs/job.ts';
import { LAST_CHUNK } from '../../core/streams/chunk.ts';
import type { Drains } from '../../core/streams/store.ts';
import { unlessRefused } from '../conditional-write.ts';
import { and, compare, notExists, or, updateExpression } from '../expressions.ts';
import { readItem, valueIn } from '../readable.ts';

const givenSchema = z.int().check(z.gte(0), z.lte(LAST_CHUNK));

const keyOf = (key: JobKey) => ({ partition: partitionOf(key), item: `${key.id}#drained` });

export function createDrains(documents: DynamoDBDocumentClient, table: string): Drains {
  return {
    async read(key, attempt) {
      const get = new GetCommand({ TableName: table, Key: keyOf(key), ConsistentRead: true });
      const { Item } = await documents.send(get);
      const given = Item?.attempt === attempt ? valueIn(readItem(givenSchema, Item.given)) : undefined;
      return given ?? 0;
    },

    async set(key, attempt, next, removeAfter) {
      const update = new UpdateCommand({
        TableName: table,
        Key: keyOf(key),
        ...updateExpression({
          set: { attempt, given: next, removeAfter },
          condition: or(
            notExists('attempt'),
            compare('attempt', '<', attempt),
            and(compare('attempt', '=', attempt), compare('given', '<', next)),
          ),
        }),
      });
      await unlessRefused(documents.send(update));
    },
  };
}
