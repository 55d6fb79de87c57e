/** Runs `npm run worker` as its user does: as a process that prints and is interrupted. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually, record } from './local-service.ts';

export interface Attached {
  /** The worker's id, once the command has started. */
  worker(): Promise<string>;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
  /** Presses Ctrl-C; resolves when a second one counts as such. */
  interrupt(): Promise<void>;
  /** Closes the terminal, so that nothing can be printed. */
  kill(): void;
  printed(): string;
}

/** Milliseconds after an interrupt; a second one within them counts as the same. */
const NEXT_INTERRUPT = 400;

export function attach(stateDir: string, args: readonly string[]): Attached {
  const env = { ...process.env, LOCAL_STATE_DIR: stateDir, INIT_CWD: process.cwd(), AWS_PROFILE: 'profile-of-mine' };
  const child = spawn(process.execPath, ['local/attach-server/main.ts', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = record(child);
  return {
    printed,
    worker: () => eventually('the command is started', () => /is worker (\w+) of/.exec(printed())?.[1]),
    ended: once(child, 'close').then(([code]) => code as number | null),
    async interrupt() {
      child.kill('SIGINT');
      const isTaken = () => /Ending: |Ended at once/.test(printed()) || child.exitCode !== null || undefined;
      await eventually('the interrupt is taken', isTaken);
      await delay(NEXT_INTERRUPT);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
