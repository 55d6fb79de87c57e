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

/** Aliases of attributes whose names are reserved words of DynamoDB. */
const ofRelease = { ExpressionAttributeNames: { '#release': 'release' } };

export function createReleaseHistory(documents: DynamoDBDocumentClient, table: string, clock: Clock): ReleaseHistory {
  const TableName = table;
  const removeAfter = () => Math.ceil((clock.now() + RELEASES_KEPT) / SECOND);

  return {
    async begin(endpoint, { key, record }) {
      const Item = { endpoint, release: key, ...record };
      const unlessThere = { ConditionExpression: 'attribute_not_exists(#release)', ...ofRelease };
      await unlessRefused(documents.send(new PutCommand({ TableName, Item, ...unlessThere })));
    },

    async end(endpoint, { key, record }) {
      const kept = record.state === 'COMPLETED' ? {} : { removeAfter: removeAfter() };
      await documents.send(new PutCommand({ TableName, Item: { endpoint, release: key, ...record, ...kept } }));
    },

    async retire(endpoint, key) {
      const update = new UpdateCommand({
        TableName,
        Key: { endpoint, release: key },
        UpdateExpression: 'SET removeAfter = if_not_exists(removeAfter, :removeAfter)',
        ConditionExpression: 'attribute_exists(#release)',
        ExpressionAttributeValues: { ':removeAfter': removeAfter() },
        ...ofRelease,
      });
      await unlessRefused(documents.send(update));
    },

    async read(endpoint, key) {
      const command = new GetCommand({ TableName, Key: { endpoint, release: key } });
      const { Item } = await documents.send(command);
      return Item && releaseRecordSchema.parse(Item);
    },

    async *list(endpoint, before) {
      const query = {
        TableName,
        KeyConditionExpression:
          before === undefined ? 'endpoint = :endpoint' : 'endpoint = :endpoint AND #release < :before',
        ExpressionAttributeValues: { ':endpoint': endpoint, ...(before !== undefined && { ':before': before }) },
        ...(before !== undefined && ofRelease),
        ScanIndexForward: false,
      };
      for await (const { Items = [] } of paginateQuery({ client: documents }, query))
        for (const item of Items) yield { key: String(item.release), record: releaseRecordSchema.parse(item) };
    },
  };
}
