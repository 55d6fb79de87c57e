/** Selection of jobs in the list, and the actions on them. */
import type { JobSummary } from '../../api/job-types.ts';
import { count } from '../../units.ts';

export type JobStatus = JobSummary['status'];

export const statuses = [
  'IN_QUEUE',
  'IN_PROGRESS',
  'COMPLETED',
  'FAILED',
  'TIMED_OUT',
  'CANCELLED',
] as const satisfies readonly JobStatus[];

export type JobAction = 'cancel' | 'retry';

const applicable: Readonly<Record<JobAction, ReadonlySet<JobStatus>>> = {
  cancel: new Set(['IN_QUEUE', 'IN_PROGRESS']),
  retry: new Set(['FAILED', 'TIMED_OUT']),
};

/** Returns the jobs that the action applies to. */
export const applicableTo = <Job extends Pick<JobSummary, 'status'>>(action: JobAction, jobs: readonly Job[]): Job[] =>
  jobs.filter(({ status }) => applicable[action].has(status));

/** Returns a sentence about the selected jobs that the action does not apply to. */
export const othersUnchanged = (number: number): string =>
  number === 1 ? 'The other selected job does not change.' : `The other ${count(number)} selected jobs do not change.`;

/**
 * Returns the statuses in an address, in the order of the filters. Unknown names are ignored; an empty list means
 * all.
 */
export function statusesOf(text: string | null): JobStatus[] {
  const names = new Set((text ?? '').split(','));
  return statuses.filter((status) => names.has(status));
}

/**
 * Updates the selection, which persists while the user opens other pages of the list.
 * @param selected the jobs selected so far, on all pages
 * @param shown the jobs of the current page
 * @param chosen the selected jobs of the current page
 * @returns the selected jobs of other pages, then those of this page
 */
export function withSelection(
  selected: readonly JobSummary[],
  shown: readonly JobSummary[],
  chosen: readonly JobSummary[],
): JobSummary[] {
  const here = new Set(shown.map(({ id }) => id));
  return [...selected.filter(({ id }) => !here.has(id)), ...chosen];
}
