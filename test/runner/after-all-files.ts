/** Ends what `before-all-files.ts` has started. The run's folder stays if a test has failed: its logs are in it. */
import { existsSync, rmSync } from 'node:fs';
import { failedMark } from './failures.ts';
import { inRunFolder } from './run-folder.ts';

const ends: (() => Promise<void>)[] = [];

export function whenAllFilesHaveRun(end: () => Promise<void>): void {
  ends.push(end);
}

export default async function afterAllFiles(): Promise<void> {
  for (const end of ends.reverse()) await end();
  if (!existsSync(failedMark())) rmSync(inRunFolder(), { recursive: true, force: true });
}
