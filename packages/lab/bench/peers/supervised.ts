/** Starts a process again whenever it ends, like systemd or ECS. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { listening } from '../../../emulator/network/ports.ts';
import { kill, killTree } from './processes.ts';

/** Time limit for a process to listen on a busy machine, and for it to stop after a signal. */
const START_LIMIT = 60_000;
const STOP_LIMIT = 5_000;
/** Pause before a new start. */
const PAUSE = 500;

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  readonly folder?: string;
  /**
   * Port that the process listens on.
   * @default - the process is ready when it has started
   */
  readonly port?: number;
  /** File for the output of the process. */
  readonly log: string;
  readonly stopSignal?: NodeJS.Signals;
  /**
   * User and group of the process.
   * @default - those of this process
   */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
}

export interface Supervised {
  pid(): number;
  /** Kills the process and its descendants, and waits until it runs again. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
let isOver = false;

/** Kills all processes, for a command that ends early. */
export function killSupervised(): void {
  isOver = true;
  for (const { pid } of running) if (pid !== undefined) kill(pid);
}
process.once('exit', killSupervised);

export async function supervise(program: Program): Promise<Supervised> {
  const { command, args, environment, folder, port, log, stopSignal = 'SIGTERM', user } = program;
  let child: ChildProcess;
  let isStopping = false;

  function start(): void {
    const output = openSync(log, 'a');
    const started = spawn(command, args, {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: ['ignore', output, output],
      // The signal of Ctrl-C is not sent to the child.
      detached: true,
      ...user,
    });
    closeSync(output);
    running.add(started);
    started.once('exit', async () => {
      running.delete(started);
      await delay(isStopping ? 0 : PAUSE);
      if (!isStopping && !isOver) start();
    });
    child = started;
  }

  async function ready(): Promise<void> {
    if (port === undefined || (await listening(port, AbortSignal.timeout(START_LIMIT)))) return;
    throw new Error(`${command} does not listen on port ${port}; see ${log}.`);
  }

  start();
  await ready();
  return {
    pid: () => child.pid ?? 0,
    async kill() {
      const killed = child;
      await killTree([killed.pid ?? 0]);
      while (child === killed) await delay(10);
      await ready();
    },
    async stop() {
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(stopSignal);
      const patience = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT);
      await ended;
      clearTimeout(patience);
    },
  };
}
