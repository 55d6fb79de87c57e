/** The keys table: client keys by the hash of their secret. */

import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateScan,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../core/clock.ts';
import { type KeyRecord, type Keys, keyRecordSchema } from '../../core/keys/client-keys.ts';
import { KEY_CACHE, UNKNOWN_KEY_CACHE } from '../../core/limits.ts';
import { createCache } from '../cache.ts';
import { unlessRefused } from '../conditional-write.ts';
import { conditionExpression, exists, notExists, updateExpression } from '../expressions.ts';
import { unlessNewer } from '../readable.ts';

export function createKeys(documents: DynamoDBDocumentClient, table: string, clock: Clock): Keys {
  async function readNow(hash: string): Promise<KeyRecord | undefined> {
    const { Item } = await documents.send(new GetCommand({ TableName: table, Key: { hash }, ConsistentRead: true }));
    const item = unlessNewer(Item);
    return item && keyRecordSchema.parse(item);
  }

  return {
    async create(record) {
      const put = new PutCommand({
        TableName: table,
        Item: record,
        ...conditionExpression(notExists('hash')),
      });
      await unlessRefused(documents.send(put));
    },

    read: createCache(clock, KEY_CACHE, readNow, UNKNOWN_KEY_CACHE),

    async list() {
      const records: KeyRecord[] = [];
      for await (const { Items = [] } of paginateScan(
        { client: documents },
        { TableName: table, ConsistentRead: true },
      ))
        records.push(...Items.filter(unlessNewer).map((item) => keyRecordSchema.parse(item)));
      return records.sort((a, b) => a.createdAt - b.createdAt);
    },

    async setBudget(hash, maxDollarsPerDay) {
      const change = maxDollarsPerDay === undefined ? { remove: ['maxDollarsPerDay'] } : { set: { maxDollarsPerDay } };
      const update = new UpdateCommand({
        TableName: table,
        Key: { hash },
        // A key that was revoked meanwhile must not come back without its permissions.
        ...updateExpression({ ...change, condition: exists('hash') }),
      });
      await unlessRefused(documents.send(update));
    },

    async remove(hash) {
      await documents.send(new DeleteCommand({ TableName: table, Key: { hash } }));
    },
  };
}
