/**
 * The counters of endpoints, in the endpoints table: one item per partition of the jobs table. The stream hands over the
 * changes of a partition in order, so the last one that was added says which others were.
 */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { endpointOf } from '../core/jobs/partition.ts';
import { counterNames, type SequencedTally, sumOf, type Tally } from '../core/ledger/tally.ts';
import type { Ledger } from '../core/world.ts';
import { unlessRefused } from './conditional-write.ts';

const PREFIX = 'counters#';

export const isCounters = ({ item }: Record<string, unknown>): boolean => String(item).startsWith(PREFIX);

const keyOf = (partition: string) => ({ endpoint: endpointOf(partition), item: `${PREFIX}${partition}` });

/** `ADD` of what is not zero: an item that is not there yet counts from zero. */
function addition(tally: Tally) {
  const changed = counterNames.filter((name) => tally[name] !== 0);
  return {
    clause: changed.length > 0 ? ` ADD ${changed.map((name) => `${name} :${name}`).join(', ')}` : '',
    values: Object.fromEntries(changed.map((name) => [`:${name}`, tally[name]])),
  };
}

export function createLedger(documents: DynamoDBDocumentClient, table: string): Ledger {
  /** @returns the last sequence that was added, if that is not before all of these */
  async function addAfter(partition: string, tallies: readonly SequencedTally[]): Promise<string | undefined> {
    const { clause, values } = addition(sumOf(tallies.map(({ tally }) => tally)));
    const update = new UpdateCommand({
      TableName: table,
      Key: keyOf(partition),
      UpdateExpression: `SET lastSequence = :last${clause}`,
      ConditionExpression: 'attribute_not_exists(lastSequence) OR lastSequence < :first',
      ExpressionAttributeValues: {
        ...values,
        ':first': tallies[0]?.sequence,
        ':last': tallies.at(-1)?.sequence,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await documents.send(update);
      return undefined;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException) || !error.Item) throw error;
      return String(unmarshall(error.Item).lastSequence);
    }
  }

  return {
    async add(partition, tallies) {
      let left = tallies;
      while (left.length > 0) {
        const last = await addAfter(partition, left);
        if (last === undefined) return;
        left = left.filter(({ sequence }) => sequence > last);
      }
    },

    correct({ id, audit }, missing, now) {
      const { clause, values } = addition(missing);
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
              ExpressionAttributeValues: { ':audit': { auditedAt: now }, ':before': audit?.auditedAt ?? 0 },
            },
          },
          {
            Update: {
              TableName: table,
              Key: { endpoint: id, item: `${PREFIX}corrections` },
              UpdateExpression: clause.trim(),
              ExpressionAttributeValues: values,
            },
          },
        ],
      });
      return unlessRefused(documents.send(transaction));
    },
  };
}
