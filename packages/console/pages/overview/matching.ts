/** Filter of the overview, and the sums above it. */
import type { Endpoint } from '../../api/management-types.ts';
import type { Row } from './trouble.ts';

/** Returns the endpoints with the text in their name, image or template. */
export function matching(rows: readonly Row[], text: string): Row[] {
  const wanted = text.trim().toLowerCase();
  return rows.filter(({ endpoint: { id, image, template } }) =>
    [id, image, template?.id, template?.name].some((value) => value?.toLowerCase().includes(wanted)),
  );
}

export interface Totals {
  readonly trouble: number;
  readonly waiting: number;
  readonly running: number;
  /** Number of ready workers. */
  readonly workers: number;
}

export function totalsOf(rows: readonly Row[]): Totals {
  const sum = (of: (endpoint: Endpoint) => number) => rows.reduce((total, { endpoint }) => total + of(endpoint), 0);
  return {
    trouble: rows.filter(({ problems }) => problems.length > 0).length,
    waiting: sum(({ health }) => health.jobs.inQueue),
    running: sum(({ health }) => health.jobs.inProgress),
    workers: sum(({ health }) => health.workers.ready),
  };
}

/** @returns whether no endpoint has ever had a job */
export const isUnused = (endpoints: readonly Endpoint[]): boolean =>
  endpoints.every(({ health: { jobs } }) => jobs.inQueue + jobs.inProgress + jobs.completed + jobs.failed === 0);
