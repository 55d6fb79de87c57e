/** Computes the progress of a release from the release and the workers that the service returns. */
import type { Release, Worker } from '../api/management-types.ts';

/** Fields of a worker that a rollout needs. */
export type WorkerRevision = Pick<Worker, 'state' | 'revision'>;

export interface Rollout {
  readonly type: 'in-progress' | 'success' | 'error' | 'stopped' | 'pending';
  /** State in one or two words. */
  readonly text: string;
  /** Such as `2 of 5 workers replaced`; absent if the workers are unknown. */
  readonly progress?: string;
  /** The service's reason for a rollback or for a lack of progress. */
  readonly reason?: string;
}

const shown = {
  IN_PROGRESS: { type: 'in-progress', text: 'Rolling out' },
  COMPLETED: { type: 'success', text: 'Complete' },
  ROLLED_BACK: { type: 'error', text: 'Rolled back' },
  SUPERSEDED: { type: 'stopped', text: 'Superseded' },
} as const satisfies Record<Release['state'], Omit<Rollout, 'progress' | 'reason'>>;

/** @returns the progress, such as `2 of 5 workers replaced`; undefined if a worker does not report its revision */
function progressOf({ revision }: Release, all: readonly WorkerRevision[]): string | undefined {
  // The service still lists a lost worker for one minute.
  const workers = all.filter(({ state }) => state !== 'UNHEALTHY');
  if (revision === undefined || workers.some((worker) => worker.revision === undefined)) return undefined;
  if (workers.length === 0) return 'No workers yet. The next worker runs the new version';
  const replaced = workers.filter((worker) => (worker.revision ?? 0) >= revision).length;
  return `${replaced} of ${workers.length} ${workers.length === 1 ? 'worker' : 'workers'} replaced`;
}

/**
 * @param release last release; undefined before the first
 * @param workers workers of the endpoint; undefined if unknown
 */
export function rolloutOf(release: Release | undefined, workers?: readonly WorkerRevision[]): Rollout {
  if (!release) return { type: 'pending', text: 'Not released' };
  const progress = release.state === 'IN_PROGRESS' && workers ? progressOf(release, workers) : undefined;
  return {
    ...shown[release.state],
    ...(progress !== undefined && { progress }),
    ...(release.reason !== undefined && { reason: release.reason }),
  };
}
