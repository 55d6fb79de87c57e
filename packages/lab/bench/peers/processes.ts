/** Measures and kills the processes of a peer. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  familyNow,
  isAlive,
  type ProcessState,
  readOfProcess,
  residentMemoryOf,
  signal,
  stateOf,
} from '../processes.ts';

const KILL_LIMIT = 10_000;

const commandOf = (pid: number) => readOfProcess(pid, 'cmdline').split('\0').join(' ');

/** Returns the ids of the processes and their descendants whose command contains `part`. */
export const pidsWith = (roots: readonly number[], part: string): number[] =>
  familyNow(roots).filter((pid) => commandOf(pid).includes(part));

/** Returns the processor time of a process, in seconds, including that of children whose end it has read. */
export const secondsIn = (state: ProcessState | undefined): number =>
  state ? state.seconds + state.secondsOfEnded : 0;

/** Returns the processor time of the processes and their descendants, in seconds. */
export const processorSeconds = (roots: readonly number[]): number =>
  familyNow(roots).reduce((sum, pid) => sum + secondsIn(stateOf(pid)), 0);

export interface Memory {
  /** Sums in MB. PSS divides a page among the processes that share it. */
  readonly rss: number;
  readonly pss: number;
}

export function memoryOf(roots: readonly number[]): Memory {
  const all = familyNow(roots).flatMap((pid) => residentMemoryOf(pid) ?? []);
  return {
    rss: all.reduce((sum, { resident }) => sum + resident, 0),
    pss: all.reduce((sum, { proportional }) => sum + proportional, 0),
  };
}

export const kill = (pid: number): void => void signal(pid, 'SIGKILL');

/** Kills the processes and their descendants, and waits until they have ended. */
export async function killTree(roots: readonly number[]): Promise<void> {
  const pids = familyNow(roots);
  for (const pid of pids) kill(pid);
  for (const deadline = Date.now() + KILL_LIMIT; pids.some(isAlive); await delay(10))
    if (Date.now() > deadline) throw new Error(`Processes ${pids.filter(isAlive).join(', ')} were not killed.`);
}
