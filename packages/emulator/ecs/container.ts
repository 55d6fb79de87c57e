/** A container on this machine: a process in a separate process group, with a log file. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { kill } from '../state/processes.ts';
import { keepOutput } from './container-output.ts';

export interface ContainerOptions {
  readonly command: readonly [string, ...string[]];
  readonly folder: string;
  /** All variables of the container; the environment of this process is not inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log: string;
  /** Receives each line that the container prints. */
  print(line: string): void;
}

export interface ContainerEnd {
  /** Description of the exit, such as `exit code 1`. */
  readonly how: string;
  /**
   * Exit code as Docker reports it: 128 plus the signal number after a signal. Undefined if the process could not
   * be started.
   */
  readonly exitCode?: number;
}

export interface Container {
  readonly ended: Promise<ContainerEnd>;
  /**
   * Sends SIGTERM, only one time even if called again, and SIGKILL if the process does not exit.
   * @param grace milliseconds between the two signals
   */
  stop(grace: number): Promise<void>;
  /** Kills the process, as a crash would. */
  crash(): void;
}

/**
 * Starts the process. As in a container, the exit of the main process kills all processes that it started, and only
 * the main process gets SIGTERM.
 */
export function startContainer(options: ContainerOptions): Container {
  const { command, folder, environment, log, print } = options;
  const [program, ...args] = command;
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  keepOutput(child, log, print);

  const { pid } = child;
  const { promise: ended, resolve } = Promise.withResolvers<ContainerEnd>();
  child.once('error', (error) => resolve({ how: error.message }));
  child.once('exit', (code, signal) => {
    if (pid !== undefined) kill(-pid, 'SIGKILL');
    if (signal !== null) resolve({ how: `signal ${signal}`, exitCode: 128 + constants.signals[signal] });
    else resolve({ how: `exit code ${code}`, exitCode: code ?? 0 });
  });
  let asked = false;

  return {
    ended,
    async stop(grace) {
      if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      if (!asked) kill(pid, 'SIGTERM');
      asked = true;
      const waiting = new AbortController();
      const overdue = delay(grace, true, { signal: waiting.signal }).catch(() => false);
      if (await Promise.race([overdue, ended.then(() => false)])) kill(-pid, 'SIGKILL');
      waiting.abort();
      await ended;
    },
    crash() {
      if (pid !== undefined && child.exitCode === null && child.signalCode === null) kill(-pid, 'SIGKILL');
    },
  };
}
