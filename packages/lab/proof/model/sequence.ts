/** Runs a sequence of steps against the product, and records its operations, answers and writes. */
import { messageOf, queueOf } from '../../../../core/jobs/queues.ts';
import { HOUR, REPORT_GRACE } from '../../../../core/limits.ts';
import type { Schedule } from '../../../../test/support/schedule.ts';
import { type Caller, Crashed, inContext } from '../calls/context.ts';
import type { FaultPlan } from '../calls/faults.ts';
import { createStaleReads } from '../calls/stale-reads.ts';
import type { Bench } from './bench.ts';
import { createCast } from './cast.ts';
import { createHistory, type Done } from './history.ts';
import { createLog } from './log.ts';
import type { Moment, Operation, Step } from './operations.ts';
import { outcomeOf, performAsClient, performAsWorker, recordChanges, type Scene, sweepOnce } from './perform.ts';
import { seenStale } from './stale.ts';

export interface Sequence extends Scene {
  readonly bench: Bench;
  readonly schedule: Schedule;
  readonly faults: FaultPlan;
  step(step: Step): Promise<void>;
  /** Performs one operation and waits for it. */
  perform(operation: Operation): Promise<Done>;
  /** Removes the endpoint of the sequence. */
  end(): Promise<void>;
}

/**
 * Moves the clock to the next full hour, so that every sequence begins at the same time of the hour and can be
 * repeated.
 */
async function toTheHour({ clock }: Bench): Promise<void> {
  await clock.pause(HOUR - (clock.now() % HOUR));
}

export async function startSequence(bench: Bench, schedule: Schedule, faults: FaultPlan): Promise<Sequence> {
  const { emulated, clock, foreign } = bench;
  await toTheHour(bench);
  const number = bench.nextNumber();
  const endpoint = await emulated.deploy(`m${number}`);
  await emulated.changes();

  const log = createLog();
  const stale = seenStale(createStaleReads(), clock);
  bench.use({
    schedule,
    faults,
    onExecuted(executed) {
      stale.record(executed);
      log.record(executed, clock.now());
    },
    seen: stale.seen,
  });
  const cast = createCast(bench, endpoint);
  const history = createHistory();
  const scene: Scene = { cast, history, log, jobs: [], foreign, stream: { pending: [], recorded: [], isBusy: false } };

  function actionOf(done: Done): { caller: Caller; act: () => Promise<unknown> } {
    const { operation } = done;
    if ('worker' in operation) {
      const process = cast.worker(operation.worker);
      return { caller: process.caller, act: () => performAsWorker(scene, done, process, operation) };
    }
    const { caller } = cast.clockwork();
    if (operation.does === 'sweep') return { caller, act: () => sweepOnce(scene) };
    if (operation.does === 'record') return { caller, act: () => recordChanges(scene, operation.max, operation.again) };
    const api = cast.api(done.number);
    return { caller: api.caller, act: () => performAsClient(scene, done, api.ports, operation) };
  }

  function begin(operation: Operation): Done {
    const done: Done = {
      number: history.dones.length,
      operation,
      caller: undefined as never,
      job: undefined,
      start: log.length,
      end: log.length,
      from: clock.now(),
      to: clock.now(),
      outcome: { is: 'pending' },
    };
    const { caller, act } = actionOf(done);
    Object.assign(done, { caller });
    history.dones.push(done);
    const context = { caller, operation: operation.does, number: done.number };
    const over = (outcome: Done['outcome']) => Object.assign(done, { outcome, end: log.length, to: clock.now() });
    const ended = Promise.race([inContext(context, () => outcomeOf(act())), caller.died]);
    ended.then(over, (error: unknown) => {
      if (!(error instanceof Crashed)) throw error;
      over({ is: 'crashed' });
    });
    return done;
  }

  /** Number of job writes that were read from the stream. */
  let followed = 0;

  async function runAll(): Promise<void> {
    await schedule.runAll();
    cast.replaceDead();
    if (log.jobWrites === followed) return;
    followed = log.jobWrites;
    scene.stream.pending.push(...(await emulated.changes()).filter(isOfEndpoint));
  }

  const isOfEndpoint = ({ after, before }: Scene['stream']['pending'][number]) =>
    (after ?? before)?.endpoint === endpoint.id;

  async function reach({ job, of, by }: Moment): Promise<void> {
    const stored = log.versionsOf(scene.jobs[job % Math.max(1, scene.jobs.length)] ?? '').at(-1)?.job;
    const moment = (stored as Readonly<Record<string, unknown>> | undefined)?.[of];
    if (typeof moment !== 'number') return;
    // For every other job, reach the end of the grace instead of the deadline.
    const grace = of === 'executionDeadline' && job % 2 === 0 ? REPORT_GRACE : 0;
    const target = moment + grace + by;
    if (target > clock.now()) await clock.pause(target - clock.now());
  }

  async function redeliver(number: number): Promise<void> {
    const job = log.versionsOf(scene.jobs[number % Math.max(1, scene.jobs.length)] ?? '').at(-1)?.job;
    if (job) await emulated.ports.jobQueues.send(queueOf(endpoint, job), messageOf(job));
  }

  return {
    ...scene,
    bench,
    schedule,
    faults,

    async step(step) {
      switch (step.does) {
        case 'together':
          for (const operation of step.operations) begin(operation);
          return runAll();
        case 'advance':
          return clock.pause(step.milliseconds);
        case 'reach':
          return reach(step.moment);
        case 'redeliver':
          return redeliver(step.job);
        case 'kill':
          cast.worker(step.worker).caller.die();
          return runAll();
        case 'release':
          schedule.release();
          return runAll();
      }
    },

    async perform(operation) {
      const done = begin(operation);
      await runAll();
      return done;
    },

    end: () => emulated.undeploy(endpoint),
  };
}
