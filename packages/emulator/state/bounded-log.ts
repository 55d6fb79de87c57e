/** Log files of bounded size, so that a run of many days does not fill the disk. */
import { closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

export interface BoundedLog {
  /** Appends to the log. A closed log ignores it. */
  write(chunk: Uint8Array | string): void;
  close(): void;
}

/** Maximum size of a log, in bytes: its file, and the file of its earlier output. */
const LOG_LIMIT = 8 * 1024 * 1024;

/** Number of log files that are kept of containers that have exited. */
const ENDED_LOGS = 100;

/** The file with the earlier output of a log. */
const earlierOf = (file: string) => `${file}.1`;

/**
 * Opens a log and appends to it. When the file has half of the maximum size, it is renamed to `FILE.1`, which replaces
 * the earlier output.
 */
export function openBoundedLog(file: string, limit: number = LOG_LIMIT): BoundedLog {
  const open = () => openSync(file, 'a', 0o600);
  let descriptor: number | undefined = open();
  let { size } = fstatSync(descriptor);
  return {
    write(chunk) {
      if (descriptor === undefined) return;
      const bytes = Buffer.byteLength(chunk);
      if (size > 0 && size + bytes > limit / 2) {
        closeSync(descriptor);
        renameSync(file, earlierOf(file));
        descriptor = open();
        size = 0;
      }
      writeSync(descriptor, typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
      size += bytes;
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** Returns a function that records the logs of exited containers, and removes the oldest of them beyond the maximum. */
export function createEndedLogs(max: number = ENDED_LOGS): (files: readonly string[]) => void {
  const ended = new Set<string>();
  return (files) => {
    for (const file of files) ended.add(file);
    for (const oldest of [...ended].slice(0, -max)) {
      ended.delete(oldest);
      for (const file of [oldest, earlierOf(oldest)]) rmSync(file, { force: true });
    }
  };
}
