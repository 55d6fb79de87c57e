/** Rows of the job list that stay in place while the list is refreshed. */
import type { JobList, JobSummary } from '../../../api/job-types.ts';

export interface JobRow extends JobSummary {
  /** Whether the job is no longer in the list: it has another status now, or has expired. */
  readonly hasLeft: boolean;
}

export interface Rows {
  readonly rows: readonly JobRow[];
  /** How many jobs of the last response are above the first row. */
  readonly newer: number;
}

export const noRows: Rows = { rows: [], newer: 0 };

/** The part of an id by which jobs sort by time: jobs of `/runsync` have a prefix. */
const orderOf = ({ id }: Pick<JobSummary, 'id'>) => id.replace(/^sync-/, '');

/** Shows the response as it is. */
export const rowsOf = ({ requests }: JobList): Rows => ({
  rows: requests.map((job) => ({ ...job, hasLeft: false })),
  newer: 0,
});

/**
 * Brings the shown rows up to date. None moves: newer jobs are counted, and a job that the response lacks stays and is
 * marked. A job that is older than all of the response, because newer ones have pushed it from the page, stays as it
 * was.
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
