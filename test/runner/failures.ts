/** Records whether the current test file has failed, so that the folder of its output is kept. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConsoleBuffer } from '@jest/console';
import type { Circus } from '@jest/types';
import { inRunFolder } from './run-folder.ts';

/** A file of the run's folder that exists if a test file has failed. */
const FAILED = 'failed';

const isFailure = (event: Circus.AsyncEvent | Circus.SyncEvent) =>
  event.name === 'hook_failure' ||
  event.name === 'error' ||
  (event.name === 'test_done' && event.test.errors.length > 0);

/** Marks the run's folder to be kept after the run. */
export function keepRunFolder(): void {
  writeFileSync(inRunFolder(FAILED), '');
}

/** Returns the path of a file that exists if the run's folder is to be kept. */
export const failedMark = (): string => inRunFolder(FAILED);

/** A file in the folder of a failed test file. */
const CONSOLE = 'console.txt';

export function keepConsole(folder: string, entries: ConsoleBuffer): void {
  if (entries.length === 0) return;
  writeFileSync(join(folder, CONSOLE), entries.map(({ type, message }) => `${type}: ${message}\n`).join(''));
}

export function keptConsole(folder: string): string {
  const path = join(folder, CONSOLE);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

export interface Failures {
  /** Whether all tests have run and passed. If not, a test has failed or the file could not be loaded. */
  readonly none: boolean;
  handle(event: Circus.AsyncEvent | Circus.SyncEvent): void;
}

export function watchFailures(): Failures {
  let any = false;
  let ended = false;
  return {
    get none() {
      return ended && !any;
    },
    handle(event) {
      any ||= isFailure(event);
      ended ||= event.name === 'run_finish';
    },
  };
}
