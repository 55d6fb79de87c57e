/** Runs `npx gpu-endpoints worker` as a user does: as a process that prints and can be interrupted. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually, record } from './local-service.ts';

export interface Attached {
  /** Resolves with the worker's id when the command has started. */
  worker(): Promise<string>;
  /** Resolves with the exit code of the process. */
  readonly ended: Promise<number | null>;
  /** Sends Ctrl-C. Resolves when the process would handle another Ctrl-C as a second one. */
  interrupt(): Promise<void>;
  /** Kills the process, so that it cannot stop its command itself. */
  kill(): void;
  printed(): string;
}

/** Milliseconds after an interrupt in which a second interrupt is ignored. */
const NEXT_INTERRUPT = 400;

export function attach(stateDir: string, args: readonly string[]): Attached {
  const env = { ...process.env, LOCAL_STATE_DIR: stateDir, INIT_CWD: process.cwd(), AWS_PROFILE: 'profile-of-mine' };
  const child = spawn(process.execPath, ['bin/cli.ts', 'worker', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = record(child);
  return {
    printed,
    worker: () => eventually('the command has started', () => /is worker (\w+) of/.exec(printed())?.[1]),
    ended: once(child, 'close').then(([code]) => code as number | null),
    async interrupt() {
      child.kill('SIGINT');
      const isTaken = () => /Stopping: |The command was killed/.test(printed()) || child.exitCode !== null || undefined;
      await eventually('the interrupt was handled', isTaken);
      await delay(NEXT_INTERRUPT);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
