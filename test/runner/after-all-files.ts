/** Ends what `before-all-files.ts` and failed tests have started. The run's folder stays if a test has failed: its logs are in it. */
import { existsSync, rmSync } from 'node:fs';
import type { Config } from '@jest/types';
import { failedMark } from './failures.ts';
import { endProcessesOfRun, inRunFolder } from './run-folder.ts';

const ends: (() => Promise<void>)[] = [];

export function whenAllFilesHaveRun(end: () => Promise<void>): void {
  ends.push(end);
}

/** Milliseconds for Jest to write its results: then the run ends, whatever timers a failed test has left. */
const PATIENCE = 5_000;

export default async function afterAllFiles({ watch, watchAll }: Config.GlobalConfig): Promise<void> {
  for (const end of ends.reverse()) await end();
  // A process that a failed test has left, and whose output it reads, would keep the run from ending.
  const left = endProcessesOfRun();
  if (left > 0) console.error(`Ended ${left} ${left === 1 ? 'process' : 'processes'} that a test had left behind.`);
  // Unreferenced, so that it keeps no run from ending sooner.
  if (!watch && !watchAll) setTimeout(() => process.exit(), PATIENCE).unref();
  if (!existsSync(failedMark())) rmSync(inRunFolder(), { recursive: true, force: true });
}
