/** Several conditional writes, all or none of them. */
import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../core/clock.ts';
import { SECOND } from '../core/limits.ts';

type Writes = NonNullable<TransactWriteCommandInput['TransactItems']>;

/** DynamoDB cancels a transaction that meets another one over an item, and the SDK does not send it again. */
const MEETINGS: ReadonlySet<string | undefined> = new Set(['TransactionConflict', 'ThrottlingError']);
const TRIES = 12;
const pauses = { first: 20, longest: SECOND } as const;

async function reasonsOf(documents: DynamoDBDocumentClient, TransactItems: Writes): Promise<CancellationReason[]> {
  try {
    await documents.send(new TransactWriteCommand({ TransactItems }));
    return [];
  } catch (error) {
    if (!(error instanceof TransactionCanceledException) || !error.CancellationReasons) throw error;
    return error.CancellationReasons;
  }
}

/**
 * @returns index of the first write whose condition did not hold; nothing if all were done
 * @throws if it went on meeting others
 */
export async function transact(
  documents: DynamoDBDocumentClient,
  clock: Pick<Clock, 'pause'>,
  writes: Writes,
): Promise<number | undefined> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const reasons = await reasonsOf(documents, writes);
    const refused = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
    if (refused >= 0) return refused;
    if (reasons.length === 0) return undefined;
    const other = reasons.find(({ Code }) => Code !== 'None' && !MEETINGS.has(Code));
    if (other) throw new Error(`A transaction was cancelled: ${other.Code} ${other.Message}`);
    // Those that have met would meet again if they all came at the same time.
    await clock.pause(Math.random() * Math.min(pauses.longest, pauses.first * 2 ** attempt));
  }
  throw new Error(`A transaction met others ${TRIES} times.`);
}
