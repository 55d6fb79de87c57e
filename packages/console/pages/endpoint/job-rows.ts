/** Keeps the rows of the job list in place while the list is refreshed. */
import type { JobList, JobSummary } from '../../api/job-types.ts';

export interface JobRow extends JobSummary {
  /** Whether the job is no longer in the list: it has another status now, or has expired. */
  readonly hasLeft: boolean;
}

export interface Rows {
  readonly rows: readonly JobRow[];
  /** Number of jobs in the last response that are newer than the first row. */
  readonly newer: number;
}

export const noRows: Rows = { rows: [], newer: 0 };

/** Returns the part of an id that sorts jobs by time, without the prefix of `/runsync` jobs. */
const orderOf = ({ id }: Pick<JobSummary, 'id'>) => id.replace(/^sync-/, '');

/** Creates the rows of a first response. */
export const rowsOf = ({ requests }: JobList): Rows => ({
  rows: requests.map((job) => ({ ...job, hasLeft: false })),
  newer: 0,
});

/**
 * Updates the shown rows without moving them. Newer jobs are only counted. A job that is missing from the response
 * remains and is marked. A job that is older than the whole response remains unchanged, because newer jobs have
 * moved it to the next page.
 */
export function refreshed(shown: Rows, list: JobList): Rows {
  if (shown.rows.length === 0) return rowsOf(list);
  const present = new Map(list.requests.map((job) => [job.id, job]));
  const oldest = list.nextCursor === undefined ? '' : orderOf(list.requests.at(-1) ?? { id: '' });
  const first = orderOf(shown.rows[0] ?? { id: '' });
  return {
    rows: shown.rows.map((row) => {
      const job = present.get(row.id);
      if (job) return { ...job, hasLeft: false };
      return orderOf(row) > oldest ? { ...row, hasLeft: true } : row;
    }),
    newer: list.requests.filter((job) => orderOf(job) > first).length,
  };
}
