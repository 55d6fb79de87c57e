/** The payload table: strings that are too large for the job's item, one item each, without a stream. */

import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { partitionOf } from '../../core/jobs/id.ts';
import type { JobKey } from '../../core/jobs/job.ts';
import { PayloadMissing, type Payloads } from '../../core/jobs/store.ts';

const keyOf = (key: JobKey, name: string) => ({ partition: partitionOf(key), item: `${key.id}#${name}` });

export function createPayloads(documents: DynamoDBDocumentClient, table: string): Payloads {
  return {
    async write(key, name, text, removeAfter) {
      await documents.send(new PutCommand({ TableName: table, Item: { ...keyOf(key, name), text, removeAfter } }));
    },

    async read(key, name) {
      const get = new GetCommand({ TableName: table, Key: keyOf(key, name), ConsistentRead: true });
      const { Item } = await documents.send(get);
      if (typeof Item?.text !== 'string') throw new PayloadMissing(`Job ${key.id} has lost its ${name}.`);
      return Item.text;
    },
  };
}
