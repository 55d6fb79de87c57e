/** `npm run worker` as its user runs it: a process that is interrupted, and what it prints. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually, record } from './local-service.ts';

export interface Attached {
  /** The worker's id, once the command has been started. */
  worker(): Promise<string>;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
  /** Ctrl-C; resolves when another one counts as another. */
  interrupt(): Promise<void>;
  /** The terminal is lost, and nothing can be told any more. */
  kill(): void;
  printed(): string;
}

export function attach(stateDir: string, args: readonly string[]): Attached {
  const env = { ...process.env, LOCAL_STATE_DIR: stateDir, INIT_CWD: process.cwd(), AWS_PROFILE: 'profile-of-mine' };
  const child = spawn(process.execPath, ['local/attach/main.ts', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = record(child);
  return {
    printed,
    worker: () => eventually('the command is started', () => /is worker (\w+) of/.exec(printed())?.[1]),
    ended: once(child, 'close').then(([code]) => code as number | null),
    async interrupt() {
      child.kill('SIGINT');
      await delay(400);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
