/** A container on this machine: a process in a group of its own, with a file for what it prints. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { kill } from '../processes.ts';

export interface ContainerOptions {
  readonly command: readonly [string, ...string[]];
  readonly folder: string;
  /** All of it: nothing of our own environment comes in. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log: string;
}

export interface Container {
  /** Resolves with how it ended, such as `exit code 1`. */
  readonly ended: Promise<string>;
  /**
   * Asks it to end, and ends it if it does not.
   * @param grace milliseconds between the two
   */
  stop(grace: number): Promise<void>;
}

/**
 * As in a container, the end of the main process is the end of all that it started; SIGTERM goes to the main process
 * alone.
 */
export function startContainer({ command: [program, ...args], folder, environment, log }: ContainerOptions): Container {
  const output = openSync(log, 'a', 0o600);
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);

  const { pid } = child;
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  child.once('error', (error) => resolve(error.message));
  child.once('exit', (code, signal) => {
    if (pid !== undefined) kill(-pid, 'SIGKILL');
    resolve(code === null ? `signal ${signal}` : `exit code ${code}`);
  });

  return {
    ended,
    async stop(grace) {
      if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      kill(pid, 'SIGTERM');
      const waiting = new AbortController();
      const overdue = delay(grace, true, { signal: waiting.signal }).catch(() => false);
      if (await Promise.race([overdue, ended.then(() => false)])) kill(-pid, 'SIGKILL');
      waiting.abort();
      await ended;
    },
  };
}
