/** Compares positions with a scan of all jobs, for random changes of jobs and random batches of the stream. */
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { portsWith } from '../../aws/ports.ts';
import type { Job, JobChange, QueuedJob } from '../../core/jobs/job.ts';
import { apply, permits } from '../../core/jobs/machine.ts';
import type { FactValues, TransitionName } from '../../core/jobs/transitions.ts';
import { record } from '../../core/ledger/record.ts';
import { DAY, ENDPOINT_CACHE, HOUR, MINUTE, policyLimits, SECOND } from '../../core/limits.ts';
import { oldestWaiting, queuePosition } from '../../core/status/waiting.ts';
import { queuedJob } from '../jobs/queued-job.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';
import { MovedClock } from '../support/emulated-deployment.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

// The clock starts at the same time in each run, so that a seed repeats the run.
const emulated = useEmulatedDeployment(new MovedClock(Date.UTC(2040, 0, 1)));

const WEEK = policyLimits.ttl.max;
const moves = ['take', 'fail', 'retry', 'requeue', 'cancelQueued', 'expire', 'purge'] as const;

const happenings = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('come' as const), lowPriority: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constantFrom(...moves), which: fc.nat(30) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('advance' as const),
      by: fc.constantFrom(3 * SECOND, 10 * SECOND, 7 * MINUTE, HOUR, 11 * HOUR, 3 * DAY),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('raise' as const) }) },
);
type Happening = typeof happenings extends fc.Arbitrary<infer Each> ? Each : never;

/**
 * A batch of the stream. The next batch begins `back` records before the end of this batch or, if the ledger cannot
 * store this batch (`dies`), before its start.
 */
const batches = fc.record({
  size: fc.integer({ min: 1, max: 12 }),
  back: fc.constantFrom(0, 0, 0, 4, 11),
  dies: fc.boolean(),
});

/** Stores jobs in memory, and changes them with the real transition table. */
function jobsOf(endpoint: string, now: () => number) {
  const jobs = new Map<string, Job>();
  const changes: JobChange[] = [];
  const change = (before: Job | undefined, after: Job) => {
    jobs.set(after.id, after);
    changes.push({ sequence: String(changes.length + 1).padStart(40, '0'), before, after });
  };
  let generation = 0;

  function move(name: TransitionName, which: number): void {
    const job = [...jobs.values()][which % Math.max(1, jobs.size)];
    const worker = job && 'worker' in job ? job.worker : 'w1';
    const facts: FactValues = {
      $now: now(),
      $graceStart: now(),
      $worker: worker ?? 'w1',
      $attempt: job?.attempt ?? 0,
      $generation: generation,
      $purgedAt: now(),
      $leaseEnds: 0,
      $reason: 'GIVEN_UP',
      $output: undefined,
      $error: { inline: 'no' },
      $chunks: undefined,
      $workerTime: undefined,
      $revision: undefined,
      $aggregates: undefined,
      $code: 'WORKER_ERROR',
      $removeAfter: 1,
      $retention: 1,
      $expiresAt: 1,
      $queuedAt: job?.queuedAt ?? 0,
      $finishedAt: job && 'finishedAt' in job ? job.finishedAt : 0,
    };
    if (job && permits(name, job, facts)) change(job, apply(name, job, facts));
  }

  return {
    changes,
    get generation() {
      return generation;
    },
    waiting: () =>
      [...jobs.values()].filter((job): job is QueuedJob => job.status === 'IN_QUEUE' && job.generation === generation),
    happen(happening: Happening): void {
      if (happening.does === 'raise') generation += 1;
      if (happening.does === 'come') {
        const spans = { queueTtl: WEEK, queueDeadline: now() + WEEK, executionTimeout: WEEK, retention: WEEK };
        const { lowPriority } = happening;
        change(undefined, { ...queuedJob(now()), ...spans, endpoint, id: `j${jobs.size}`, lowPriority, generation });
      }
      if ('which' in happening) move(happening.does, happening.which);
    },
  };
}

const spanOf = ({ queuedAt }: Job) => Math.floor(queuedAt / (10 * SECOND));
const dayOf = (time: number) => Math.floor(time / DAY);

/** Computes a position from all jobs. Ignores requeued jobs that arrived more than a week ago. */
function placeOf(job: QueuedJob, waiting: readonly QueuedJob[], now: number): number {
  const first = Math.min(dayOf(job.queuedAt), dayOf(now - WEEK));
  const ahead = (other: QueuedJob) =>
    other.lowPriority === job.lowPriority
      ? spanOf(other) < spanOf(job) && dayOf(other.queuedAt) >= first
      : job.lowPriority;
  return 1 + waiting.filter(ahead).length;
}

/** Computes from all jobs for how long the oldest normal job has waited, less the 10 s of its span. */
function ageOf(waiting: readonly QueuedJob[], now: number): number | undefined {
  const normal = waiting.filter((job) => !job.lowPriority && dayOf(job.queuedAt) >= dayOf(now - WEEK));
  if (normal.length === 0) return undefined;
  return Math.max(0, now - (Math.min(...normal.map(spanOf)) + 1) * 10 * SECOND);
}

describe('the positions of jobs and the age of the oldest waiting job', () => {
  it('equal those of a scan of all jobs, however changes are repeated and batched, and after any crash', async () => {
    const { clock, ports } = emulated;
    const crashed = new Error('crashed');
    let number = 0;
    const property = fc.asyncProperty(
      fc.array(happenings, { minLength: 10, maxLength: 60 }),
      fc.infiniteStream(batches),
      async (all, stream) => {
        number += 1;
        const { id } = await emulated.deploy(`ar-${number}`);
        const jobs = jobsOf(id, () => clock.now());
        for (const happening of all) {
          if (happening.does === 'advance') clock.advance(happening.by);
          else jobs.happen(happening);
          if (happening.does === 'raise') await ports.endpoints.raiseGeneration(id, jobs.generation - 1);
        }

        let dies = false;
        const follower = portsWith(ports, {
          services: recordServices(),
          deadlines: { ...ports.deadlines, save: async () => undefined },
          arrivals: {
            ...ports.arrivals,
            add: (...args: Parameters<typeof ports.arrivals.add>) =>
              dies ? Promise.reject(crashed) : ports.arrivals.add(...args),
          },
        });
        const { changes } = jobs;
        for (let from = 0; from < changes.length; ) {
          const { value: batch } = stream.next();
          ({ dies } = batch);
          const failed = await record(follower, changes.slice(from, from + batch.size));
          expect(failed.filter(({ error }) => error !== crashed)).toEqual([]);
          from = Math.max(0, (failed.length === 0 ? from + batch.size : from) - batch.back);
        }
        dies = false;
        expect(await record(follower, changes.slice(-20))).toEqual([]);

        clock.advance(ENDPOINT_CACHE);
        const endpoint = await ports.endpoints.readNow(id);
        if (!endpoint) throw new Error(`Job ${id} does not exist.`);
        const waiting = jobs.waiting();
        const positions = await Promise.all(waiting.map((job) => queuePosition(ports, endpoint, job)));
        expect(positions).toEqual(waiting.map((job) => placeOf(job, waiting, clock.now())));
        expect(await oldestWaiting(ports, endpoint)).toBe(ageOf(waiting, clock.now()));
      },
    );
    await fc.assert(property, { seed: seedOf(PROPERTY_SEED), numRuns: 30, endOnFailure: true });
  }, 120_000);
});
