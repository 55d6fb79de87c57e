/** Finds a process with all its descendants, and reads their memory. */
import { readFileSync } from 'node:fs';
import { processIds, stateOf } from '../../../test/runner/processes.ts';

export {
  isAlive,
  type ProcessState,
  parseState,
  readOfProcess,
  signal,
  stateOf,
} from '../../../test/runner/processes.ts';

/**
 * Returns the processes and all their descendants.
 * @param parents parent of each process, by its id
 */
export function familyOf(pids: readonly number[], parents: ReadonlyMap<number, number>): number[] {
  const family = new Set(pids);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const [child, parent] of parents) if (family.has(parent)) family.add(child);
  }
  return [...family];
}

/** Returns those of the processes that exist, and all their descendants. */
export function familyNow(pids: readonly number[]): number[] {
  const parents = new Map(
    processIds().flatMap((pid) => {
      const state = stateOf(pid);
      return state ? [[pid, state.parent]] : [];
    }),
  );
  return familyOf(
    pids.filter((pid) => parents.has(pid)),
    parents,
  );
}

/** Memory in MB. */
export interface Memory {
  /** Resident memory. Memory that several processes share counts in each of them. */
  readonly resident: number;
  /** Resident memory, in which each of n processes that share memory counts an n-th of it. */
  readonly proportional: number;
}

const KB_IN_MB = 1_024;

/** Returns undefined if the process has exited. */
export function residentMemoryOf(pid: number): Memory | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const fieldOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / KB_IN_MB;
    return { resident: fieldOf('Rss'), proportional: fieldOf('Pss') };
  } catch {
    return undefined;
  }
}
