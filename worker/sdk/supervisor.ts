/**
 * Maintains one runner for each job that may run at the same time, and communicates with the agent for them. No
 * handler runs in this process, so it can always stop a job and kill all child processes of the handler.
 */

import { systemClock } from '../../core/clock.ts';
import { SECOND, STOP_GRACE } from '../../core/limits.ts';
import { SELF } from '../../core/workers/protocol.ts';
import { onEndSignal } from '../process.ts';
import { type AgentClient, createAgentClient, type TakenJob } from './agent-client.ts';
import { type Runner, startRunner } from './runner-process.ts';

/** Pause between the starts of runners that exit before they have had a job. */
const FIRST_PAUSE = SECOND;
const MAX_PAUSE = 30 * SECOND;

/** The reason that ends the polls for a stop of the job. Without one, `abort` creates an exception with its stack. */
const ENDED = 'The job has ended.';

interface RunnerKeeper {
  /** Returns the runner, as soon as its handler is loaded, or undefined once the worker stops. */
  ready(): Promise<Runner | undefined>;
  /** Kills the runner, and waits until it has exited. */
  end(): Promise<void>;
}

/** Maintains one runner: starts another as soon as the runner exits, without waiting for a job. */
function keepRunner(stopping: AbortSignal): RunnerKeeper {
  let runner: Runner;
  let ready = Promise.withResolvers<Runner | undefined>();
  let pause = FIRST_PAUSE;
  stopping.addEventListener('abort', () => ready.resolve(undefined), { once: true });

  async function replace(dead: Runner, reason: string): Promise<void> {
    if (stopping.aborted) return;
    ready = Promise.withResolvers();
    if (dead.hasHadJob) {
      pause = FIRST_PAUSE;
    } else {
      console.error(
        `The process of the handler exited before it had a job (${reason}). Starting another in ${pause} ms.`,
      );
      await systemClock.pause(pause, stopping);
      pause = Math.min(2 * pause, MAX_PAUSE);
    }
    if (!stopping.aborted) start();
  }

  function start(): void {
    const started = startRunner();
    runner = started;
    void started.ready.then(() => ready.resolve(started));
    void started.ended.then((reason) => replace(started, reason));
  }

  start();
  return {
    ready: () => ready.promise,
    async end() {
      runner.kill();
      await runner.ended;
    },
  };
}

/**
 * Runs one job.
 *  1. The runner runs the job, while the supervisor polls the agent for jobs to stop.
 *  2. If the job must stop, its signal aborts. After the grace period, the runner is killed. Nothing is
 * reported, because the job has ended.
 *  3. If the process of the handler exits, nothing is reported either. The agent requeues the job.
 */
async function runJob(agent: AgentClient, runner: Runner, job: TakenJob): Promise<void> {
  const over = new AbortController();
  let stopped = false;
  void agent.stopped(job.id, over.signal).then(async (stop) => {
    if (!stop) return;
    stopped = true;
    runner.stop(job.id);
    await systemClock.pause(STOP_GRACE, over.signal);
    if (!over.signal.aborted) runner.kill();
  });
  const report = await runner.run(job);
  over.abort(ENDED);
  if (report !== undefined && !stopped) return agent.report(job.id, report);
  if (!stopped) console.error(`The process of the handler exited (${await runner.ended}) while it ran job ${job.id}.`);
  await agent.letGo();
}

/**
 * Runs one job after the other. Takes a job only when a runner is ready, because the job's time runs from the
 * take.
 */
async function runSlot(agent: AgentClient, stopping: AbortSignal): Promise<void> {
  const keeper = keepRunner(stopping);
  for (;;) {
    const runner = await keeper.ready();
    if (!runner || stopping.aborted) break;
    const job = await agent.take(AbortSignal.any([stopping, runner.gone]));
    if (job) await runJob(agent, runner, job);
    // A job may have been taken before the runner exited.
    else if (runner.gone.aborted) await agent.letGo();
  }
  await keeper.end();
}

/**
 * Runs up to `concurrency` jobs at the same time until SIGTERM or SIGINT. Running jobs are finished and reported
 * first.
 */
export async function supervise(concurrency: number): Promise<void> {
  const stopping = new AbortController();
  onEndSignal(() => stopping.abort());
  const slots = Array.from({ length: concurrency }, (_, n) => createAgentClient(n === 0 ? SELF : `${SELF}-${n + 1}`));
  await Promise.all(slots.map((agent) => runSlot(agent, stopping.signal)));
}
