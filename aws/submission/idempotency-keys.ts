/**
 * Idempotency keys, in the payload table: like payloads, they are removed after they expire, and the table has no
 * stream. Their partitions belong to no endpoint, so that workers can neither read nor write them.
 */

import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { SECOND } from '../../core/limits.ts';
import type { IdempotencyKeys } from '../../core/submission/idempotency.ts';
import { refusalIn } from '../conditional-write.ts';
import { compare, conditionExpression, notExists, or } from '../expressions.ts';

const useSchema = z.object({ job: z.string(), body: z.string(), expiresAt: z.number() });

export function createIdempotencyKeys(documents: DynamoDBDocumentClient, table: string): IdempotencyKeys {
  return {
    async hold(name, use, now) {
      const put = new PutCommand({
        TableName: table,
        Item: {
          partition: `claim:${name}`,
          item: 'claim',
          ...use,
          removeAfter: Math.ceil(use.expiresAt / SECOND),
        },
        // DynamoDB can remove expired items days late, so an expired item counts as removed.
        ...conditionExpression(or(notExists('partition'), compare('expiresAt', '<=', now))),
        // The refusal returns the stored item, so no read and no permission to read is needed.
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        await documents.send(put);
        return use;
      } catch (error) {
        const { item } = refusalIn(error);
        if (!item) throw error;
        return useSchema.parse(item);
      }
    },
  };
}
