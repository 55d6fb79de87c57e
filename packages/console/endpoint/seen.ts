/** Keeps a short history of the counts that an open page has read, because the service stores none. */
import type { Endpoint, EndpointList } from '../api/management-types.ts';

export interface Sample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly waiting: number;
  readonly running: number;
  readonly ready: number;
  readonly starting: number;
}

/** One hour of a page that reads the counts every 5 seconds. */
const MAX_SAMPLES = 720;

export const sampleOf = ({ health: { jobs, workers } }: Pick<Endpoint, 'health'>, at: number): Sample => ({
  at,
  waiting: jobs.inQueue,
  running: jobs.inProgress,
  ready: workers.ready,
  starting: workers.initializing,
});

const isSame = (a: Sample, b: Sample) =>
  a.waiting === b.waiting && a.running === b.running && a.ready === b.ready && a.starting === b.starting;

/**
 * Adds a sample. Of several equal samples in a row, only the first and the last are kept: they draw the same line.
 * @returns the samples in chronological order, without the oldest if there are too many
 */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const before = samples.at(-2);
  const last = samples.at(-1);
  if (last !== undefined && last.at >= sample.at) return [...samples];
  const kept = before && last && isSame(before, last) && isSame(last, sample) ? samples.slice(0, -1) : samples;
  return [...kept, sample].slice(-MAX_SAMPLES);
}

/**
 * Returns the top of an axis: the highest value, with a minimum so that a change from 0 to 1 does not look large.
 */
export const highest = (samples: readonly Sample[], measures: readonly Exclude<keyof Sample, 'at'>[]): number =>
  Math.max(4, ...samples.flatMap((sample) => measures.map((measure) => sample[measure])));

/** The samples of all endpoints since the tab was loaded. A reload discards them. */
const histories = new Map<string, readonly Sample[]>();

export const seenOf = (endpoint: string): readonly Sample[] => histories.get(endpoint) ?? [];

/** @param at when the list was read, in milliseconds since the epoch */
export function addSamples({ endpoints }: EndpointList, at: number): void {
  for (const endpoint of endpoints) histories.set(endpoint.id, withSample(seenOf(endpoint.id), sampleOf(endpoint, at)));
}
