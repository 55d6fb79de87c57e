/** Reads the sums of an endpoint, with those of the spans that have not ended. */
import type { Clock } from '../clock.ts';
import { QUIET_EVERY, SUM_DELAY } from './limits.ts';
import type { UsageSums } from './store.ts';
import { type SpanLength, type SpanRow, spanLengths, sumOfSamples, sumOfSums } from './sums.ts';

const shorter = { hour: 'minute', day: 'hour' } as const;

/** Returns the begin of the span of this time. */
export const beginOf = (time: number, length: SpanLength): number => time - (time % spanLengths[length]);

/** Returns up to when the endpoint is summed. Nothing of an endpoint without a sum is older than its first sum will be. */
export async function readSummedTo(
  { clock, usageSums }: { readonly clock: Clock; readonly usageSums: Pick<UsageSums, 'summed'> },
  endpoint: string,
): Promise<number> {
  const summed = await usageSums.summed(endpoint);
  return summed?.to ?? beginOf(clock.now() - SUM_DELAY - QUIET_EVERY, 'minute');
}

/** Returns the sums of the rows. */
export const mergeOf = (rows: readonly SpanRow[]): Omit<SpanRow, 'from'> => ({
  sums: sumOfSums(rows.map(({ sums }) => sums)),
  samples: sumOfSamples(rows.map(({ samples }) => samples)),
});

/**
 * Returns the spans of the endpoint that begin in `[from, to)`, oldest first. The spans that have not ended are summed
 * from shorter ones.
 * @param summedTo time up to which the endpoint is summed
 */
export async function readSpans(
  usageSums: UsageSums,
  endpoint: string,
  length: SpanLength,
  { from, to, summedTo }: { readonly from: number; readonly to: number; readonly summedTo: number },
): Promise<readonly SpanRow[]> {
  if (length === 'minute') return usageSums.read(endpoint, length, beginOf(from, 'minute'), to);
  const open = Math.max(beginOf(from, length), beginOf(summedTo, length));
  const ended = usageSums.read(endpoint, length, beginOf(from, length), Math.min(to, open));
  if (to <= open) return ended;
  const parts = await readSpans(usageSums, endpoint, shorter[length], { from: open, to, summedTo });
  const byBegin = Map.groupBy(parts, (row) => beginOf(row.from, length));
  return [...(await ended), ...[...byBegin].map(([begin, rows]) => ({ from: begin, ...mergeOf(rows) }))];
}
