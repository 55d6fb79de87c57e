/** What an endpoint has cost since the begin of the day, until now. */
import type { Endpoint } from '../endpoints/endpoint.ts';
import { dayOf } from '../endpoints/spending.ts';
import type { Lease } from '../workers/lease.ts';
import { mergeOf, readSpans, readSummedTo } from './read.ts';
import { factsSince, type SumPorts, sumsIn } from './sum.ts';

export interface Spent {
  readonly dollars: number;
  /** The shares of API keys by id, and of users by `user ` and their names. */
  readonly payers: ReadonlyMap<string, number>;
}

/**
 * Returns what the endpoint has cost since the begin of the day (UTC).
 *
 * Input: the endpoint, and the leases of its workers.
 *  1. Read the stored sums of the day, which end about two minutes ago.
 *  2. Add the time from then until now: the workers that live, the jobs that they run, and the jobs that have ended. A
 *     job whose end the ledger has not stored yet counts for the endpoint, and for its key a few seconds later.
 */
export async function spentToday(ports: SumPorts, endpoint: Endpoint, leases: readonly Lease[]): Promise<Spent> {
  const now = ports.clock.now();
  const day = dayOf(now);
  const summedTo = await readSummedTo(ports, endpoint.id);
  const from = Math.max(day, summedTo);
  const [rows, { facts }] = await Promise.all([
    readSpans(ports.usageSums, endpoint.id, 'day', { from: day, to: from, summedTo }),
    factsSince(ports, endpoint, leases, { from, isConsistent: true }),
  ]);
  const parts = [mergeOf(rows).sums, sumsIn({ from, to: now }, facts)];
  const payers = new Map<string, number>();
  for (const [payer, { dollars }] of parts.flatMap((sums) => Object.entries(sums.payers)))
    payers.set(payer, (payers.get(payer) ?? 0) + dollars);
  const dollars = parts.reduce((sum, { dollars: { busy, idle, starting } }) => sum + busy + idle + starting, 0);
  return { dollars, payers };
}
