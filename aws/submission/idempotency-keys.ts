/**
 * Claims of idempotency keys, in the payload table: like payloads they go when their time is over, and no stream follows
 * them. Their partitions are no endpoint's, so that workers can neither read nor write them.
 */
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { SECOND } from '../../core/limits.ts';
import type { Claims } from '../../core/submission/idempotency.ts';
import { refusalIn } from '../conditional-write.ts';

const claimSchema = z.object({ job: z.string(), body: z.string(), expiresAt: z.number() });

export function createClaims(documents: DynamoDBDocumentClient, table: string): Claims {
  return {
    async hold(name, claim, now) {
      const put = new PutCommand({
        TableName: table,
        Item: {
          partition: `claim:${name}`,
          item: 'claim',
          ...claim,
          removeAfter: Math.ceil(claim.expiresAt / SECOND),
        },
        // DynamoDB's time-to-live is late by up to days: what has expired counts as gone.
        ConditionExpression: 'attribute_not_exists(#partition) OR expiresAt <= :now',
        ExpressionAttributeNames: { '#partition': 'partition' },
        ExpressionAttributeValues: { ':now': now },
        // The refusal tells the claim that holds: that takes no read, and no permission for one.
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        await documents.send(put);
        return claim;
      } catch (error) {
        const { item } = refusalIn(error);
        if (!item) throw error;
        return claimSchema.parse(item);
      }
    },
  };
}
