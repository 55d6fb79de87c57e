/**
 * Finds the processes of a run by a mark in their environment. Every process that this folder starts gets a
 * variable with the state directory and the run, and its child processes inherit the variable. Unlike a file of
 * process ids, a mark is never out of date, matches no other user's process, and is not lost if this process dies
 * after a start.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const NAME = 'EMULATOR_RUN';

/** A process of this machine. The id and the start time identify it uniquely. */
export interface RunningProcess {
  readonly pid: number;
  /** Start time in the kernel's clock ticks; undefined if the process has exited. */
  readonly start: string | undefined;
}

/**
 * Returns the process with this id. A killed process remains in /proc as a zombie until its parent reaps it, and
 * process 1 of a container might never reap it.
 */
export function runningProcess(pid: number): RunningProcess {
  try {
    // Fields after the process name, which is in parentheses and can contain any characters.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    return { pid, start: fields?.[0] === 'Z' ? undefined : fields?.[19] };
  } catch {
    return { pid, start: undefined };
  }
}

export const isRunning = ({ pid, start }: RunningProcess): boolean =>
  start !== undefined && runningProcess(pid).start === start;

/** The mark of all processes of a state directory, in any run. */
const markOf = (stateDir: string) => `${NAME}=${stateDir}#`;

/** Returns the environment variable that assigns a process to the run of the process `runner`. */
export const runMark = (stateDir: string, runner: number): Record<string, string> => ({
  [NAME]: `${stateDir}#${runner}`,
});

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return []; // The process has exited, or belongs to another user.
  }
}

/**
 * Returns the ids of the processes that belong to the state directory.
 * @param runner limits the result to the run of the process with this id; by default, all runs count
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
    // The process has exited by itself.
  }
}

const ROUNDS = 100;
const ROUND = 20;

/**
 * Kills every process of the state directory except the caller, and waits until they have exited.
 * @param runner limits the processes to the run of the process with this id; by default, all runs count
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
