/** What a worker does, by its lease, in the words in which `/health` counts workers. */
import { isAlive, isStarting, type Lease } from './lease.ts';

export const workerStates = ['INITIALIZING', 'IDLE', 'RUNNING', 'THROTTLED', 'UNHEALTHY'] as const;
export type WorkerState = (typeof workerStates)[number];

/** Whether it takes no job because ECS refuses to protect it. One that holds a job finishes it. */
export const isRefused = ({ jobs, unprotected }: Pick<Lease, 'jobs' | 'unprotected'>): boolean =>
  unprotected === 'WAITS' && jobs.length === 0;

export function stateOf(lease: Lease, now: number): WorkerState {
  if (!isAlive(lease, now)) return 'UNHEALTHY';
  if (isRefused(lease)) return 'THROTTLED';
  if (isStarting(lease)) return 'INITIALIZING';
  return lease.jobs.length > 0 ? 'RUNNING' : 'IDLE';
}

/** Since when it is in its state, in milliseconds since the epoch, where the lease says so. */
export function stateSince(lease: Lease, state: WorkerState): number | undefined {
  if (state === 'IDLE') return lease.idleSince;
  return state === 'UNHEALTHY' ? lease.endsAt : undefined;
}
