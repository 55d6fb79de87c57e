/**
 * The deadlines table: the jobs and deliveries of an endpoint that are due in each minute. The sort key begins with
 * the minute.
 */

import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Deadlines, Due } from '../../core/expiry/due.ts';
import type { DeliveryKey } from '../../core/jobs/delivery-key.ts';
import { removeAfterEnd } from '../../core/jobs/ending.ts';
import { MINUTE } from '../../core/limits.ts';
import { and, compare, queryExpression } from '../expressions.ts';

/** Number of entries in one read. With small reads, a reader that stops early has read few unneeded entries. */
const PAGE = 50;

/**
 * Minutes since the epoch have 8 digits until the year 2160. Leading zeros make the order of strings match the order
 * of numbers.
 */
const inOrder = (minute: number) => String(minute).padStart(9, '0');

/** Returns the attribute with the deliveries, each as `<job>#<completion>`. */
function deliveriesIn(dues: readonly Due[]) {
  const deliveries = dues.flatMap(({ job, completion }) => (completion === undefined ? [] : [`${job}#${completion}`]));
  return deliveries.length > 0 && { deliveries };
}

function deliveryFrom(endpoint: string, stored: string): DeliveryKey {
  const [id = '', completion] = stored.split('#');
  return { endpoint, id, completion: Number(completion) };
}

const texts = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : []);

export function createDeadlines(documents: DynamoDBDocumentClient, table: string): Deadlines {
  return {
    async save(endpoint, batch, dues) {
      for (const [minute, together] of Map.groupBy(dues, (due) => due.minute)) {
        const put = new PutCommand({
          TableName: table,
          Item: {
            endpoint,
            due: `${inOrder(minute)}#${batch}`,
            jobs: together.flatMap(({ job, completion }) => (completion === undefined ? [job] : [])),
            ...deliveriesIn(together),
            removeAfter: removeAfterEnd(minute * MINUTE),
          },
        });
        await documents.send(put);
      }
    },

    async *due(endpoint, now) {
      const next = inOrder(Math.floor(now / MINUTE) + 1);
      const query = {
        TableName: table,
        ...queryExpression(and(compare('endpoint', '=', endpoint), compare('due', '<', next))),
        ConsistentRead: true,
      };
      for await (const { Items = [] } of paginateQuery({ client: documents, pageSize: PAGE }, query))
        for (const { due, jobs, deliveries } of Items)
          yield {
            endpoint,
            due: String(due),
            minute: Number.parseInt(String(due), 10),
            jobs: texts(jobs),
            deliveries: texts(deliveries).map((stored) => deliveryFrom(endpoint, stored)),
          };
    },

    async forget({ endpoint, due }) {
      await documents.send(new DeleteCommand({ TableName: table, Key: { endpoint, due } }));
    },
  };
}
