/** Sums up processor time by file, phase, room and kind of process. */
import type { TimelineEntry } from '../../../test/runner/timeline.ts';
import { kindOf } from './kinds.ts';
import type { Use } from './processes.ts';

/** One reading of the processes of the run. */
export interface Sample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly uses: readonly Use[];
}

export interface Profile {
  readonly byKind: ReadonlyMap<string, number>;
  readonly byPhase: ReadonlyMap<string, number>;
  readonly byRoom: ReadonlyMap<string, number>;
  readonly byFile: ReadonlyMap<string, number>;
}

/** The row for processes that all files share, and for the time before the first file and after the last. */
const SHARED = 'the whole run';

function add(sums: Map<string, number>, name: string, seconds: number): void {
  sums.set(name, (sums.get(name) ?? 0) + seconds);
}

const roomOf = (file: string) => {
  const inTests = file.replace(/^test\/|^packages\/lab\//, '');
  return inTests.includes('/') ? (inTests.split('/')[0] ?? inTests) : inTests;
};

/** Counts each sample for the file that its Jest process was running when the sample was taken. */
export function sumsOf(samples: readonly Sample[], timeline: readonly TimelineEntry[]): Profile {
  const sums = {
    byKind: new Map<string, number>(),
    byPhase: new Map<string, number>(),
    byRoom: new Map<string, number>(),
    byFile: new Map<string, number>(),
  };
  const entries = Map.groupBy(timeline, ({ worker }) => worker);
  for (const { at, uses } of samples)
    for (const { command, worker, seconds } of uses) {
      if (seconds === 0) continue;
      const present = entries.get(worker)?.findLast((entry) => entry.at <= at);
      const file = present && present.phase !== 'waiting' ? present.file : SHARED;
      add(sums.byKind, kindOf(command), seconds);
      add(sums.byPhase, present?.phase ?? SHARED, seconds);
      add(sums.byRoom, file === SHARED ? SHARED : roomOf(file), seconds);
      add(sums.byFile, file, seconds);
    }
  return sums;
}
