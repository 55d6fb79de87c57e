/** The items `published` of the history table: which events of an endpoint were sent to EventBridge. */
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { PublishedMarks } from '../../core/event-bus/publish.ts';
import { updateExpression } from '../expressions.ts';
import { readItem, valueIn } from '../readable.ts';

const publishedSchema = z.object({ to: z.number(), sent: z.array(z.string()) });

const ITEM = 'published';

export const createPublishedMarks = (documents: DynamoDBDocumentClient, table: string): PublishedMarks => ({
  async read(endpoint) {
    const get = new GetCommand({ TableName: table, Key: { endpoint, item: ITEM }, ConsistentRead: true });
    const { Item } = await documents.send(get);
    return Item && valueIn(readItem(publishedSchema, Item));
  },

  async save(endpoint, published) {
    const Key = { endpoint, item: ITEM };
    await documents.send(new UpdateCommand({ TableName: table, Key, ...updateExpression({ set: { ...published } }) }));
  },
});
