import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Blocker, type FleetState, unknownFleet } from '../../core/endpoints/fleet-state.ts';
import { backOffLimits, HOUR, MINUTE } from '../../core/limits.ts';
import { type Fact, stateAfter } from '../../core/workers/apply-facts.ts';
import { allowedWorkers, pauseBefore } from '../../core/workers/back-off.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';

const after = (facts: readonly Fact[], state: FleetState = unknownFleet) => facts.reduce(stateAfter, state);

const exits = (task: string, at: number, blocker: Blocker = 'WORKER_EXITS'): Fact => ({
  is: 'failed',
  blocker,
  detail: `exit code 1 of ${task}`,
  task,
  at,
});
const refused = (blocker: Blocker, at: number): Fact => ({ is: 'failed', blocker, detail: 'RESOURCE:GPU', at });
const placed = (task: string, at: number): Fact => ({ is: 'placed', task, at });
const running = (task: string, at: number): Fact => ({ is: 'running', task, at });
const ready = (task: string, at: number): Fact => ({ is: 'ready', task, at });

const threeFailures = [exits('a', 1), exits('b', 2), exits('c', 3)];
const backedOff = after(threeFailures);

describe('the fleet state', () => {
  it.each<[string, readonly Fact[], string | undefined]>([
    ['no fact is stored', [], undefined],
    ['a worker is placed', [placed('a', 1)], 'STARTING'],
    ['capacity is missing', [refused('NO_CAPACITY', 1)], 'NO_CAPACITY'],
    ['capacity is available again', [refused('NO_CAPACITY', 1), placed('a', 2)], 'STARTING'],
    ['an old refusal arrives late', [placed('a', 2), refused('NO_CAPACITY', 1)], 'STARTING'],
    [
      'capacity is missing again after a placement whose event is late',
      [refused('NO_CAPACITY', 1), { ...refused('NO_CAPACITY', 3), isVague: true } as Fact, placed('a', 2)],
      'NO_CAPACITY',
    ],
    [
      'an image is missing although a worker is placed',
      [exits('a', 1, 'IMAGE_UNAVAILABLE'), placed('b', 2)],
      'IMAGE_UNAVAILABLE',
    ],
    ['an image becomes available', [exits('a', 1, 'IMAGE_UNAVAILABLE'), running('b', 2)], 'STARTING'],
    ['workers exit although another worker runs', [exits('a', 1), placed('b', 2), running('b', 3)], 'WORKER_EXITS'],
    ['an exit arrives after the start of the next worker', [placed('b', 2), exits('a', 1)], 'WORKER_EXITS'],
    ['workers exit until a worker is ready', [exits('a', 1), placed('b', 2), ready('b', 3)], undefined],
    ['a worker was ready long before another worker exits', [exits('b', 2), ready('a', 1)], 'WORKER_EXITS'],
    ['a worker fails after it was reported as ready', [exits('a', 2), ready('a', 3)], 'WORKER_EXITS'],
    ['another revision is released', [exits('a', 1), { is: 'released', at: 2 }], undefined],
    [
      'a worker of a release fails before the event of the release arrives',
      [exits('a', 3), { is: 'released', at: 2 }],
      'WORKER_EXITS',
    ],
    ['a fact from before the release arrives late', [{ is: 'released', at: 2 }, exits('a', 1)], undefined],
    ['a start is cancelled', [placed('a', 1), { is: 'stopped', task: 'a', at: 2 }], undefined],
    ['another start is cancelled', [placed('a', 1), { is: 'stopped', task: 'b', at: 2 }], 'STARTING'],
    ['the endpoint no longer requests the capacity', [refused('QUOTA', 1), { is: 'scaledDown', at: 2 }], undefined],
    [
      'the endpoint requests no capacity, but workers exit',
      [exits('a', 1), { is: 'scaledDown', at: 2 }],
      'WORKER_EXITS',
    ],
    ['a worker failed after it was ready', [refused('WORKER_UNHEALTHY', 1)], 'WORKER_UNHEALTHY'],
    [
      'no worker is requested to replace a failed worker',
      [refused('WORKER_UNHEALTHY', 1), { is: 'scaledDown', at: 2 }],
      undefined,
    ],
    [
      'the endpoint requests no capacity, but workers become unhealthy before they are ready',
      [exits('a', 1, 'WORKER_UNHEALTHY'), { is: 'scaledDown', at: 2 }],
      'WORKER_UNHEALTHY',
    ],
  ])('has the right condition when %s', (_, facts, condition) => {
    expect(after(facts).condition?.is).toBe(condition);
  });

  it('keeps a precise reason when a vague one follows', () => {
    const vague: Fact = {
      is: 'failed',
      blocker: 'CANNOT_START',
      detail: 'tasks failed to start',
      isVague: true,
      at: 9,
    };
    expect(after([exits('a', 1), vague]).condition).toMatchObject({ is: 'WORKER_EXITS' });
    expect(after([vague]).condition).toMatchObject({ is: 'CANNOT_START' });
  });

  it('has the time when a condition began', () => {
    expect(after([refused('QUOTA', 1), refused('QUOTA', 5)]).condition).toMatchObject({ since: 1, at: 5 });
  });
});

