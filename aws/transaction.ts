/** Executes several conditional writes: either all of them take place, or none. */
import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../core/clock.ts';
import { MAX_ATTEMPTS, retryPause } from './retry-pause.ts';

type Writes = NonNullable<TransactWriteCommandInput['TransactItems']>;

/**
 * Reasons for which a cancelled transaction is repeated. DynamoDB cancels a transaction that conflicts with another one,
 * and one that it throttles. The SDK does not repeat a cancelled transaction.
 */
const CONFLICTS: ReadonlySet<string | undefined> = new Set(['TransactionConflict', 'ThrottlingError']);

/** Sends the writes. Returns the reasons of their cancellation, or none if all writes took place. */
async function sendOnce(documents: DynamoDBDocumentClient, TransactItems: Writes): Promise<CancellationReason[]> {
  try {
    await documents.send(new TransactWriteCommand({ TransactItems }));
    return [];
  } catch (error) {
    if (!(error instanceof TransactionCanceledException) || !error.CancellationReasons) throw error;
    return error.CancellationReasons;
  }
}

/**
 * Executes the writes together.
 * @returns index of the first write whose condition did not hold; undefined if all writes took place
 * @throws Error if DynamoDB cancelled every attempt because of other transactions
 */
export async function transact(
  documents: DynamoDBDocumentClient,
  clock: Pick<Clock, 'pause'>,
  writes: Writes,
): Promise<number | undefined> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const reasons = await sendOnce(documents, writes);
    // A refusal is the result, also if another write of the transaction conflicted.
    const refusedIndex = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
    if (refusedIndex >= 0) return refusedIndex;
    if (reasons.length === 0) return undefined;
    const other = reasons.find(({ Code }) => Code !== 'None' && !CONFLICTS.has(Code));
    if (other) throw new Error(`A transaction was cancelled: ${other.Code} ${other.Message}`);
    await clock.pause(retryPause(attempt));
  }
  throw new Error(`A transaction conflicted with other transactions in all ${MAX_ATTEMPTS} attempts.`);
}
