/** Workers as `GET /v1/endpoints/{endpoint}/workers` lists them, and which of them need a look. */
import type { Release } from '../../../api/management-types.ts';

/** A worker as its lease has it. Times are ISO 8601; what is not known is absent. */
export interface Worker {
  /** Id of the ECS task. */
  readonly id: string;
  readonly state: 'INITIALIZING' | 'IDLE' | 'RUNNING' | 'THROTTLED' | 'UNHEALTHY';
  /** Since when it is in this state. */
  readonly since?: string;
  /** Since when its container asks for jobs. */
  readonly readySince?: string;
  /** When it was heard of last. */
  readonly seenAt?: string;
  readonly revision?: number;
  /** Id of the template of that revision, and its version. */
  readonly template?: string;
  readonly version?: number;
  readonly jobs: readonly string[];
  /** Whether it takes no more jobs and ends with those that it has. */
  readonly retiring?: boolean;
  /** While ECS refuses to protect it: `WORKS` if it may hold jobs all the same, `WAITS` if it takes none. */
  readonly unprotected?: 'WORKS' | 'WAITS';
}

export interface WorkerList {
  readonly workers: readonly Worker[];
}

export interface Mark {
  /** Whether someone must look. */
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
  if (isOutdated(worker, release)) marks.push({ isBad: false, text: 'It runs an older release.' });
  return marks;
}

const isOutdated = ({ revision }: Worker, release: Pick<Release, 'state' | 'revision'> | undefined) =>
  // After a rollback the older revision is the right one.
  (release?.state === 'COMPLETED' || release?.state === 'IN_PROGRESS') &&
  revision !== undefined &&
  release.revision !== undefined &&
  revision < release.revision;

const isBad = (worker: Worker) => marksOf(worker, undefined).some((mark) => mark.isBad);

/** Those that someone must look at first; all others stay in their order. */
export const byBadness = (workers: readonly Worker[]): Worker[] =>
  workers.toSorted((a, b) => Number(isBad(b)) - Number(isBad(a)));
