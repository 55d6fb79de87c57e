/**
 * Labels the lines that a handler prints with its job: several jobs may run on one worker, and their lines are mixed.
 */
import { format } from 'node:util';

const levels = ['debug', 'info', 'log', 'warn', 'error'] as const;

/**
 * Makes each call of the console while a job runs one line of JSON, `{timestamp, level, jobId, message}`, traces
 * included. In a terminal, and while no job runs, the console does not change.
 * @param runningJob id of the job that runs, if one does
 */
export function labelConsole(runningJob: () => string | undefined, isTerminal = process.stdout.isTTY): void {
  if (isTerminal) return;
  for (const level of levels) {
    const plain = console[level].bind(console);
    console[level] = (...values: unknown[]) => {
      const jobId = runningJob();
      if (jobId === undefined) return plain(...values);
      const timestamp = new Date().toISOString();
      const line = { timestamp, level: level === 'log' ? 'info' : level, jobId, message: format(...values) };
      // As the value of a format, so that a percent sign in it is no directive.
      plain('%s', JSON.stringify(line));
    };
  }
}
