/** Ends what `before-all-files.ts` and failed tests have started. The run's folder stays if a test has failed: its logs are in it. */
import { existsSync, rmSync } from 'node:fs';
import { failedMark } from './failures.ts';
import { endProcessesOfRun, inRunFolder } from './run-folder.ts';

const ends: (() => Promise<void>)[] = [];

export function whenAllFilesHaveRun(end: () => Promise<void>): void {
  ends.push(end);
}

export default async function afterAllFiles(): Promise<void> {
  for (const end of ends.reverse()) await end();
  // A process that a failed test has left, and whose output it reads, would keep the run from ending.
  const left = endProcessesOfRun();
  if (left > 0) console.error(`Ended ${left} ${left === 1 ? 'process' : 'processes'} that a test had left behind.`);
  if (!existsSync(failedMark())) rmSync(inRunFolder(), { recursive: true, force: true });
}
