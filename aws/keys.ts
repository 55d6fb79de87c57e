/** The keys table: client keys by the hash of their secret. */
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../core/clock.ts';
import { keyRecordSchema } from '../core/keys/key.ts';
import { KEY_CACHE } from '../core/limits.ts';
import type { Keys } from '../core/world.ts';
import { createCache } from './cache.ts';

export function createKeys(documents: DynamoDBDocumentClient, table: string, clock: Clock): Keys {
  return {
    async create(record) {
      const put = new PutCommand({
        TableName: table,
        Item: record,
        ConditionExpression: 'attribute_not_exists(#hash)',
        ExpressionAttributeNames: { '#hash': 'hash' },
      });
      await documents.send(put);
    },

    read: createCache(clock, KEY_CACHE, async (hash: string) => {
      const { Item } = await documents.send(new GetCommand({ TableName: table, Key: { hash }, ConsistentRead: true }));
      return Item && keyRecordSchema.parse(Item);
    }),
  };
}
