/** Corrects the sums of an endpoint after what is added to its history late. */
import type { Clock } from '../clock.ts';
import type { LateFact } from '../history/late-fact.ts';
import { DAY, HOUR, MINUTE } from '../limits.ts';
import { ADDED_LATE, CORRECTED_BEFORE } from './limits.ts';
import { beginOf } from './read.ts';
import type { UsageSums } from './store.ts';

/**
 * Lets the next sum of the endpoint repeat the minutes that have been summed without the facts, which are in the history
 * now. A repeated call changes nothing else: a sum stores what the history says, and never adds to an earlier sum.
 */
export async function correctSums(
  { clock, usageSums }: { readonly clock: Clock; readonly usageSums: Pick<UsageSums, 'isKept' | 'repeatFrom'> },
  endpoint: string,
  facts: readonly LateFact[],
): Promise<void> {
  const now = clock.now();
  const late = facts.filter(({ at }) => now >= beginOf(at, 'minute') + MINUTE + ADDED_LATE);
  if (!usageSums.isKept || late.length === 0) return;
  // Minutes before the end lack the run too, if they were summed after it.
  const begins = late.map(({ at, from = at }) => Math.max(from, at - CORRECTED_BEFORE));
  // The stream of the jobs table keeps changes for a day. Minutes are kept longer.
  const first = Math.max(Math.min(...begins), now - DAY - HOUR);
  await usageSums.repeatFrom(endpoint, beginOf(first, 'minute'));
}
