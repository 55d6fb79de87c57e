/** Counts of an endpoint's jobs, and changes of these counts. */
import * as z from 'zod/mini';

export const counterNames = ['inQueue', 'lowInQueue', 'inProgress', 'completed', 'failed', 'retried'] as const;

export type Counter = (typeof counterNames)[number];

/**
 * Numbers of an endpoint's jobs. `inQueue` counts all waiting jobs, and `lowInQueue` the low-priority jobs among
 * them. `failed` counts how often jobs became FAILED or TIMED_OUT. No counter includes CANCELLED jobs. `retried` counts
 * rescues and retries.
 */
export type Counts = Readonly<Record<Counter, number>>;

type Waiting = 'inQueue' | 'lowInQueue';

/** Jobs of a generation that are stored as purged, and markers of the purge that ended it. */
type OfPurge = 'purged' | 'marked';

type GenerationCounter = Waiting | OfPurge | `${Waiting | OfPurge}#${number}`;

/**
 * Counts as stored, or changes of these counts. Waiting jobs are counted by the generation of their queue, because
 * a purge cancels all waiting jobs of older generations. `inQueue#3` counts the waiting jobs of generation 3,
 * `inQueue` those of generation 0. `purged#3` counts the jobs of generation 3 that are already stored as purged, and
 * `marked#3` the markers of the purge that ended generation 3.
 */
export type Counters = Counts &
  Readonly<Partial<Record<OfPurge, number>> & Record<Exclude<GenerationCounter, Waiting | OfPurge>, number>>;

const counterOf = (counter: Waiting | OfPurge, generation: number): GenerationCounter =>
  generation === 0 ? counter : `${counter}#${generation}`;

/** Returns the generation of a counter that a purge ends, or undefined for any other counter. */
export function generationOf(counter: string): number | undefined {
  const [is, generation = 0] = /^(?:inQueue|lowInQueue|purged|marked)(?:#(\d+))?$/.exec(counter) ?? [];
  return is === undefined ? undefined : Number(generation);
}

const countersSchema = z.catchall(
  z.object(
    Object.fromEntries(counterNames.map((name) => [name, z._default(z.number(), 0)])) as Record<
      Counter,
      z.ZodMiniDefault<z.ZodMiniNumber<number>>
    >,
  ),
  z.number(),
);

/** Returns the counters among the attributes of an item. */
export function countersFrom(attributes: Readonly<Record<string, unknown>>): Counters {
  const isCounter = ([name]: [string, unknown]) =>
    counterNames.some((counter) => counter === name) || generationOf(name) !== undefined;
  return countersSchema.parse(Object.fromEntries(Object.entries(attributes).filter(isCounter)));
}

export const zeroCounters: Counters = { inQueue: 0, lowInQueue: 0, inProgress: 0, completed: 0, failed: 0, retried: 0 };

type Numbers = Readonly<Record<string, number>>;

/** Returns the sum of all numbers, each with its factor. Counters of generations are omitted if they are zero. */
function combine(all: Iterable<readonly [numbers: Numbers, factor: number]>): Counters {
  const sums: Record<string, number> & Counters = { ...zeroCounters };
  for (const [numbers, factor] of all)
    for (const name of Object.keys(numbers)) sums[name] = (sums[name] ?? 0) + factor * (numbers[name] ?? 0);
  for (const name of Object.keys(sums)) if (sums[name] === 0 && !(name in zeroCounters)) delete sums[name];
  return sums;
}

export const sumOf = (changes: readonly Counters[]): Counters => combine(changes.map((change) => [change, 1]));

export const plus = (a: Counters, b: Counters): Counters => sumOf([a, b]);

export const minus = (a: Counters, b: Counters): Counters =>
  combine([
    [a, 1],
    [b, -1],
  ]);

export const isEqual = (a: Counters, b: Counters): boolean =>
  Object.values(minus(a, b)).every((difference) => difference === 0);

/** Returns the counts of an endpoint, without the purged jobs of older generations. */
export function countsIn(counters: Counters, generation: number): Counts {
  const { inProgress, completed, failed, retried } = counters;
  const [inQueue = 0, lowInQueue = 0] = [
    counters[counterOf('inQueue', generation)],
    counters[counterOf('lowInQueue', generation)],
  ];
  return { inQueue, lowInQueue, inProgress, completed, failed, retried };
}

/** Returns the counters that represent these counts in the generation: the inverse of `countsIn`. */
export function keptIn({ inQueue, lowInQueue, ...others }: Counts, generation: number): Counters {
  const waiting = { [counterOf('inQueue', generation)]: inQueue, [counterOf('lowInQueue', generation)]: lowInQueue };
  return plus(zeroCounters, { ...zeroCounters, ...others, ...waiting });
}

/** Returns the counters of one job that is stored as purged, or of one marker of the purge that ended the generation. */
export const oneIn = (counter: OfPurge, generation: number): Counters => ({
  ...zeroCounters,
  [counterOf(counter, generation)]: 1,
});

/** Returns how many jobs a purge removed from the generation: those that wait in it, and those stored as purged. */
export const removedFrom = (counters: Counters, generation: number): number =>
  countsIn(counters, generation).inQueue + (counters[counterOf('purged', generation)] ?? 0);

/** Returns whether the counters include the marker of the purge that ended the generation. */
export const isMarked = (counters: Counters, generation: number): boolean =>
  (counters[counterOf('marked', generation)] ?? 0) > 0;

/**
 * Returns whether the change adds waiting jobs that can start workers in any generation. A decrease in one
 * generation does not offset an increase in another generation.
 */
export function hasComeToWait(change: Counters): boolean {
  const generations = new Set(Object.keys(change).map(generationOf));
  return [...generations].some((generation) => {
    if (generation === undefined) return false;
    const { inQueue, lowInQueue } = countsIn(change, generation);
    return inQueue > lowInQueue;
  });
}
