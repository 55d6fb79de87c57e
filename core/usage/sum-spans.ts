/** Sums minutes to hours, and hours to days. */
import { beginOf, mergeOf } from './read.ts';
import type { UsageSums } from './store.ts';
import { spanLengths } from './sums.ts';

/**
 * Stores the sums of the spans of this length that have ended and that have one of the times, from the next shorter spans.
 */
export async function sumSpans(
  usageSums: UsageSums,
  endpoint: string,
  length: 'hour' | 'day',
  { times, to }: { readonly times: readonly number[]; readonly to: number },
): Promise<void> {
  const part = length === 'hour' ? 'minute' : 'hour';
  for (const begin of new Set(times.map((time) => beginOf(time, length)))) {
    const end = begin + spanLengths[length];
    if (end > to) continue;
    const rows = await usageSums.read(endpoint, part, begin, end);
    if (rows.length > 0) await usageSums.saveSpan(endpoint, length, { from: begin, ...mergeOf(rows) });
  }
}