describe('an endpoint', () => {
  it('backs off after three failed workers in a row, but not because capacity is missing', () => {
    expect(after(threeFailures.slice(0, 2)).backOff).toBeUndefined();
    expect(backedOff.backOff).toEqual({ tries: 1, until: 3 + MINUTE });
    expect(after([1, 2, 3, 4].map((at) => refused('NO_CAPACITY', at))).backOff).toBeUndefined();
  });

  it('does not count failures that are too far apart', () => {
    expect(after([exits('a', 1), exits('b', 2), exits('c', HOUR + 10)]).backOff).toBeUndefined();
  });

  it('does not back off if a worker between the failures was ready', () => {
    expect(after([exits('a', 1), exits('b', 2), ready('x', 3), exits('c', 4)]).backOff).toBeUndefined();
  });

  it('waits twice as long after every failed attempt, up to an hour', () => {
    let state = backedOff;
    const pauses: number[] = [];
    for (let tries = 0; tries < 9; tries += 1) {
      const { until } = state.backOff ?? { until: 0 };
      state = stateAfter(state, exits(`probe-${tries}`, until + 5));
      pauses.push((state.backOff?.until ?? 0) - until - 5);
    }
    expect(pauses.map((pause) => pause / MINUTE)).toEqual([2, 4, 8, 16, 32, 60, 60, 60, 60]);
  });

  it('does not wait longer if workers that started before the pause fail', () => {
    expect(after([exits('d', 4), exits('e', 5)], backedOff).backOff).toEqual(backedOff.backOff);
  });

  it('resumes only when a worker is ready or a release begins', () => {
    expect(after([placed('p', MINUTE), running('p', MINUTE + 1)], backedOff).backOff).toEqual(backedOff.backOff);
    expect(after([ready('p', MINUTE)], backedOff)).toEqual(unknownFleet);
    expect(after([{ is: 'released', at: 4 }], backedOff)).toEqual({ ...unknownFleet, freshSince: 4 });
  });

  it('keeps the reason and its time when the operator resumes, until a worker is ready', () => {
    const resumed = after([{ is: 'resumed', at: 4 }], backedOff);
    expect(resumed).toEqual({ ...unknownFleet, condition: backedOff.condition, freshSince: 4 });
    expect(after([exits('d', 5)], resumed)).toMatchObject({
      condition: { since: backedOff.condition?.since },
      failed: [{}],
    });
    expect(after([ready('e', 5)], resumed)).toEqual({ ...unknownFleet, freshSince: 4 });
  });

  it('counts the workers that failed after a release, although its event arrives last', () => {
    const released: Fact = { is: 'released', at: 2 };
    const later = [exits('c', 3), exits('d', 4), exits('e', 5)];
    const { condition, ...failures } = after([...threeFailures.slice(0, 2), ...later, released]);
    expect(failures).toMatchObject({ failed: after(later).failed, backOff: { tries: 1, until: 5 + MINUTE } });
    expect(condition).toMatchObject({ is: 'WORKER_EXITS', since: released.at, at: 5 });
  });

  it('allows the ready workers, and one more when an attempt is due', () => {
    const until = backedOff.backOff?.until ?? 0;
    expect([0, 2].map((count) => allowedWorkers(backedOff, count, until - 1))).toEqual([0, 2]);
    expect([0, 2].map((count) => allowedWorkers(backedOff, count, until))).toEqual([1, 3]);
    expect(allowedWorkers(unknownFleet, 0, 0)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('facts that arrive in any order', () => {
  const tasks = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const times = fc.integer({ min: 1, max: 30 * MINUTE });
  const facts: fc.Arbitrary<Fact> = fc.oneof(
    fc.tuple(tasks, times).map(([task, at]) => exits(task, at)),
    fc.tuple(tasks, times).map(([task, at]) => placed(task, at)),
    fc.tuple(tasks, times).map(([task, at]) => running(task, at)),
    fc.tuple(tasks, times).map(([task, at]) => ready(task, at)),
    times.map((at) => refused('QUOTA', at)),
    times.map((at): Fact => ({ is: 'released', at })),
    times.map((at): Fact => ({ is: 'resumed', at })),
  );
  const sequences = fc.array(facts, { maxLength: 20 });
  const failures = fc
    .uniqueArray(tasks, { minLength: 1 })
    .chain((names) => fc.tuple(...names.map((task) => times.map((at) => exits(task, at)))));
  const seed = seedOf(PROPERTY_SEED);
  const holds = <Values>(property: fc.IProperty<Values>) => fc.assert(property, { seed });

  it('change nothing when each arrives a second time', () => {
    holds(
      fc.property(sequences, (all) => {
        const twice = after(all.flatMap((fact) => [fact, fact]));
        expect(twice).toEqual(after(all));
      }),
    );
  });

  it('make an endpoint back off in any order, if and only if enough workers failed', () => {
    holds(
      fc.property(
        failures.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([inOrder, shuffled]) => {
          const enough = inOrder.length >= backOffLimits.failures;
          for (const order of [inOrder, shuffled]) expect(after(order).backOff !== undefined).toBe(enough);
        },
      ),
    );
  });

  it('never make an endpoint wait longer than the longest pause after the last failure', () => {
    holds(
      fc.property(sequences, (all) => {
        const { backOff } = after(all);
        const last = Math.max(0, ...all.filter(({ is }) => is === 'failed').map(({ at }) => at));
        expect(backOff?.until ?? 0).toBeLessThanOrEqual(last + pauseBefore(backOff?.tries ?? 1));
        expect(pauseBefore(backOff?.tries ?? 1)).toBeLessThanOrEqual(backOffLimits.maxPause);
      }),
    );
  });

  it('have no effect if they are from before a release', () => {
    holds(
      fc.property(sequences, (all) => {
        const release: Fact = { is: 'released', at: HOUR };
        expect(after(all, after([...all, release]))).toEqual({ ...unknownFleet, freshSince: HOUR });
      }),
    );
  });
});
