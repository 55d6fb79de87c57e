/** The counts of an endpoint that an open page has read: a short history, until the service keeps one. */
import type { Endpoint, EndpointList } from '../api/management-types.ts';

export interface Sample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly waiting: number;
  readonly running: number;
  readonly ready: number;
  readonly starting: number;
}

/** An hour of a page that asks every 5 seconds. */
const MOST_SAMPLES = 720;

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
 * Adds a sample. Of equal ones in a row the first and the last are kept: the line is the same.
 * @returns the samples in the order of time, the oldest dropped if there are too many
 */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const before = samples.at(-2);
  const last = samples.at(-1);
  if (last !== undefined && last.at >= sample.at) return [...samples];
  const kept = before && last && isSame(before, last) && isSame(last, sample) ? samples.slice(0, -1) : samples;
  return [...kept, sample].slice(-MOST_SAMPLES);
}

/** The top of an axis: the highest value, and at least a few so that 0 and 1 do not look like an abyss. */
export const highest = (samples: readonly Sample[], measures: readonly Exclude<keyof Sample, 'at'>[]): number =>
  Math.max(4, ...samples.flatMap((sample) => measures.map((measure) => sample[measure])));

/** The samples of all endpoints since the tab was loaded. A reload forgets them. */
const histories = new Map<string, readonly Sample[]>();

export const seenOf = (endpoint: string): readonly Sample[] => histories.get(endpoint) ?? [];

/** @param at when the list was read, in milliseconds since the epoch */
export function addSamples({ endpoints }: EndpointList, at: number): void {
  for (const endpoint of endpoints) histories.set(endpoint.id, withSample(seenOf(endpoint.id), sampleOf(endpoint, at)));
}
