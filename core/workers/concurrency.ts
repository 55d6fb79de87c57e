import type { Counts } from '../endpoints/counts.ts';
import type { Asked, Endpoint } from '../endpoints/endpoint.ts';
import { numberOf } from '../endpoints/release.ts';
import { isAlive, type Lease } from './lease.ts';

type Facts = Pick<Endpoint, 'asked' | 'concurrency' | 'release'>;

const isOfTemplate = ({ release }: Facts, asked: Asked): boolean => asked.template === release?.template?.id;

/** Returns how many jobs a worker runs at once, as far as is known: 1 before a worker of the template has asked. */
export function jobsPerWorker(facts: Facts): number {
  if (facts.concurrency !== undefined) return facts.concurrency;
  return facts.asked && isOfTemplate(facts, facts.asked) ? facts.asked.jobs : 1;
}

/**
 * Returns how many jobs the workers of the wanted revision ask for; until one of them has asked, the stored number. So
 * a new version of a template keeps the number of the last one, and starts no more workers while its first one loads.
 * Within a revision the number only grows, because a worker that has just started may ask for one job.
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
    ...(release?.template && { template: release.template.id }),
  };
}

/** The part of `/health` for an endpoint whose file leaves the number to its workers. */
export interface Concurrency {
  readonly jobs: number;
  /** A sentence that names the setting. */
  readonly detail: string;
}

/** @returns undefined if the endpoint's file sets the number, or no worker has asked yet */
export function concurrencyOf({ concurrency, asked }: Facts): Concurrency | undefined {
  if (concurrency !== undefined || !asked) return undefined;
  const { jobs } = asked;
  const detail =
    `Each worker decides how many jobs it runs at once, because the endpoint's file has no \`concurrency\`: ` +
    `they ask for up to ${jobs}, and the scaler counts on that. \`concurrency: ${jobs}\` makes it explicit.`;
  return { jobs, detail };
}

/**
 * Returns how many workers an endpoint needs: room for each job that waits or runs, within the endpoint's bounds. Jobs
 * of low priority wait for workers that run anyway; once they run, they hold theirs.
 * @param retiring leases of workers that take no more jobs: they come on top, and their jobs need no other worker
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
