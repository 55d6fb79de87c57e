/** Compares the division of the time of workers with a count of each millisecond, and percentiles with a sort. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { histogramOf, percentilesOf, sumOfNumbers } from '../../core/usage/histogram.ts';
import { type JobRun, type WorkerLife, workerTimeIn } from '../../core/usage/worker-time.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';

const END = 60;
const at = fc.nat(END);
const span = fc.tuple(at, at).map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) }));

const life = (worker: string) =>
  fc.record({
    worker: fc.constant(worker),
    from: at,
    readyAt: fc.option(at, { nil: undefined }),
    to: fc.option(at, { nil: undefined }),
  });
const runs = fc.array(
  fc
    .tuple(fc.constantFrom('w1', 'w2'), fc.constantFrom('a', 'b'), span, fc.boolean())
    .map(([worker, payer, { from, to }, isOver]): JobRun => ({ worker, payer, from, ...(isOver && { to }) })),
  { maxLength: 8 },
);

/** Counts what each worker does in each millisecond. */
function countOf({ from, to }: { from: number; to: number }, lives: readonly WorkerLife[], all: readonly JobRun[]) {
  const counts = { busy: 0, idle: 0, starting: 0 };
  const byPayer = new Map<string, number>();
  for (const worker of lives)
    for (let time = Math.max(from, worker.from); time < Math.min(to, worker.to ?? to); time += 1) {
      const its = all.filter((run) => run.worker === worker.worker && run.from < (run.to ?? to));
      const now = its.filter((run) => run.from <= time && time < (run.to ?? to));
      // A worker that has run a job has started.
      const hasRun = its.some((run) => run.from <= time && (run.to ?? to) > Math.max(from, worker.from));
      if (now.length > 0) counts.busy += 1;
      else if (!hasRun && (worker.readyAt ?? to) > time) counts.starting += 1;
      else counts.idle += 1;
      for (const { payer } of now) byPayer.set(payer, (byPayer.get(payer) ?? 0) + 1 / now.length);
    }
  return { ...counts, byPayer };
}

describe('the time of workers', () => {
  it('is divided among the jobs that run, starts and idle time, to the millisecond', () => {
    const property = fc.property(span, life('w1'), life('w2'), runs, (within, one, other, all) => {
      const { byPayer, ...time } = workerTimeIn(within, [one, other], all);
      const counted = countOf(within, [one, other], all);
      expect(time).toEqual({ busy: counted.busy, idle: counted.idle, starting: counted.starting });
      for (const payer of ['a', 'b']) expect(byPayer.get(payer) ?? 0).toBeCloseTo(counted.byPayer.get(payer) ?? 0, 9);
    });
    fc.assert(property, { seed: seedOf(PROPERTY_SEED), numRuns: 500 });
  });

  it('has the jobs of a worker of which nothing else is known', () => {
    const run = { worker: 'w9', payer: 'a', from: 10, to: 25 };
    const time = workerTimeIn({ from: 0, to: 20 }, [], [run]);
    expect(time).toEqual({ busy: 10, idle: 0, starting: 0, byPayer: new Map([['a', 10]]) });
  });
});

describe('percentiles', () => {
  it('are within 10 % of those of the sorted durations, also of added histograms', () => {
    const durations = fc.array(fc.integer({ min: 1, max: 604_800_000 }), { minLength: 1, maxLength: 200 });
    const property = fc.property(durations, durations, (some, others) => {
      const percents = [50, 95, 99] as const;
      const found = percentilesOf(sumOfNumbers([histogramOf(some), histogramOf(others)]), percents);
      const sorted = [...some, ...others].sort((one, other) => one - other);
      for (const [n, percent] of percents.entries()) {
        const exact = sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? 0;
        expect(Math.abs((found?.[n] ?? 0) - exact)).toBeLessThanOrEqual(0.1 * exact + 1);
      }
    });
    fc.assert(property, { seed: seedOf(PROPERTY_SEED), numRuns: 200 });
  });

  it('do not exist without durations', () => expect(percentilesOf({}, [50])).toBeUndefined());
});
