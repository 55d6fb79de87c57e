/** Writes the phases of each process of Jest for `npm run profile -w packages/lab`. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Circus } from '@jest/types';

/** The variable with the file's path. Without it, nothing is written. */
export const TIMELINE = 'TEST_TIMELINE';

/** The phases in order: load modules, run `beforeAll`, run tests, run `afterAll`, wait for the next file. */
export type Phase = 'loading' | 'preparing' | 'testing' | 'ending' | 'waiting';

export interface TimelineEntry {
  /** Number of the Jest process, as in JEST_WORKER_ID. */
  readonly worker: string;
  readonly file: string;
  readonly phase: Phase;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * @param file path relative to the repository
 * @returns a function that writes a phase of the file
 */
export function createTimeline(file: string): (phase: Phase) => void {
  const { [TIMELINE]: log, JEST_WORKER_ID: worker = '' } = process.env;
  let present: Phase | undefined;
  return (phase) => {
    if (!log || phase === present) return;
    present = phase;
    const entry: TimelineEntry = { worker, file, phase, at: Date.now() };
    appendFileSync(log, `${JSON.stringify(entry)}\n`);
  };
}

/** Returns the phase that begins with this event of Jest's framework, if there is one. */
export function phaseFrom(event: Circus.AsyncEvent | Circus.SyncEvent): Phase | undefined {
  if (event.name === 'run_start') return 'preparing';
  if (event.name === 'test_start') return 'testing';
  if (event.name === 'hook_start' && event.hook.type === 'afterAll') return 'ending';
  return undefined;
}

export function readTimeline(log: string): TimelineEntry[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as TimelineEntry);
}
