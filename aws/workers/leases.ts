/** The workers table: one lease per worker of an endpoint. */

import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../core/clock.ts';
import { ENDPOINT_CACHE } from '../../core/limits.ts';
import type { OnUnreadable } from '../../core/stored-items/unreadable.ts';
import { type Lease, leaseSchema, type Workers } from '../../core/workers/lease.ts';
import { createCache } from '../cache.ts';
import { unlessRefused } from '../conditional-write.ts';
import { compare, conditionExpression, notExists, or, queryExpression } from '../expressions.ts';
import { readItem, valueIn } from '../readable.ts';

/**
 * Stores the leases of workers in DynamoDB.
 * @param onUnreadable called with each invalid item, which the list omits
 */
export function createWorkers(
  documents: DynamoDBDocumentClient,
  table: string,
  clock: Clock,
  onUnreadable?: OnUnreadable,
): Workers {
  function leaseFrom(endpoint: string, item: Record<string, unknown>): Lease[] {
    const read = readItem(leaseSchema, item);
    if ('value' in read) return [read.value];
    const { reason } = read;
    onUnreadable?.({ table: 'workers', partition: endpoint, name: String(item.worker), endpoint, reason });
    return [];
  }

  async function read(endpoint: string, consistent: boolean): Promise<Lease[]> {
    const leases: Lease[] = [];
    const query = {
      TableName: table,
      ...queryExpression(compare('endpoint', '=', endpoint)),
      ConsistentRead: consistent,
    };
    for await (const { Items = [] } of paginateQuery({ client: documents }, query))
      leases.push(...Items.flatMap((item) => leaseFrom(endpoint, item)));
    return leases;
  }

  const list = (endpoint: string) => read(endpoint, false);

  return {
    async beat(lease) {
      const put = new PutCommand({
        TableName: table,
        Item: lease,
        // A delayed write must not overwrite the jobs that the worker has taken since.
        ...conditionExpression(or(notExists('endsAt'), compare('endsAt', '<=', lease.endsAt))),
      });
      await unlessRefused(documents.send(put));
    },

    async read(endpoint, worker) {
      const get = new GetCommand({ TableName: table, Key: { endpoint, worker }, ConsistentRead: true });
      const { Item } = await documents.send(get);
      return Item && valueIn(readItem(leaseSchema, Item));
    },

    list,
    listNow: (endpoint) => read(endpoint, true),
    listLately: createCache(clock, ENDPOINT_CACHE, list),

    async forget({ endpoint, worker, endsAt }) {
      const remove = new DeleteCommand({
        TableName: table,
        Key: { endpoint, worker },
        ...conditionExpression(compare('endsAt', '<=', endsAt)),
      });
      await unlessRefused(documents.send(remove));
    },

    async remove(endpoint, worker) {
      await documents.send(new DeleteCommand({ TableName: table, Key: { endpoint, worker } }));
    },
  };
}
