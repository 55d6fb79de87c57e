/** Tests launches and ends of instances on random schedules, with a pool on an injected clock. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SECOND } from '../../core/limits.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';
import { MovedClock } from '../support/emulated-deployment.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import type { Fault } from './emulated-pool.ts';
import { GPU, type Stage, type StageOptions, startPool } from './pool-stage.ts';

const emulated = useEmulatedDeployment(new MovedClock(Date.UTC(2026, 0, 1)));
const seed = seedOf(PROPERTY_SEED);

const holds = <Values>(property: fc.IAsyncProperty<Values>, numRuns: number) =>
  fc.assert(property, { seed, numRuns, endOnFailure: true });

async function withPool(options: StageOptions, act: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await startPool(emulated, options);
  try {
    await act(stage);
  } finally {
    await stage.stop();
  }
}

const bootTimes = fc.integer({ min: 20, max: 110 }).map((seconds) => () => seconds * SECOND);
/** Seconds until the first job, so that it comes at any time before the alarm of the minute. */
const beginnings = fc.integer({ min: 0, max: 59 });
const faultsOf = (kinds: readonly Fault[], maxLength: number) =>
  fc.array(fc.option(fc.constantFrom(...kinds), { nil: undefined, freq: 3 }), { maxLength });

describe('a pool without instances', () => {
  it('launches one instance for the first job, and ends it in time', async () => {
    await holds(
      fc.asyncProperty(beginnings, bootTimes, fc.boolean(), async (before, bootTime, twice) => {
        await withPool({ workers: { chat: GPU }, bootTime }, async ({ pool, pass, demand }) => {
          await pass(before);
          await demand('chat', 1);
          if (twice) pool.events.push(...pool.events);
          await pass(150);
          expect(pool.machines).toHaveLength(1);
          expect(pool.waiting).toEqual([]);
          await demand('chat', 0);
          // Three minutes, and a minute each to notice the beginning and the end.
          await pass(300);
          expect(pool.living).toEqual([]);
          expect(pool.machines).toHaveLength(1);
        });
      }),
      8,
    );
  });

  it('launches as many instances as a burst of 2 to 20 workers needs', async () => {
    await holds(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 20 }),
        fc.constantFrom(1, 2, 4, 8),
        beginnings,
        bootTimes,
        async (count, gpus, before, bootTime) => {
          await withPool({ workers: { chat: GPU }, gpus, bootTime }, async ({ pool, pass, demand }) => {
            await pass(before);
            await demand('chat', count);
            await pass(150);
            expect(pool.machines).toHaveLength(Math.ceil(count / gpus));
            expect(pool.waiting).toEqual([]);
          });
        },
      ),
      12,
    );
  });

  it('launches no instance twice when requests and answers are lost, and calls overlap', async () => {
    await holds(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        faultsOf(['request', 'answer'], 30),
        beginnings,
        async (count, lost, listSeconds) => {
          const options = { gpus: 4, managed: false, listTime: listSeconds * SECOND };
          await withPool({ workers: { chat: GPU }, ...options }, async ({ pool, pass, call, demand }) => {
            await demand('chat', count);
            pool.faults.push(...lost);
            const events = pool.events.splice(0);
            await Promise.all(events.map((event) => call(event)));
            await Promise.all([call(), call()]);
            await pass(400);
            // If many calls fail, a call of a later minute launches the instances.
            for (let minute = 0; minute < 10 && pool.waiting.length > 0; minute += 1) await pass(60);
            expect(pool.machines).toHaveLength(Math.ceil(count / 4));
            expect(pool.waiting).toEqual([]);
          });
        },
      ),
      15,
    );
  });
});

describe('managed scaling alone', () => {
  it('launches two instances for the first job, and keeps them for 15 minutes', async () => {
    await withPool({ workers: { chat: GPU } }, async ({ pool, demand }) => {
      const tick = (seconds: number) => {
        for (let n = 0; n < seconds; n += 1) pool.tick();
      };
      await demand('chat', 1);
      tick(150);
      expect(pool.machines).toHaveLength(2);
      expect(pool.waiting).toEqual([]);
      await demand('chat', 0);
      // The second instance was not needed from the beginning.
      tick(11 * 60);
      expect(pool.living.length).toBeGreaterThan(0);
      tick(5 * 60);
      expect(pool.living).toEqual([]);
    });
  });
});

