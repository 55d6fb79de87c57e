/** Finds which of the listed workers need attention. */
import type { Release, Worker } from '../../api/management-types.ts';

export interface Mark {
  /** Whether the worker needs attention. */
  readonly isBad: boolean;
  readonly text: string;
}

/**
 * Returns the remarks on a worker.
 * @param release the last release of the endpoint
 */
export function marksOf(worker: Worker, release: Pick<Release, 'state' | 'revision'> | undefined): Mark[] {
  const marks: Mark[] = [];
  if (worker.state === 'UNHEALTHY')
    marks.push({ isBad: true, text: 'The worker has stopped reporting. Its jobs move to other workers.' });
  if (worker.unprotected === 'WAITS')
    marks.push({ isBad: true, text: 'ECS refuses to protect the worker, so it takes no jobs.' });
  if (worker.unprotected === 'WORKS')
    marks.push({ isBad: false, text: 'ECS refuses to protect the worker: a scale-in can stop it with its jobs.' });
  if (worker.retiring)
    marks.push({ isBad: false, text: 'The worker takes no new jobs, and stops after its current jobs.' });
  if (isStale(worker, release)) marks.push({ isBad: false, text: 'The worker runs an older release.' });
  return marks;
}

const isStale = ({ revision }: Worker, release: Pick<Release, 'state' | 'revision'> | undefined) =>
  // After a rollback, the older revision is the valid one.
  (release?.state === 'COMPLETED' || release?.state === 'IN_PROGRESS') &&
  revision !== undefined &&
  release.revision !== undefined &&
  revision < release.revision;

const isBad = (worker: Worker) => marksOf(worker, undefined).some((mark) => mark.isBad);

/** Sorts workers that need attention first. Otherwise, the order does not change. */
export const byBadness = (workers: readonly Worker[]): Worker[] =>
  workers.toSorted((a, b) => Number(isBad(b)) - Number(isBad(a)));
