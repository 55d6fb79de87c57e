/** The processor time of all processes below one, read from /proc again and again. */
import { processIds, readOfProcess, stateOf } from '../runner/processes.ts';

/** What a process has used since the last look. */
export interface Use {
  readonly pid: number;
  readonly command: string;
  /** Number of Jest's process that it descends from; empty for what the whole run shares. */
  readonly worker: string;
  /** Seconds of processor time, of user and system. */
  readonly seconds: number;
}

interface Known {
  command: string;
  worker: string;
  seconds: number;
  looks: number;
}

/** A process has the command of its parent until it has called exec; so it is read again the first few times. */
const SETTLED = 3;

/** Seconds that processes which have ended and were waited for have used. */
export const secondsOfEnded = (): number => stateOf(process.pid)?.secondsOfEnded ?? 0;

/**
 * Containers of workers have an environment of their own, so a process belongs to the run too if its parent does.
 * @param mark environment variable, as NAME=value, that the other processes of the run carry
 */
export function watchProcesses(mark: string): () => Use[] {
  const known = new Map<string, Known>();
  const keys = new Map<number, string>();

  function workerOf(pid: number, parent: number): string | undefined {
    const environment = readOfProcess(pid, 'environ').split('\0');
    if (!environment.includes(mark)) return known.get(keys.get(parent) ?? '')?.worker;
    return environment.find((variable) => variable.startsWith('JEST_WORKER_ID='))?.slice(15) ?? '';
  }

  function look(pid: number): Use | undefined {
    const now = stateOf(pid);
    if (!now) return undefined;
    const key = `${pid} ${now.start}`;
    const before = known.get(key) ?? { command: '', worker: '', seconds: 0, looks: 0 };
    if (before.looks < SETTLED) {
      const worker = workerOf(pid, now.parent);
      if (worker === undefined) return undefined;
      before.worker = worker;
      before.command = readOfProcess(pid, 'cmdline').replaceAll('\0', ' ').trim();
    }
    const seconds = now.seconds - before.seconds;
    keys.set(pid, key);
    known.set(key, { ...before, seconds: now.seconds, looks: before.looks + 1 });
    return { pid, command: before.command, worker: before.worker, seconds };
  }

  return () =>
    processIds()
      .filter((pid) => pid !== process.pid)
      .flatMap((pid) => look(pid) ?? []);
}
