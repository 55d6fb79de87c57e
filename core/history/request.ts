/** Parses the parameters of requests about the history. */
import * as z from 'zod/mini';
import { isEndpointId } from '../endpoints/endpoint-id.ts';
import { MAX_REVISION } from '../endpoints/release.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { JOB_ID } from '../jobs/id.ts';
import { KEY_ID } from '../keys/client-keys.ts';
import { EndpointNotFound, InvalidRequest } from '../requests/errors.ts';
import { timeFrom, timeSchema } from '../requests/time.ts';
import { oneOrMoreOf, parseQueryNumber, type QueryValue, shown, validate } from '../requests/validation.ts';
import { type EndedJob, endStatuses } from './ended-job.ts';
import { historyLimits } from './limits.ts';

/** Unparsed filters of ended jobs. */
export interface HistoryFilters {
  /** One or more of `endStatuses`, separated by commas. */
  readonly status?: QueryValue | undefined;
  readonly code?: QueryValue | undefined;
  /** Fingerprint of the error. */
  readonly error?: QueryValue | undefined;
  /** Part of the line of the error, in any case. */
  readonly text?: QueryValue | undefined;
  /** Id of the API key that submitted the job. */
  readonly key?: QueryValue | undefined;
  readonly worker?: QueryValue | undefined;
  /** Revision that the worker ran. */
  readonly release?: QueryValue | undefined;
}

/** Unparsed times between which jobs ended. */
export interface HistoryTimes {
  readonly since?: QueryValue | undefined;
  readonly until?: QueryValue | undefined;
}

function matching(form: RegExp, must: string) {
  return z.string(must).check(z.regex(form, must));
}

const textMust = `must be a text of 1 to ${historyLimits.error} characters`;

const schemas = {
  status: oneOrMoreOf(endStatuses),
  code: matching(/^[A-Z_]{1,40}$/, 'must be the code of a job, such as WORKER_ERROR'),
  error: matching(/^[0-9a-f]{12}$/, 'must be the fingerprint of an error, 12 characters of 0-9 and a-f'),
  text: z.string(textMust).check(z.minLength(1, textMust), z.maxLength(historyLimits.error, textMust)),
  key: matching(KEY_ID, 'must be the id of an API key, 12 characters of 0-9 and a-f'),
  worker: matching(/^[\w-]{1,64}$/, 'must be the id of a worker'),
  job: matching(JOB_ID, 'must be the id of a job'),
  release: z
    .int('must be the revision of a release')
    .check(z.gte(1, 'must be the revision of a release'), z.lte(MAX_REVISION, 'must be the revision of a release')),
} as const;

/** Returns the id of a job in a query. */
export const jobIn = (value: QueryValue | undefined): string | undefined =>
  value === undefined ? undefined : validate(schemas.job, value, 'job');

/**
 * Returns whether a job matches all filters.
 * @throws InvalidRequest if a filter is not valid
 */
export function matcherOf(filters: HistoryFilters): (job: EndedJob) => boolean {
  const parse = (name: 'code' | 'error' | 'key' | 'text' | 'worker') =>
    filters[name] === undefined ? undefined : validate(schemas[name], filters[name], name);
  const statuses = filters.status === undefined ? undefined : validate(schemas.status, filters.status, 'status');
  const [code, error, key, worker] = [parse('code'), parse('error'), parse('key'), parse('worker')];
  const text = parse('text')?.toLowerCase();
  const release =
    filters.release === undefined ? undefined : validate(schemas.release, parseQueryNumber(filters.release), 'release');
  const isEqual = <Value>(wanted: Value | undefined, value: Value | undefined) =>
    wanted === undefined || wanted === value;
  return (job) =>
    (statuses === undefined || statuses.includes(job.status)) &&
    isEqual(code, job.code) &&
    isEqual(error, job.fingerprint) &&
    (text === undefined || job.error?.toLowerCase().includes(text) === true) &&
    isEqual(key, job.key) &&
    isEqual(worker, job.worker) &&
    isEqual(release, job.revision);
}

/**
 * Returns the times between which jobs ended, in milliseconds since the epoch.
 * @throws InvalidRequest if a time is not valid, or if the first is after the last
 */
export function timesOf({ since, until }: HistoryTimes, now: number): { readonly from: number; readonly to: number } {
  const parse = (value: QueryValue | undefined, name: string) =>
    value === undefined ? undefined : timeFrom(validate(timeSchema, value, name));
  const to = parse(until, 'until') ?? now;
  const from = parse(since, 'since') ?? to - historyLimits.since;
  if (from > to) throw new InvalidRequest(`\`since\` must not be after \`until\`, got ${shown(since)}.`);
  return { from, to };
}

/**
 * Returns the ids of the endpoints to read: the one of the request, also if it has been removed, or all deployed ones that
 * the caller may call.
 * @throws EndpointNotFound if the caller may not call the endpoint
 */
export async function endpointsOf(
  { endpoints }: { readonly endpoints: Pick<Endpoints, 'list'> },
  endpoint: QueryValue | undefined,
  permitted: readonly string[],
): Promise<string[]> {
  const isPermitted = (id: string) => permitted.includes('*') || permitted.includes(id);
  if (endpoint === undefined) return (await endpoints.list()).map(({ id }) => id).filter(isPermitted);
  if (typeof endpoint !== 'string') throw new InvalidRequest(`\`endpoint\` must be one id, got ${shown(endpoint)}.`);
  if (!isEndpointId(endpoint) || !isPermitted(endpoint)) throw new EndpointNotFound(endpoint);
  return [endpoint];
}
