import { renameSync, writeFileSync } from 'node:fs';
import type { UsageRecord } from '../iam/usage.ts';
import { LocalError } from '../local-error.ts';

const PERIOD = 1_000;

export interface UsageFile {
  /** Writes the file for the last time. */
  close(): void;
}

/**
 * Writes the use of all permissions to a file, which is at most one second out of date.
 * @throws LocalError if the file cannot be written at the start
 */
export function keepUsageFile(file: string, usage: UsageRecord, notify: (text: string) => void): UsageFile {
  const write = () => {
    try {
      writeFileSync(`${file}.draft`, `${JSON.stringify(usage.report(), null, 2)}\n`, { mode: 0o600 });
      renameSync(`${file}.draft`, file);
    } catch (error) {
      throw new LocalError(`The use of permissions cannot be written: ${(error as Error).message}.`, { cause: error });
    }
  };
  write();
  const timer = setInterval(() => {
    if (!usage.hasChanged()) return;
    try {
      write();
    } catch (error) {
      notify((error as LocalError).message);
    }
  }, PERIOD);
  return {
    close() {
      clearInterval(timer);
      write();
    },
  };
}
