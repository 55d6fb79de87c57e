/**
 * The counters of endpoints, in the endpoints table: one item per partition of the jobs table. The stream hands over the
 * changes of a partition in order, so the last one that was added says which others were. Beside it stands what the
 * last batch changed in `arrivals.ts`, until the next one: the process that added it may have died in between.
 */
import { type DynamoDBDocumentClient, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Counters, sumOf } from '../../core/endpoints/counts.ts';
import { endpointOf, partitionsOf } from '../../core/jobs/id.ts';
import { arrivalChangeSchema, arrivalsSum } from '../../core/ledger/arrivals.ts';
import type { Ledger } from '../../core/ledger/store.ts';
import { refusalIn, unlessRefused } from '../conditional-write.ts';

const PREFIX = 'counters#';
/** The item of the differences that reconciliation found, in no partition. */
const CORRECTIONS = `${PREFIX}corrections`;

export const isCounters = ({ item }: Record<string, unknown>): boolean => String(item).startsWith(PREFIX);

const keyOf = (partition: string) => ({ endpoint: endpointOf(partition), item: `${PREFIX}${partition}` });

/** `ADD` of what is not zero: an item that is not there yet counts from zero. */
function addition(delta: Counters) {
  const changed = Object.entries(delta).filter(([, change]) => change !== 0);
  return {
    clause: changed.length > 0 ? ` ADD ${changed.map((_, n) => `#c${n} :c${n}`).join(', ')}` : '',
    // DynamoDB takes no map without names.
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
          // An update of an item that is not there would make one.
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
      // Both or neither, or a crash in between would mend the counters twice.
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