describe('an empty instance', () => {
  it('does not end if another call has returned it in the meantime', async () => {
    await withPool({ workers: { chat: GPU }, emptyFor: 0 }, async ({ pool, pass, call, demand, nameOf }) => {
      await demand('chat', 1);
      await pass(90);
      pool.demand(nameOf('chat'), 0, GPU);
      // Each call pauses after its second look: the first has seen a task, the second sees none.
      const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const looked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const pauses = [first, second];
      const { describe: described, drain } = pool.port;
      pool.port.describe = async (cluster, arns) => {
        const seen = await described(cluster, arns);
        looked.shift()?.resolve();
        await pauses.shift()?.promise;
        return seen;
      };
      pool.port.drain = async (cluster, arn) => {
        if (pauses.length === 2) pool.demand(nameOf('chat'), 1, GPU);
        await drain(cluster, arn);
      };
      const [one, other] = looked;
      const returning = call();
      await one?.promise;
      pool.demand(nameOf('chat'), 0, GPU);
      const ending = call();
      await other?.promise;
      first.resolve();
      await returning;
      pool.demand(nameOf('chat'), 1, GPU);
      pool.tick();
      expect(pool.waiting).toEqual([]);
      second.resolve();
      await ending;
      expect(pool.violations).toEqual([]);
      expect(pool.living).toHaveLength(1);
    });
  });

  it('never ends with a task, whenever a task is created, a call fails or calls overlap', async () => {
    await holds(
      fc.asyncProperty(
        fc.array(fc.constantFrom<Fault | undefined>(undefined, undefined, 'task', 'answer', 'request'), {
          minLength: 8,
          maxLength: 16,
        }),
        fc.boolean(),
        async (during, overlap) => {
          await withPool({ workers: { chat: GPU }, emptyFor: 0 }, async ({ pool, pass, call, demand }) => {
            await demand('chat', 1);
            await pass(90);
            await demand('chat', 0);
            pool.faults.push(...during);
            await (overlap ? Promise.all([call(), call()]) : call());
            for (let n = 0; n < 3; n += 1) await call();
            expect(pool.violations).toEqual([]);
            // ECS runs the new task, on this or another instance. Its alarm reacts a minute after the end of this one.
            pool.faults.splice(0);
            await pass(240);
            expect(pool.waiting).toEqual([]);
            expect(pool.violations).toEqual([]);
          });
        },
      ),
      30,
    );
  });
});

type Step = readonly [
  seconds: number,
  endpoint: 'chat' | 'large',
  count: number,
  faults: readonly (Fault | undefined)[],
];

describe('a pool on a random schedule', () => {
  const steps: fc.Arbitrary<Step> = fc.tuple(
    fc.integer({ min: 1, max: 240 }),
    fc.constantFrom('chat', 'large'),
    fc.integer({ min: 0, max: 6 }),
    faultsOf(['request', 'answer', 'task'], 40),
  );
  const schedules = fc.array(steps, { minLength: 3, maxLength: 8 });

  it('never ends an instance with a task, serves all workers, and has no instance in the end', async () => {
    const workers = { chat: GPU, large: { gpus: 3, cpu: 3_000, memory: 12_000 } };
    const emptyTimes = fc.constantFrom(0, 60_000, 180_000);
    await holds(
      fc.asyncProperty(schedules, emptyTimes, bootTimes, async (schedule, emptyFor, bootTime) => {
        await withPool({ workers, gpus: 4, emptyFor, bootTime }, async ({ pool, pass, call, demand }) => {
          for (const [seconds, endpoint, count, lost] of schedule) {
            await demand(endpoint, count);
            pool.faults.splice(0, pool.faults.length, ...lost);
            if (seconds % 3 === 0) await Promise.all([call(), call(), ...pool.events.map((event) => call(event))]);
            await pass(seconds);
            expect(pool.violations).toEqual([]);
          }
          pool.faults.splice(0);
          await pass(420);
          expect(pool.waiting).toEqual([]);
          await demand('chat', 0);
          await demand('large', 0);
          await pass(emptyFor / SECOND + 180);
          expect(pool.violations).toEqual([]);
          expect(pool.living).toEqual([]);
        });
      }),
      12,
    );
  });
});
