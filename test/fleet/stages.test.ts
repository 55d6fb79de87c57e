/** Tests how the wait of a job is divided into stages, and that the order of events does not matter. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isWaitFor, type Stage, stageNames, stagesOf, startStagesOf, type Wait } from '../../core/fleet/stages.ts';
import { mergeTimes, type StartTimes, type WorkerStart } from '../../core/fleet/start.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';

const seed = seedOf(PROPERTY_SEED);
const sumOf = (stages: readonly Stage[]) => stages.reduce((sum, { duration }) => sum + duration, 0);
const durations = (stages: readonly Stage[]) => stages.map(({ stage, duration }) => [stage, duration]);

/** A start on a pool whose steps take 10, 20, 30, 40 and 5 ms, requested 1 ms after the job was queued at 1,000. */
const start = {
  createdAt: 1_001,
  launchedAt: 1_011,
  registeredAt: 1_031,
  pullStartedAt: 1_033,
  pullStoppedAt: 1_061,
  startedAt: 1_064,
  readyAt: 1_101,
} as const satisfies WorkerStart;
const wait: Wait = { from: 1_000, to: 1_106, taken: true };

describe('the wait of a job', () => {
  it('has all stages of the worker that started for the job', () => {
    expect(durations(stagesOf(wait, start))).toEqual([
      ['QUEUED', 1],
      ['INSTANCE', 10],
      ['BOOT', 20],
      ['IMAGE', 30],
      ['WORKER', 40],
      ['TAKE', 5],
    ]);
  });

  it('ends its BOOT when the pull begins, if the worker has no instance', () => {
    const { launchedAt: _, registeredAt: __, ...onFargate } = start;
    expect(durations(stagesOf(wait, onFargate)).slice(0, 3)).toEqual([
      ['QUEUED', 1],
      ['BOOT', 32],
      ['IMAGE', 28],
    ]);
  });

  it('adds a stage whose end is unknown to the next stage', () => {
    expect(durations(stagesOf(wait, { ...start, pullStoppedAt: undefined }))).toEqual([
      ['QUEUED', 1],
      ['INSTANCE', 10],
      ['BOOT', 20],
      ['WORKER', 70],
      ['TAKE', 5],
    ]);
  });

  it('begins with the first stage that ends after the job was queued', () => {
    const stages = stagesOf({ ...wait, from: 1_051 }, start);
    expect(durations(stages)).toEqual([
      ['QUEUED', 0],
      ['INSTANCE', 0],
      ['BOOT', 0],
      ['IMAGE', 10],
      ['WORKER', 40],
      ['TAKE', 5],
    ]);
  });

  it.each([
    ['was ready before the job was queued', { ...start, readyAt: 1_000 }],
    ['has no stored start', undefined],
    ['ran before the job was queued, and has not reported when it was ready', { startedAt: 1_000 }],
  ])('has no stages of a worker that %s', (_, worker) => {
    const stages = stagesOf(wait, worker);
    expect(durations(stages)).toEqual([
      ['QUEUED', 106],
      ['TAKE', 0],
    ]);
  });

  it('has the stage that the worker has reached, while the job waits', () => {
    const waiting = { ...wait, taken: false };
    const { readyAt: _, startedAt: __, ...pulled } = start;
    expect(durations(stagesOf(waiting, pulled)).at(-1)).toEqual(['WORKER', 45]);
    expect(durations(stagesOf(waiting, { createdAt: 1_001 }))).toEqual([
      ['QUEUED', 1],
      ['INSTANCE', 105],
    ]);
    expect(durations(stagesOf(waiting, start)).at(-1)).toEqual(['TAKE', 5]);
    expect(durations(stagesOf(waiting, undefined))).toEqual([['QUEUED', 106]]);
    expect(durations(stagesOf(waiting, { ...start, readyAt: 999 }))).toEqual([['QUEUED', 106]]);
  });
});

describe('the start of a worker', () => {
  it('has the stages from the request to the first request for a job', () => {
    expect(durations(startStagesOf(start, 5_000))).toEqual([
      ['INSTANCE', 10],
      ['BOOT', 20],
      ['IMAGE', 30],
      ['WORKER', 40],
    ]);
  });

  it('lasts until now if the worker is not ready, and has no stages if its request is unknown', () => {
    expect(durations(startStagesOf({ createdAt: 1_001 }, 1_500))).toEqual([['INSTANCE', 499]]);
    expect(startStagesOf({ readyAt: 1_101 }, 1_500)).toEqual([]);
  });
});

const time = fc.integer({ min: 0, max: 300 });
const some = fc.option(time, { nil: undefined });
const times = fc.record({ createdAt: some, pullStartedAt: some, pullStoppedAt: some, startedAt: some, readyAt: some });
const starts: fc.Arbitrary<WorkerStart> = fc
  .tuple(times, some, some)
  .map(([its, launchedAt, registeredAt]) => ({ ...its, launchedAt, registeredAt }));
const waits: fc.Arbitrary<Wait> = fc.record({ from: time, to: time, taken: fc.boolean() });

describe('for any events', () => {
  it('the stages follow one another in their order, and add up to the wait', () => {
    const property = fc.property(waits, fc.option(starts, { nil: undefined }), (its, worker) => {
      const stages = stagesOf(its, worker);
      expect(sumOf(stages)).toBe(Math.max(0, its.to - its.from));
      const order = stages.map(({ stage }) => stageNames.indexOf(stage));
      expect(order).toEqual([...new Set(order)].toSorted((one, other) => one - other));
      let at = its.from;
      for (const { from, duration } of stages) {
        expect([from, duration >= 0]).toEqual([at, true]);
        at += duration;
      }
      if (its.taken) expect(stages.at(-1)?.stage).toBe('TAKE');
    });
    fc.assert(property, { seed, numRuns: 2_000 });
  });

  it('the stages of a start add up to the time until the worker is ready', () => {
    const property = fc.property(starts, time, (worker, until) => {
      const { createdAt = 0, readyAt = until } = worker;
      const expected = worker.createdAt === undefined ? 0 : Math.max(0, readyAt - createdAt);
      expect(sumOf(startStagesOf(worker, until))).toBe(expected);
    });
    fc.assert(property, { seed, numRuns: 1_000 });
  });

  it('doubled, late and shuffled events give the same times', () => {
    const events = fc.array(times, { minLength: 1, maxLength: 6 });
    const property = fc.property(
      events.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: 0 }))),
      ([all, some]) => {
        const shuffled = [...some, ...all.toReversed()];
        // Each event is merged into the record that the earlier events have left.
        const oneByOne = shuffled.reduce((merged: StartTimes, event) => mergeTimes(merged, event), {});
        expect(oneByOne).toEqual(mergeTimes(...all));
      },
    );
    fc.assert(property, { seed, numRuns: 1_000 });
  });

  it('an event that arrives later never moves a job from a start that it waited for', () => {
    const property = fc.property(waits, starts, ({ from, to }, worker) => {
      const taken = { from, to, taken: true };
      fc.pre(worker.readyAt !== undefined);
      const early = { readyAt: worker.readyAt };
      expect(isWaitFor(taken, early)).toBe(isWaitFor(taken, worker));
    });
    fc.assert(property, { seed });
  });

  it('a time that is not a whole number of milliseconds is ignored', () => {
    expect(mergeTimes({ createdAt: Number.NaN, readyAt: 1.5 }, { createdAt: 7 })).toEqual({ createdAt: 7 });
  });
});
