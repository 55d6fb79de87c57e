import type { Counts } from '../endpoints/counts.ts';
import type { Asked, Endpoint } from '../endpoints/endpoint.ts';
import { numberOf } from '../endpoints/release.ts';
import { isAlive, type Lease } from './lease.ts';

type Facts = Pick<Endpoint, 'asked' | 'concurrency' | 'release'>;

const isOfTemplate = ({ release }: Facts, asked: Asked): boolean => asked.template === release?.template.id;

/**
 * Returns the number of jobs that a worker runs concurrently, which is 1 before a worker of the template has
 * asked.
 */
export function jobsPerWorker(facts: Facts): number {
  if (facts.concurrency !== undefined) return facts.concurrency;
  return facts.asked && isOfTemplate(facts, facts.asked) ? facts.asked.jobs : 1;
}

/**
 * Returns the concurrency that the workers of the current revision ask for, or the stored number until one of them
 * has asked. A new version of a template therefore begins with the number of the previous version, and does not
 * start additional workers while its first worker loads. Within a revision the number only increases, because a
 * worker that has just started might ask for one job.
 * @param leases of the endpoint's workers
 */
export function askedBy(endpoint: Facts, leases: readonly Lease[], now: number): Asked | undefined {
  const { release } = endpoint;
  const wanted = release && numberOf(release.revision);
  const asks = leases.flatMap((lease) => {
    const isOther = wanted !== undefined && lease.revision !== undefined && lease.revision !== wanted;
    return lease.asks === undefined || isOther || !isAlive(lease, now) ? [] : [lease.asks];
  });
  if (asks.length === 0) return endpoint.asked && isOfTemplate(endpoint, endpoint.asked) ? endpoint.asked : undefined;
  const { asked } = endpoint;
  const before = asked && isOfTemplate(endpoint, asked) && asked.revision === wanted ? [asked.jobs] : [];
  return {
    jobs: Math.max(...asks, ...before),
    ...(wanted !== undefined && { revision: wanted }),
    ...(release && { template: release.template.id }),
  };
}

/** The part of `/health` for an endpoint file without `concurrency`, where the workers choose the number. */
export interface Concurrency {
  readonly jobs: number;
  /** Message that names the setting. */
  readonly detail: string;
}

/**
 * Returns the concurrency for `/health`.
 * @returns undefined if the endpoint file sets the number, or if no worker has asked yet
 */
export function concurrencyOf({ concurrency, asked }: Facts): Concurrency | undefined {
  if (concurrency !== undefined || !asked) return undefined;
  const { jobs } = asked;
  const detail =
    `Each worker chooses its concurrency, because the endpoint file has no \`concurrency\`. ` +
    `Workers ask for up to ${jobs}, which the scaler uses. Set \`concurrency: ${jobs}\` to make it explicit.`;
  return { jobs, detail };
}

/**
 * Returns how many workers an endpoint needs for all waiting and running jobs, within the endpoint's bounds.
 * Waiting low-priority jobs do not count, but running ones do.
 * @param retiring leases of workers that take no more jobs; they are counted in addition, and their jobs need no
 * other worker
 */
export function desiredWorkers(
  endpoint: Pick<Endpoint, 'asked' | 'concurrency' | 'maxWorkers' | 'minWorkers' | 'release'>,
  { inQueue, lowInQueue, inProgress }: Pick<Counts, 'inQueue' | 'lowInQueue' | 'inProgress'>,
  retiring: readonly Pick<Lease, 'jobs'>[] = [],
): number {
  const { minWorkers, maxWorkers } = endpoint;
  const theirs = retiring.reduce((total, { jobs }) => total + jobs.length, 0);
  const load = Math.max(0, inQueue - lowInQueue) + Math.max(0, inProgress - theirs);
  const others = Math.max(minWorkers, Math.ceil(load / jobsPerWorker(endpoint)));
  return Math.min(maxWorkers, others + retiring.length);
}
