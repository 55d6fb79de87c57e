/** The process that runs the handler, seen from its supervisor. */
import { type ChildProcess, fork } from 'node:child_process';
import { environmentWith } from '../../aws/environment.ts';
import type { TakenJob } from './agent-client.ts';
import { type Notice, type Order, RUNNER } from './runner.ts';

export interface Runner {
  /** Resolves when its handler is there; never, if it dies before. */
  readonly ready: Promise<void>;
  /** Resolves with how it ended, such as `exit code 1`, when what it had started is killed. */
  readonly ended: Promise<string>;
  /** Aborts when it has ended. */
  readonly gone: AbortSignal;
  /** Whether it ever had a job. */
  readonly used: boolean;
  /** Runs a job. Resolves with the body of `job-done`, or with nothing if the runner dies. */
  run(job: TakenJob): Promise<string | undefined>;
  /** Asks the handler to end the job. */
  stop(id: string): void;
  /** Kills it with all that it started. */
  kill(): void;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}

/** Starts this process's script again, as a runner in a process group of its own. */
export function startRunner(): Runner {
  const [, script, ...args] = process.argv;
  if (!script) throw new Error('A worker that calls `serve` must be a script: it is started again to run the handler.');
  const child = fork(script, args, {
    detached: true,
    env: environmentWith({ [RUNNER]: 'true' }),
    // Texts of 20 MB pass ten times as fast as in JSON.
    serialization: 'advanced',
    // The last one is the lifeline: it breaks when this process dies.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
  });
  const gone = new AbortController();
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();
  const { promise: ended, resolve: hasEnded } = Promise.withResolvers<string>();
  let used = false;
  let settle: ((report: string | undefined) => void) | undefined;

  child.on('message', (notice: Notice) => {
    if (notice.type === 'ready') isReady();
    else settle?.(notice.report);
  });

  function end(reason: string): void {
    killGroup(child);
    gone.abort();
    settle?.(undefined);
    hasEnded(reason);
  }
  child.once('error', (error) => end(error.message));
  child.once('exit', (code, signal) => end(code === null ? `signal ${signal}` : `exit code ${code}`));
  // What it is told when it has just died is lost with it.
  const tell = (order: Order) => void child.send(order, () => undefined);

  return {
    ready,
    ended,
    gone: gone.signal,
    get used() {
      return used;
    },

    run(job) {
      const { promise: settled, resolve } = Promise.withResolvers<string | undefined>();
      used = true;
      settle = resolve;
      if (gone.signal.aborted) settle(undefined);
      else tell({ type: 'run', ...job });
      return settled;
    },

    stop: (id) => tell({ type: 'stop', id }),
    kill: () => killGroup(child),
  };
}
