/** Reads processes from /proc. Finds no processes on a system without /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second (USER_HZ), a constant of Linux. */
const TICKS = 100;

export interface ProcessState {
  /**
   * State of the process, as one letter: T if it is stopped, Z if it has exited and its parent has not waited for
   * it.
   */
  readonly state: string;
  readonly parent: number;
  /** Id of the process group. */
  readonly group: number;
  /** Processor time in seconds, user and system together. */
  readonly seconds: number;
  /** Processor time in seconds of all exited descendants that were waited for. */
  readonly secondsOfEnded: number;
  /** Start time in ticks. Together with the id it identifies a process even after the id is reused. */
  readonly start: string;
}

/** @returns the content of the file, or an empty string if the process is gone */
export function readOfProcess(pid: number, file: 'stat' | 'environ' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Parses the content of `/proc/PID/stat`. Fields: proc(5).
 * @returns undefined for the empty content of a process that is gone
 */
export function parseState(stat: string): ProcessState | undefined {
  // The name of the program is in parentheses and can contain any character.
  const fields = stat.split(') ').at(-1)?.split(' ') ?? [];
  const [state, parent, group] = fields;
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map((ticks) => Number(ticks) / TICKS);
  const start = fields[19];
  if (!state || !start || user === undefined || system === undefined) return undefined;
  const secondsOfEnded = (endedUser ?? 0) + (endedSystem ?? 0);
  return { state, parent: Number(parent), group: Number(group), seconds: user + system, secondsOfEnded, start };
}

/** @returns undefined if the process is gone */
export const stateOf = (pid: number): ProcessState | undefined => parseState(readOfProcess(pid, 'stat'));

/**
 * Returns whether the process runs or is stopped. An exited process is listed until its parent has read its exit
 * status.
 */
export const isAlive = (pid: number): boolean => !['Z', 'X', undefined].includes(stateOf(pid)?.state);

export const isStopped = (pid: number): boolean => stateOf(pid)?.state === 'T';

export function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Returns the other processes whose environment contains this string. */
export function processesThatCarry(text: string): number[] {
  return processIds().filter((pid) => pid !== process.pid && readOfProcess(pid, 'environ').includes(text));
}

/**
 * Sends the signal.
 * @returns false if the process has already exited
 */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}
