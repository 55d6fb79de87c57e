/** Executes several conditional writes: either all of them take place, or none. */
import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../core/clock.ts';
import { SECOND } from '../core/limits.ts';

type Writes = NonNullable<TransactWriteCommandInput['TransactItems']>;

/**
 * Reasons for which a cancelled transaction is repeated. DynamoDB cancels a transaction that conflicts with another
 * transaction, and the SDK does not repeat a cancelled transaction.
 */
const CONFLICTS: ReadonlySet<string | undefined> = new Set(['TransactionConflict', 'ThrottlingError']);
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
 * @returns index of the first write whose condition did not hold; undefined if all writes took place
 * @throws Error if every attempt conflicted with other transactions
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
    const other = reasons.find(({ Code }) => Code !== 'None' && !CONFLICTS.has(Code));
    if (other) throw new Error(`A transaction was cancelled: ${other.Code} ${other.Message}`);
    // A random delay, because transactions that conflicted would conflict again if they were repeated at the same
    // time.
    await clock.pause(Math.random() * Math.min(pauses.longest, pauses.first * 2 ** attempt));
  }
  throw new Error(`A transaction conflicted with others ${TRIES} times.`);
}
