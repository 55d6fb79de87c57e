/**
 * The process of `npm start` or `npx`, whose end ends the run. npm passes SIGTERM on to its child, which is a shell for
 * `npx`, but cannot pass on a SIGKILL.
 */
import { isRunning, type RunningProcess, runningProcess } from './processes.ts';

/** Milliseconds between two looks at npm. */
const PERIOD = 500;

/** Values of `npm_lifecycle_event` for `npm start` and `npx`. */
const EVENTS: readonly unknown[] = ['start', 'npx'];

/**
 * Returns the process of npm if it started this process. The command of the script `start` replaces its shell; the shell
 * of `npx` stays, ends by the same SIGTERM, and is returned instead.
 */
export const npmProcess = (env: NodeJS.ProcessEnv): RunningProcess | undefined =>
  EVENTS.includes(env.npm_lifecycle_event) ? runningProcess(process.ppid) : undefined;

/** Calls `ended` when the process has ended. */
export function onEndOf(watched: RunningProcess, ended: () => void): void {
  const timer = setInterval(() => {
    if (isRunning(watched)) return;
    clearInterval(timer);
    ended();
  }, PERIOD).unref();
}
