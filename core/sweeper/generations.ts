import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Ledger } from '../ledger/store.ts';

/** DynamoDB bounds the length of an update; what is over this waits for the next sweep. */
const MOST = 100;

/**
 * Removes the counters of generations that a purge has ended: nobody asks for them any more. Jobs of them that are stored
 * as purged later bring a counter back, below zero, until the next sweep.
 */
export async function sweepGenerations(
  { ledger }: { readonly ledger: Ledger },
  { id, purgedCounters }: Endpoint,
): Promise<void> {
  if (purgedCounters.length > 0) await ledger.forget(id, purgedCounters.slice(0, MOST));
}
