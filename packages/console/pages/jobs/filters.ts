/** Filters of the page of all jobs, which are in its address. */

import type { JobsFilters } from '../../shell/paths.ts';
import { DAY, HOUR, MINUTE } from '../../units.ts';
import { statuses as allStatuses, type JobStatus, statusesOf } from '../endpoint/job-actions.ts';

const units: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY };

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export const times: readonly Choice[] = [
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
];

/** Without a time in the address. */
export const USUAL_TIME = '24h';

/** The history has jobs that have ended. */
export const statusChoices: readonly Choice[] = [
  { value: '', label: 'All that ended' },
  { value: 'FAILED,TIMED_OUT', label: 'Failed' },
  { value: 'COMPLETED', label: 'Completed' },
  { value: 'CANCELLED', label: 'Cancelled' },
];

const names = ['endpoint', 'status', 'since', 'until', 'error', 'text', 'code', 'key', 'worker', 'release'] as const;

/** Returns the filters in the address. Statuses that no job ends with are ignored. */
export function filtersIn(parameters: URLSearchParams): JobsFilters {
  const found = names.flatMap((name) => {
    const value = parameters.get(name);
    return value ? [[name, value] as const] : [];
  });
  const { status: _, ...filters }: JobsFilters = Object.fromEntries(found);
  const ended = statusesOf(parameters.get('status')).filter(hasEnded);
  return { ...filters, ...(ended.length > 0 && { status: ended.join(',') }) };
}

const hasEnded = (status: JobStatus) => allStatuses.indexOf(status) > 1;

/**
 * Returns the time of a filter in ISO 8601.
 * @param text a length such as `24h`, or a time
 */
export function timeOf(text: string, now: number): string {
  const [, amount, unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  return amount === undefined ? text : new Date(now - Number(amount) * (units[unit] ?? HOUR)).toISOString();
}

/** Returns the parameters of the operation. */
export function queryOf({ since = USUAL_TIME, ...filters }: JobsFilters, now: number) {
  return { ...filters, since: timeOf(since, now) };
}

/** Filters that have no control of their own, as `name: value`. */
export const tokensOf = (filters: JobsFilters): { readonly name: keyof JobsFilters; readonly text: string }[] =>
  (['code', 'error', 'key', 'worker', 'release', 'until'] as const).flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [{ name, text: `${tokenNames[name]}: ${value}` }];
  });

const tokenNames = {
  code: 'Code',
  error: 'Error group',
  key: 'Key',
  worker: 'Worker',
  release: 'Release',
  until: 'Until',
} as const;
