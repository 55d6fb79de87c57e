/** Workers as `GET /v1/endpoints/{endpoint}/workers` lists them, and which of them need attention. */
import type { Release, Worker } from '../../../api/management-types.ts';

export interface Mark {
  /** Whether the worker needs attention. */
  readonly isBad: boolean;
  readonly text: string;
}

/** @param release the last one of the endpoint */
export function marksOf(worker: Worker, release: Pick<Release, 'state' | 'revision'> | undefined): Mark[] {
  const marks: Mark[] = [];
  if (worker.state === 'UNHEALTHY')
    marks.push({ isBad: true, text: 'It has stopped reporting: its jobs go to other workers.' });
  if (worker.unprotected === 'WAITS')
    marks.push({ isBad: true, text: 'ECS refuses to protect it, so it takes no jobs.' });
  if (worker.unprotected === 'WORKS')
    marks.push({ isBad: false, text: 'ECS refuses to protect it: a scale-in may stop it with its jobs.' });
  if (worker.retiring) marks.push({ isBad: false, text: 'It takes no more jobs and ends with those that it has.' });
  if (isStale(worker, release)) marks.push({ isBad: false, text: 'It runs an older release.' });
  return marks;
}

const isStale = ({ revision }: Worker, release: Pick<Release, 'state' | 'revision'> | undefined) =>
  // After a rollback the older revision is the right one.
  (release?.state === 'COMPLETED' || release?.state === 'IN_PROGRESS') &&
  revision !== undefined &&
  release.revision !== undefined &&
  revision < release.revision;

const isBad = (worker: Worker) => marksOf(worker, undefined).some((mark) => mark.isBad);

/** Workers that need attention come first; the rest keep their order. */
export const byBadness = (workers: readonly Worker[]): Worker[] =>
  workers.toSorted((a, b) => Number(isBad(b)) - Number(isBad(a)));
