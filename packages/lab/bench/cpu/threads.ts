/** Reads the processor time of each thread of the service from /proc of Linux. */
import { readdirSync, readFileSync } from 'node:fs';
import { familyNow, readOfProcess, stateOf } from '../processes.ts';

export interface Thread {
  readonly pid: number;
  readonly tid: number;
  /** Id of the process's parent. */
  readonly parent: number;
  /** Command line of the process. */
  readonly command: string;
  /** Name of the thread, of at most 15 characters. */
  readonly name: string;
  /** Processor time since the thread's start, in milliseconds. */
  readonly milliseconds: number;
}

/** Parses `/proc/PID/task/TID/schedstat`, whose first field is nanoseconds on a processor. Returns milliseconds. */
export function millisecondsIn(schedstat: string): number | undefined {
  const [, nanoseconds] = /^(\d+) \d+ \d+\s*$/.exec(schedstat) ?? [];
  return nanoseconds === undefined ? undefined : Number(nanoseconds) / 1e6;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function threadIds(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}

/** Returns the threads of the process and of all its descendants. Threads that end meanwhile are not included. */
export function threadsOf(root: number): Thread[] {
  return familyNow([root]).flatMap((pid) => {
    const command = readOfProcess(pid, 'cmdline').replaceAll('\0', ' ').trim();
    const parent = stateOf(pid)?.parent ?? 0;
    return threadIds(pid).flatMap((tid) => {
      const milliseconds = millisecondsIn(read(`/proc/${pid}/task/${tid}/schedstat`));
      const name = read(`/proc/${pid}/task/${tid}/comm`).trim();
      return milliseconds === undefined ? [] : [{ pid, tid, parent, command, name, milliseconds }];
    });
  });
}

export interface Uses {
  /** The threads, each with the milliseconds that it used between two readings. */
  readonly threads: readonly Thread[];
  /** Number of threads that ended between the readings. Their time is not known. */
  readonly ended: number;
}

/** Subtracts two readings. A thread that started between them used all its time between them. */
export function usesBetween(before: readonly Thread[], after: readonly Thread[]): Uses {
  const key = ({ pid, tid }: Thread) => `${pid} ${tid}`;
  const first = new Map(before.map((thread) => [key(thread), thread]));
  const threads = after.map((thread) => {
    const { milliseconds = 0 } = first.get(key(thread)) ?? {};
    return { ...thread, milliseconds: thread.milliseconds - milliseconds };
  });
  const last = new Set(after.map(key));
  return { threads, ended: before.filter((thread) => !last.has(key(thread))).length };
}
