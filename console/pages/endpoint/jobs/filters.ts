/** The filters of the job list that one click sets. */
import type { JobStatus } from './actions.ts';

export interface Filter {
  readonly id: string;
  readonly text: string;
  /** None stands for all. */
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

/** The filter with just these statuses; undefined for another choice, which an address can name. */
export const filterOf = (statuses: readonly JobStatus[]): Filter | undefined =>
  filters.find((filter) => isSame(filter.statuses, statuses));

const sizes = [20, 50, 100] as const;

/** Jobs of a page. @param text from the address */
export const sizeOf = (text: string | null): number => sizes.find((size) => String(size) === text) ?? sizes[1];
