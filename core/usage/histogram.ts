/**
 * Histograms of durations with logarithmic buckets. The limits of a bucket differ by the factor `GROWTH`, so every
 * percentile is known within 10 %, whatever the distribution is, and histograms add up (DDSketch, Masson et al. 2019).
 */
import * as z from 'zod/mini';

const GROWTH = 1.2;

/** Number of durations by bucket. Bucket 0 has those up to 1 ms. */
export const histogramSchema = z.record(z.string(), z.number());
export type Histogram = Readonly<z.infer<typeof histogramSchema>>;

const bucketOf = (milliseconds: number) => Math.max(0, Math.ceil(Math.log(milliseconds) / Math.log(GROWTH)));

/** Returns the longest duration of the bucket, in milliseconds. */
export const limitOf = (bucket: number): number => GROWTH ** bucket;

/** Returns the duration from which those of the bucket differ by at most 10 %. */
const middleOf = (bucket: number) => (2 * GROWTH ** bucket) / (GROWTH + 1);

/** Returns the sums of the numbers with the same name. */
export function sumOfNumbers(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, number] of all.flatMap(Object.entries<number>)) sums[name] = (sums[name] ?? 0) + number;
  return sums;
}

export const histogramOf = (durations: readonly number[]): Histogram =>
  sumOfNumbers(durations.map((duration) => ({ [bucketOf(Math.max(1, duration))]: 1 })));

/**
 * Returns percentiles in milliseconds, in the order of `percents`; undefined without durations.
 * @param percents from 0 to 100
 */
export function percentilesOf<Percents extends readonly number[]>(
  histogram: Histogram,
  percents: Percents,
): { readonly [index in keyof Percents]: number } | undefined {
  const buckets = Object.entries(histogram)
    .map(([bucket, count]) => ({ bucket: Number(bucket), count }))
    .sort((one, other) => one.bucket - other.bucket);
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return undefined;
  const percentile = (percent: number) => {
    let rank = Math.max(1, Math.ceil((percent / 100) * total));
    for (const { bucket, count } of buckets) {
      rank -= count;
      if (rank <= 0) return Math.round(middleOf(bucket));
    }
    return Math.round(middleOf(buckets.at(-1)?.bucket ?? 0));
  };
  return percents.map(percentile) as { readonly [index in keyof Percents]: number };
}
