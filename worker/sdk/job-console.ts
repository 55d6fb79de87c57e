/**
 * Adds the job's id to the lines that a handler prints, because several jobs may run on one worker and mix their
 * lines.
 */
import { format } from 'node:util';

const levels = ['debug', 'info', 'log', 'warn', 'error'] as const;

/**
 * Changes the console so that each call during a job prints one line of JSON, `{timestamp, level, jobId,
 * message}`, including traces. In a terminal, and while no job runs, the console does not change.
 * @param runningJob returns the id of the job that runs, if there is one
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
      // The text is passed as a value, so that the console does not interpret a percent sign in it.
      plain('%s', JSON.stringify(line));
    };
  }
}
