/** What is stored about pools, in the endpoints table: one item for each Auto Scaling group. */

import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type PoolStates, poolStateSchema, unknownPool } from '../../core/fleet/pool.ts';
import { unlessRefused } from '../conditional-write.ts';
import { compare, conditionExpression, notExists } from '../expressions.ts';

/** Returns the key of a group's item. No endpoint id contains `#`. */
const keyOf = (group: string) => ({ endpoint: `pool#${group}`, item: 'pool' });

export function createPoolStates(documents: DynamoDBDocumentClient, table: string): PoolStates {
  return {
    async read(group) {
      const get = new GetCommand({ TableName: table, Key: keyOf(group), ConsistentRead: true });
      const { Item } = await documents.send(get);
      return Item ? poolStateSchema.parse(Item) : unknownPool;
    },

    async save(group, { version, ...state }) {
      const put = new PutCommand({
        TableName: table,
        Item: { ...keyOf(group), ...state, version: version + 1 },
        ...conditionExpression(version === 0 ? notExists('version') : compare('version', '=', version)),
      });
      // If the response to an earlier attempt was lost, the caller stops as it does after a conflict. A later call
      // continues.
      return unlessRefused(documents.send(put));
    },
  };
}
