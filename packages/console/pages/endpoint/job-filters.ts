/** Filters of the job list. */
import type { JobStatus } from './job-actions.ts';

export interface Filter {
  readonly id: string;
  readonly text: string;
  /** Statuses of the filter; an empty list means all. */
  readonly statuses: readonly JobStatus[];
}

export const filters: readonly Filter[] = [
  { id: 'all', text: 'All', statuses: [] },
  { id: 'waiting', text: 'Waiting', statuses: ['IN_QUEUE'] },
  { id: 'running', text: 'Running', statuses: ['IN_PROGRESS'] },
  { id: 'failed', text: 'Failed', statuses: ['FAILED', 'TIMED_OUT'] },
  { id: 'completed', text: 'Completed', statuses: ['COMPLETED'] },
  { id: 'cancelled', text: 'Cancelled', statuses: ['CANCELLED'] },
];

const isSame = (one: readonly JobStatus[], other: readonly JobStatus[]) =>
  one.length === other.length && one.every((status) => other.includes(status));

/**
 * Returns the filter with exactly these statuses; undefined if there is none. An address can name any combination.
 */
export const filterOf = (statuses: readonly JobStatus[]): Filter | undefined =>
  filters.find((filter) => isSame(filter.statuses, statuses));

const sizes = [20, 50, 100] as const;

/**
 * Returns the number of jobs per page.
 * @param text from the address
 */
export const sizeOf = (text: string | null): number => sizes.find((size) => String(size) === text) ?? sizes[1];
