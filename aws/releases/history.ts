/** The releases table: one item for each release of an endpoint. The sort key begins with a revision number. */

import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../core/clock.ts';
import { releaseRecordSchema } from '../../core/endpoints/release-summary.ts';
import { RELEASES_KEPT, SECOND } from '../../core/limits.ts';
import type { ReleaseHistory } from '../../core/releases/history.ts';
import { unlessRefused } from '../conditional-write.ts';
import {
  and,
  compare,
  conditionExpression,
  exists,
  ifNotExists,
  notExists,
  queryExpression,
  updateExpression,
} from '../expressions.ts';

export function createReleaseHistory(documents: DynamoDBDocumentClient, table: string, clock: Clock): ReleaseHistory {
  const TableName = table;
  const removeAfter = () => Math.ceil((clock.now() + RELEASES_KEPT) / SECOND);

  return {
    async begin(endpoint, { key, record }) {
      const Item = { endpoint, release: key, ...record };
      const absent = conditionExpression(notExists('release'));
      await unlessRefused(documents.send(new PutCommand({ TableName, Item, ...absent })));
    },

    async end(endpoint, { key, record }) {
      const kept = record.state === 'COMPLETED' ? {} : { removeAfter: removeAfter() };
      await documents.send(new PutCommand({ TableName, Item: { endpoint, release: key, ...record, ...kept } }));
    },

    async retire(endpoint, key) {
      const update = new UpdateCommand({
        TableName,
        Key: { endpoint, release: key },
        ...updateExpression({
          set: { removeAfter: ifNotExists('removeAfter', removeAfter()) },
          condition: exists('release'),
        }),
      });
      await unlessRefused(documents.send(update));
    },

    async read(endpoint, key) {
      const command = new GetCommand({ TableName, Key: { endpoint, release: key } });
      const { Item } = await documents.send(command);
      return Item && releaseRecordSchema.parse(Item);
    },

    async *list(endpoint, before) {
      const ofEndpoint = compare('endpoint', '=', endpoint);
      const key = before === undefined ? ofEndpoint : and(ofEndpoint, compare('release', '<', before));
      const query = {
        TableName,
        ...queryExpression(key),
        ScanIndexForward: false,
      };
      for await (const { Items = [] } of paginateQuery({ client: documents }, query))
        for (const item of Items) yield { key: String(item.release), record: releaseRecordSchema.parse(item) };
    },
  };
}
