/** The process of `npm start`, whose end ends the run. npm passes SIGTERM on, but cannot pass on a SIGKILL. */
import { isRunning, type RunningProcess, runningProcess } from './processes.ts';

/** Milliseconds between two looks at npm. */
const PERIOD = 500;

/** Returns the process of npm if it started this process. The command of the script replaces its shell. */
export const npmProcess = (env: NodeJS.ProcessEnv): RunningProcess | undefined =>
  env.npm_lifecycle_event === 'start' ? runningProcess(process.ppid) : undefined;

/** Calls `ended` when the process has ended. */
export function onEndOf(watched: RunningProcess, ended: () => void): void {
  const timer = setInterval(() => {
    if (isRunning(watched)) return;
    clearInterval(timer);
    ended();
  }, PERIOD).unref();
}
