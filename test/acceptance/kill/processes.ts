/** Reads the processes of all workers of a service from /proc. */
import { isAlive, processIds, readOfProcess, signal } from '../../runner/processes.ts';

export type Role = 'agent' | 'supervisor' | 'runner';

/** Ids of the running processes of a task, by role. */
export type Task = Partial<Readonly<Record<Role, number>>>;

export interface WorkerProcesses {
  /**
   * Returns the running processes of a task.
   * @param id of the task, which is also the worker's id
   */
  task(id: string): Task;
  /** Returns when the process was last seen running, in milliseconds since the epoch. */
  lastSeen(pid: number): number | undefined;
  stop(): void;
}

interface Known {
  readonly task: string;
  readonly role: Role;
  readonly firstSeen: number;
  lastSeen: number;
}

const PERIOD = 50;
/**
 * Age in milliseconds after which the role of a process is not read again. Between fork and exec, a process still
 * has its parent's environment.
 */
const ROLE_FINAL_AFTER = 500;

const METADATA = /^ECS_CONTAINER_METADATA_URI_V4=.*\/(?<task>[^/]+)\/(?<container>[^/]+)$/;

export function identify(pid: number, stateDir: string): Pick<Known, 'task' | 'role'> | undefined {
  const variables = readOfProcess(pid, 'environ').split('\0');
  if (!variables.some((variable) => variable.startsWith(`EMULATOR_RUN=${stateDir}#`))) return undefined;
  const { task, container } = variables.map((variable) => METADATA.exec(variable)?.groups).find(Boolean) ?? {};
  if (task === undefined) return undefined;
  if (container === 'agent') return { task, role: 'agent' };
  const isRunner = variables.some((variable) => variable.startsWith('GPU_ENDPOINTS_RUNNER='));
  return { task, role: isRunner ? 'runner' : 'supervisor' };
}

/** Watches the processes until `stop` is called. */
export function watchProcesses(stateDir: string): WorkerProcesses {
  const known = new Map<number, Known>();
  /** Processes that belong to no worker, with the time when each was first seen. */
  const others = new Map<number, number>();

  function look(pid: number, now: number): void {
    const before = known.get(pid);
    const isFinal = (since: number | undefined) => since !== undefined && now - since > ROLE_FINAL_AFTER;
    if (isFinal(others.get(pid))) return;
    const seen = isFinal(before?.firstSeen) ? before : identify(pid, stateDir);
    if (!seen) {
      if (!others.has(pid)) others.set(pid, now);
    } else if (isAlive(pid)) {
      others.delete(pid);
      known.set(pid, { task: seen.task, role: seen.role, firstSeen: before?.firstSeen ?? now, lastSeen: now });
    }
  }

  const lookAtAll = () => {
    const now = Date.now();
    for (const pid of processIds()) look(pid, now);
  };
  const timer = setInterval(lookAtAll, PERIOD);

  return {
    task(id) {
      lookAtAll();
      const running = [...known].filter(([pid, { task }]) => task === id && isAlive(pid));
      return Object.fromEntries(running.map(([pid, { role }]) => [role, pid]));
    },
    lastSeen: (pid) => known.get(pid)?.lastSeen,
    stop: () => clearInterval(timer),
  };
}

/** Sends the signal to the processes that still exist. */
export function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) signal(pid, name);
}
