/**
 * Keeps a runner for each job at a time and talks to the agent for them. No handler runs in this process, so it can
 * stop a job at any time and end all that the handler has started.
 */
import { SECOND, STOP_GRACE } from '../../core/limits.ts';
import { SELF } from '../../core/workers/protocol.ts';
import { onEndSignal, sleep } from '../process.ts';
import { type AgentClient, createAgentClient, type TakenJob } from './agent-client.ts';
import { type Runner, startRunner } from './runner-process.ts';

/** Between the starts of runners that die before they had a job. */
const FIRST_PAUSE = SECOND;
const LONGEST_PAUSE = 30 * SECOND;

interface RunnerKeeper {
  /** The runner, as soon as its handler is loaded; undefined once the worker stops. */
  ready(): Promise<Runner | undefined>;
  /** Ends the runner. */
  end(): Promise<void>;
}

/** Keeps one runner at any time: starts another as soon as one ends, without waiting for a job. */
function keepRunner(stopping: AbortSignal): RunnerKeeper {
  let runner: Runner;
  let ready = Promise.withResolvers<Runner | undefined>();
  let pause = FIRST_PAUSE;
  stopping.addEventListener('abort', () => ready.resolve(undefined), { once: true });

  async function replace(dead: Runner, reason: string): Promise<void> {
    if (stopping.aborted) return;
    ready = Promise.withResolvers();
    if (dead.used) {
      pause = FIRST_PAUSE;
    } else {
      console.error(`The process of the handler ended before it had a job (${reason}). Starting it in ${pause} ms.`);
      await sleep(pause, stopping);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
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
 *  1. The runner runs it, while the supervisor polls the agent whether it must stop.
 *  2. If so, its signal aborts; after the grace its process group is killed. Nothing is reported: the job has ended.
 *  3. If the process of the handler dies, nothing is reported either. The agent requeues the job.
 */
async function runJob(agent: AgentClient, runner: Runner, job: TakenJob): Promise<void> {
  const over = new AbortController();
  let stopped = false;
  void agent.stopped(job.id, over.signal).then(async (stop) => {
    if (!stop) return;
    stopped = true;
    runner.stop(job.id);
    await sleep(STOP_GRACE, over.signal);
    if (!over.signal.aborted) runner.kill();
  });
  const report = await runner.run(job);
  over.abort();
  if (report !== undefined && !stopped) return agent.report(job.id, report);
  if (!stopped) console.error(`The process of the handler ended (${await runner.ended}) while it ran job ${job.id}.`);
  await agent.letGo();
}

/**
 * Runs one job after the other. It takes a job only when a runner is ready, because the job's time runs from the take.
 */
async function runSlot(agent: AgentClient, stopping: AbortSignal): Promise<void> {
  const keeper = keepRunner(stopping);
  for (;;) {
    const runner = await keeper.ready();
    if (!runner || stopping.aborted) break;
    const job = await agent.take(AbortSignal.any([stopping, runner.gone]));
    if (job) await runJob(agent, runner, job);
    // A job may have been on its way when the runner died.
    else if (runner.gone.aborted) await agent.letGo();
  }
  await keeper.end();
}

/** Runs up to `concurrency` jobs at once until SIGTERM or SIGINT. Running jobs are finished and reported first. */
export async function supervise(concurrency: number): Promise<void> {
  const stopping = new AbortController();
  onEndSignal(() => stopping.abort());
  const slots = Array.from({ length: concurrency }, (_, n) => createAgentClient(n === 0 ? SELF : `${SELF}-${n + 1}`));
  await Promise.all(slots.map((agent) => runSlot(agent, stopping.signal)));
}
