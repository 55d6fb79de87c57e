/**
 * Counters of calls, in the endpoints table: one item for each endpoint, operation and kind of caller, with the
 * current window.
 */
import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { RATE_WINDOW } from '../../core/limits.ts';
import type { CallCounts, CountedCall } from '../../core/rates/call-limit.ts';
import { refusalIn, unlessRefused } from '../conditional-write.ts';
import { type DocumentClient, UpdateCommand } from '../services/dynamodb.ts';

/**
 * Maximum number of attempts to count a call. If two calls find that the window is over, one starts the next window
 * and the other counts in it.
 */
const TRIES = 3;

export function createCallCounts(documents: DocumentClient, table: string): CallCounts {
  /** Start of the last known window of each counter. With it, most calls need only one write. */
  const windows = new Map<string, number>();

  const update = ({ endpoint, operation, caller }: CountedCall, input: Omit<UpdateCommandInput, 'TableName' | 'Key'>) =>
    documents.send(
      new UpdateCommand({
        TableName: table,
        Key: { endpoint, item: `calls#${operation}${caller === 'user' ? '#console' : ''}` },
        ExpressionAttributeNames: { '#began': 'began', '#calls': 'calls' },
        ...input,
      }),
    );

  const begin = (call: CountedCall) =>
    unlessRefused(
      update(call, {
        UpdateExpression: 'SET #began = :now, #calls = :one',
        ConditionExpression: 'attribute_not_exists(#began) OR #began <= :over',
        ExpressionAttributeValues: { ':now': call.now, ':one': 1, ':over': call.now - RATE_WINDOW },
      }),
    );

  /**
   * Counts the call in the current window.
   * @returns the start of the window, and whether the call counts
   */
  async function add(call: CountedCall): Promise<{ readonly began: number; readonly isCounted: boolean }> {
    try {
      const { Attributes } = await update(call, {
        UpdateExpression: 'SET #calls = #calls + :one',
        ConditionExpression: '#began > :over AND #calls < :most',
        ExpressionAttributeValues: { ':one': 1, ':over': call.now - RATE_WINDOW, ':most': call.most },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      return { began: Number(Attributes?.began), isCounted: true };
    } catch (error) {
      const { item, repeated } = refusalIn(error);
      // An earlier attempt, whose response was lost, might have taken the last call of the window.
      return { began: Number(item?.began), isCounted: repeated };
    }
  }

  return {
    async count(call) {
      const name = `${call.endpoint} ${call.operation} ${call.caller}`;
      const over = call.now - RATE_WINDOW;
      for (let tries = 0; tries < TRIES; tries += 1) {
        const isKnown = (windows.get(name) ?? over) > over;
        if (!isKnown && (await begin(call))) {
          windows.set(name, call.now);
          return undefined;
        }
        const { began, isCounted } = await add(call);
        windows.set(name, began);
        if (isCounted) return undefined;
        if (began > over) return began + RATE_WINDOW;
      }
      throw new Error(`The counter of ${name} started ${TRIES} windows during one call.`);
    },
  };
}
