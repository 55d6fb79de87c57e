/** Measures the processor time of all descendants of a process, with repeated readings of /proc. */
import { processIds, readOfProcess, stateOf } from '../../../test/runner/processes.ts';

/** Processor time that a process has used since the last reading. */
export interface Use {
  readonly pid: number;
  readonly command: string;
  /** Number of the Jest process that it descends from. It is empty for processes that the whole run shares. */
  readonly worker: string;
  /** Processor time in seconds, user and system together. */
  readonly seconds: number;
}

interface Known {
  command: string;
  worker: string;
  seconds: number;
  looks: number;
}

/** Number of readings of a process's command. Until it has called exec, a process has the command of its parent. */
const READINGS = 3;

/** Returns the seconds used by processes that have exited and were waited for. */
export const secondsOfEnded = (): number => stateOf(process.pid)?.secondsOfEnded ?? 0;

/**
 * Finds the processes of the run. Containers of workers do not inherit the environment, so a process also belongs
 * to the run if its parent does.
 * @param mark environment variable, as NAME=value, of all other processes of the run
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
    if (before.looks < READINGS) {
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
