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
    KeyConditionExpression: 'endpoint = :endpoint AND begins_with(#item, :prefix)',
    ExpressionAttributeNames: { '#item': 'item' },
    ExpressionAttributeValues: { ':endpoint': endpoint, ':prefix': PREFIX },
    ConsistentRead: true,
  });
  const { Items: all = [] } = await documents.send(query);
  return { all, byPartition: new Map(all.map((item) => [String(item.item).slice(PREFIX.length), item])) };
}

/** Returns an `ADD` clause for the nonzero changes. `ADD` starts at zero if an attribute is missing. */
function addition(delta: Counters) {
  const changed = Object.entries(delta).filter(([, change]) => change !== 0);
  return {
    clause: changed.length > 0 ? ` ADD ${changed.map((_, n) => `#c${n} :c${n}`).join(', ')}` : '',
    // DynamoDB does not accept an empty map of names.
    names: changed.length > 0 ? Object.fromEntries(changed.map(([name], n) => [`#c${n}`, name])) : undefined,
    values: Object.fromEntries(changed.map(([, change], n) => [`:c${n}`, change])),
  };
}

export function createLedger(documents: DynamoDBDocumentClient, table: string): Ledger {
  return {
    async add(partition, changes) {
      const { clause, names, values } = addition(sumOf(changes.map(({ delta }) => delta)));
      const sequence = changes.at(-1)?.sequence ?? '';
      const change = { sequence, arrivals: arrivalsSum(changes.map(({ arrivals }) => arrivals)) };
      const isChange = Object.keys(change.arrivals).length > 0;
      const update = new UpdateCommand({
        TableName: table,
        Key: keyOf(partition),
        UpdateExpression: `SET lastSequence = :last${isChange ? ', arrivals = :arrivals' : ' REMOVE arrivals'}${clause}`,
        ConditionExpression: 'attribute_not_exists(lastSequence) OR lastSequence < :first',
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: {
          ...values,
          ':first': changes[0]?.sequence,
          ':last': sequence,
          ...(isChange && { ':arrivals': change }),
        },
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
          UpdateExpression: `REMOVE ${counters.map((_, n) => `#c${n}`).join(', ')}`,
          // Without this condition, the update would create a missing item.
          ConditionExpression: 'attribute_exists(#item)',
          ExpressionAttributeNames: {
            '#item': 'item',
            ...Object.fromEntries(counters.map((name, n) => [`#c${n}`, name])),
          },
        });
        await unlessRefused(documents.send(remove));
      }
    },

    correct({ id, reconciliation }, missing, now) {
      const { clause, names, values } = addition(missing);
      // A transaction, because a crash between two writes would apply the correction twice.
      const transaction = new TransactWriteCommand({
        TransactItems: [
          {
            Update: {
              TableName: table,
              Key: { endpoint: id, item: 'state' },
              UpdateExpression: 'SET #audit = :audit',
              ConditionExpression: '#audit.auditedAt = :before',
              ExpressionAttributeNames: { '#audit': 'audit' },
              ExpressionAttributeValues: { ':audit': { auditedAt: now }, ':before': reconciliation?.auditedAt ?? 0 },
            },
          },
          {
            Update: {
              TableName: table,
              Key: { endpoint: id, item: CORRECTIONS },
              UpdateExpression: clause.trim(),
              ExpressionAttributeNames: names,
              ExpressionAttributeValues: values,
            },
          },
        ],
      });
      return unlessRefused(documents.send(transaction));
    },
  };
}
