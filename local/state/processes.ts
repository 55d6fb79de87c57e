/**
 * The processes of a run, found by a mark in their environment. Every process that this folder starts carries the state
 * directory and the run that it belongs to, and so does whatever that process starts in turn. No file of process ids
 * can be out of date or name a stranger's process, and nothing is lost if we die between starting and writing down.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const NAME = 'GPU_ENDPOINTS_LOCAL_RUN';

/** Marks all processes that were ever started for a state directory. */
const markOf = (stateDir: string) => `${NAME}=${stateDir}#`;

/** The environment variable that puts a process into the run of the process `runner`. */
export const runMark = (stateDir: string, runner: number): Record<string, string> => ({
  [NAME]: `${stateDir}#${runner}`,
});

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return []; // It has ended, or it is another user's.
  }
}

/**
 * Process ids that belong to the state directory.
 * @param runner only those of this process's run; all of them by default
 */
function markedProcesses(stateDir: string, runner?: number): number[] {
  const mark = markOf(stateDir);
  const isMark = (variable: string) =>
    runner === undefined ? variable.startsWith(mark) : variable === `${mark}${runner}`;
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => pid !== process.pid && environmentOf(pid).some(isMark));
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

const ROUNDS = 100;
const ROUND = 20;

/**
 * Ends every process of the state directory but the caller, and waits until they are gone.
 * @param runner only those of this process's run; all of them by default
 */
export async function endMarkedProcesses(stateDir: string, runner?: number): Promise<number> {
  const ended = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const left = markedProcesses(stateDir, runner);
    if (left.length === 0) break;
    for (const pid of left) {
      kill(pid, 'SIGKILL');
      ended.add(pid);
    }
    await delay(ROUND);
  }
  return ended.size;
}
