/**
 * Stops the processes that `before-all-files.ts` and failed tests have started. If a test has failed, the run's
 * folder is kept, because it contains the logs.
 */
import { existsSync, rmSync } from 'node:fs';
import type { Config } from '@jest/types';
import { failedMark } from './failures.ts';
import { endProcessesOfRun, inRunFolder } from './run-folder.ts';

const ends: (() => Promise<void>)[] = [];

export function whenAllFilesHaveRun(end: () => Promise<void>): void {
  ends.push(end);
}

/** Milliseconds for Jest to write its results. Then the run exits, whatever timers a failed test has left. */
const PATIENCE = 5_000;

export default async function afterAllFiles({ watch, watchAll }: Config.GlobalConfig): Promise<void> {
  for (const end of ends.reverse()) await end();
  // A process that a failed test has left would prevent the run from exiting, because the run reads its output.
  const left = endProcessesOfRun();
  if (left > 0) console.error(`Killed ${left} ${left === 1 ? 'process' : 'processes'} that a test had left running.`);
  // Unreferenced, so that the timer does not keep the run alive.
  if (!watch && !watchAll) setTimeout(() => process.exit(), PATIENCE).unref();
  if (!existsSync(failedMark())) rmSync(inRunFolder(), { recursive: true, force: true });
}
