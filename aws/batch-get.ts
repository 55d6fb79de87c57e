/** Reads many items of a table by their keys. */

import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../core/clock.ts';
import { MAX_ATTEMPTS, retryPause } from './retry-pause.ts';

type Item = Readonly<Record<string, unknown>>;

/** Maximum number of keys in a call of DynamoDB. */
const KEYS_PER_READ = 100;

export interface BatchGet {
  readonly table: string;
  /** Each key once. */
  readonly keys: readonly Item[];
  /** Returns what the error calls a number of unread items, such as `the run time of 2 templates`. */
  readonly what: (unread: number) => string;
  readonly ConsistentRead?: true;
}

/**
 * Returns the items that exist, in any order.
 * @throws Error if DynamoDB leaves keys unread in each of `MAX_ATTEMPTS` attempts
 */
export async function batchGet(
  documents: DynamoDBDocumentClient,
  clock: Clock,
  { table, keys, what, ...options }: BatchGet,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let n = 0; n < keys.length; n += KEYS_PER_READ) {
    let unread: Record<string, unknown>[] = keys.slice(n, n + KEYS_PER_READ).map((key) => ({ ...key }));
    for (let attempt = 0; unread.length > 0; attempt += 1) {
      if (attempt === MAX_ATTEMPTS)
        throw new Error(`DynamoDB did not read ${what(unread.length)} in ${MAX_ATTEMPTS} attempts.`);
      if (attempt > 0) await clock.pause(retryPause(attempt - 1));
      const read = new BatchGetCommand({ RequestItems: { [table]: { Keys: unread, ...options } } });
      const { Responses = {}, UnprocessedKeys = {} } = await documents.send(read);
      items.push(...(Responses[table] ?? []));
      // DynamoDB leaves keys unread if it throttles the table. The SDK does not repeat them.
      unread = UnprocessedKeys[table]?.Keys ?? [];
    }
  }
  return items;
}
