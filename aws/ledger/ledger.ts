/**
 * The counters of endpoints, in the endpoints table: one item for each partition of the jobs table. The stream
 * delivers the changes of a partition in order, so the last sequence number that was added covers all earlier
 * changes. The item also contains the last batch's changes for `arrivals.ts` until the next batch, in case the
 * process dies before it adds them to the arrivals table.
 */

import { type DynamoDBDocumentClient, QueryCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Counters, sumOf } from '../../core/endpoints/counts.ts';
import { endpointOf, partitionsOf } from '../../core/jobs/id.ts';
import { arrivalChangeSchema, arrivalsSum } from '../../core/ledger/arrivals.ts';
import type { Ledger } from '../../core/ledger/store.ts';
import { refusalIn, unlessRefused } from '../conditional-write.ts';
import {
  and,
  beginsWith,
  compare,
  exists,
  notExists,
  or,
  path,
  queryExpression,
  updateExpression,
} from '../expressions.ts';

const PREFIX = 'counters#';
/** The item with the corrections of reconciliation. It belongs to no partition. */
const CORRECTIONS = `${PREFIX}corrections`;

export const isCounters = ({ item }: Record<string, unknown>): boolean => String(item).startsWith(PREFIX);

const keyOf = (partition: string) => ({ endpoint: endpointOf(partition), item: `${PREFIX}${partition}` });

type Item = Readonly<Record<string, unknown>>;

/** Reads the counters of an endpoint, strongly consistent: those of each partition, and all with the corrections. */
export async function readCounters(
  documents: DynamoDBDocumentClient,
  table: string,
  endpoint: string,
): Promise<{ readonly byPartition: ReadonlyMap<string, Item>; readonly all: readonly Item[] }> {
  const query = new QueryCommand({
    TableName: table,
    ...queryExpression(and(compare('endpoint', '=', endpoint), beginsWith('item', PREFIX))),
    ConsistentRead: true,
  });
  const { Items: all = [] } = await documents.send(query);
  return { all, byPartition: new Map(all.map((item) => [String(item.item).slice(PREFIX.length), item])) };
}

const withoutZeros = (delta: Counters) =>
  Object.fromEntries(Object.entries(delta).filter(([, change]) => change !== 0));

export function createLedger(documents: DynamoDBDocumentClient, table: string): Ledger {
  return {
    async add(partition, changes) {
      const sequence = changes.at(-1)?.sequence ?? '';
      const change = { sequence, arrivals: arrivalsSum(changes.map(({ arrivals }) => arrivals)) };
      const isChange = Object.keys(change.arrivals).length > 0;
      const update = new UpdateCommand({
        TableName: table,
        Key: keyOf(partition),
        ...updateExpression({
          set: { lastSequence: sequence, arrivals: isChange ? change : undefined },
          add: withoutZeros(sumOf(changes.map(({ delta }) => delta))),
          condition: or(notExists('lastSequence'), compare('lastSequence', '<', changes[0]?.sequence)),
        }),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        await documents.send(update);
        return { left: [], ...(isChange && { arrivals: change }) };
      } catch (error) {
        const { item } = refusalIn(error);
        if (!item) throw error;
        const left = changes.filter(({ sequence: at }) => at > String(item.lastSequence));
        return { left, arrivals: arrivalChangeSchema.parse(item.arrivals) };
      }
    },

    async forget(endpoint, counters) {
      const items = [...partitionsOf(endpoint).map((partition) => `${PREFIX}${partition}`), CORRECTIONS];
      for (const item of items) {
        const remove = new UpdateCommand({
          TableName: table,
          Key: { endpoint, item },
          // Without this condition, the update would create a missing item.
          ...updateExpression({ remove: counters, condition: exists('item') }),
        });
        await unlessRefused(documents.send(remove));
      }
    },

    correct({ id, reconciliation }, missing, now) {
      // A transaction, because a crash between two writes would apply the correction twice.
      const transaction = new TransactWriteCommand({
        TransactItems: [
          {
            Update: {
              TableName: table,
              Key: { endpoint: id, item: 'state' },
              ...updateExpression({
                set: { audit: { auditedAt: now } },
                condition: compare(path('audit', 'auditedAt'), '=', reconciliation?.auditedAt ?? 0),
              }),
            },
          },
          {
            Update: {
              TableName: table,
              Key: { endpoint: id, item: CORRECTIONS },
              ...updateExpression({ add: withoutZeros(missing) }),
            },
          },
        ],
      });
      return unlessRefused(documents.send(transaction));
    },
  };
}
