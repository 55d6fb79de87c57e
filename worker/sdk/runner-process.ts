/** Starts and controls the runner, which is the process of the handler. Used by its supervisor. */
import { type ChildProcess, fork } from 'node:child_process';
import { environmentWith } from '../../aws/environment.ts';
import type { TakenJob } from './agent-client.ts';
import { type Notice, type Order, RUNNER } from './runner.ts';

export interface Runner {
  /** Resolves when the runner has loaded its handler. Never resolves if the runner exits before that. */
  readonly ready: Promise<void>;
  /** Resolves with how the runner exited, such as `exit code 1`, after its process group was killed. */
  readonly ended: Promise<string>;
  /** Aborts when the runner has exited. */
  readonly gone: AbortSignal;
  /** Whether the runner has ever had a job. */
  readonly hasHadJob: boolean;
  /** Runs a job. Resolves with the body of `job-done`, or with undefined if the runner exits. */
  run(job: TakenJob): Promise<string | undefined>;
  /** Asks the handler to end the job. */
  stop(id: string): void;
  /** Kills the runner and its process group. */
  kill(): void;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: the process group is empty.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Starts the script of this process again as a runner, in its own process group. */
export function startRunner(): Runner {
  const [, script, ...args] = process.argv;
  if (!script) throw new Error('A worker that calls `serve` must be a script: it is started again to run the handler.');
  const child = fork(script, args, {
    detached: true,
    env: environmentWith({ [RUNNER]: 'true' }),
    // Strings of 20 MB pass ten times as fast as with JSON.
    serialization: 'advanced',
    // The last one has the descriptor `LIFELINE`: a pipe that closes when this process exits.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
  });
  const gone = new AbortController();
  const { promise: ready, resolve: resolveReady } = Promise.withResolvers<void>();
  const { promise: ended, resolve: resolveEnded } = Promise.withResolvers<string>();
  let hasHadJob = false;
  let finishJob: ((report: string | undefined) => void) | undefined;

  child.on('message', (notice: Notice) => {
    if (notice.type === 'ready') resolveReady();
    else finishJob?.(notice.report);
  });

  function end(reason: string): void {
    killGroup(child);
    gone.abort();
    finishJob?.(undefined);
    resolveEnded(reason);
  }
  child.once('error', (error) => end(error.message));
  child.once('exit', (code, signal) => end(code === null ? `signal ${signal}` : `exit code ${code}`));
  // A message to a runner that has just exited is lost.
  const send = (order: Order) => void child.send(order, () => undefined);

  return {
    ready,
    ended,
    gone: gone.signal,
    get hasHadJob() {
      return hasHadJob;
    },

    run(job) {
      const { promise: report, resolve } = Promise.withResolvers<string | undefined>();
      hasHadJob = true;
      finishJob = resolve;
      if (gone.signal.aborted) finishJob(undefined);
      else send({ type: 'run', ...job });
      return report;
    },

    stop: (id) => send({ type: 'stop', id }),
    kill() {
      // Another process group can have the id of a runner that has exited.
      if (!gone.signal.aborted) killGroup(child);
    },
  };
}
