/**
 * How many jobs a worker runs at once. `concurrency` of the endpoint's file says it and bounds it. Without that, each
 * worker decides, as on RunPod: the agent puts into its lease what its container asks for, and the endpoint keeps the
 * number, so that the scaler knows it while no worker is there.
 */
import * as z from 'zod/mini';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { MOST_AT_ONCE } from '../limits.ts';
import { numberOf } from '../releases/revisions.ts';
import { isAlive, type Lease } from './lease.ts';

/** What workers asked for last. */
export const askedSchema = z.object({
  /** Jobs that a worker runs at once. */
  jobs: z.int().check(z.gte(1), z.lte(MOST_AT_ONCE)),
  /** Number of the revision whose workers asked. Absent of a release without one. */
  revision: z.optional(z.int()),
  /** Id of their template: workers of another one may ask for another number. Absent of a release without a template. */
  template: z.optional(z.string()),
});
export type Asked = z.infer<typeof askedSchema>;

type Facts = Pick<Endpoint, 'asked' | 'concurrency' | 'release'>;

const isOfTemplate = ({ release }: Facts, asked: Asked): boolean => asked.template === release?.template?.id;

/** Jobs that a worker runs at once, as far as is known: 1 before a worker of the template has asked. */
export function jobsPerWorker(facts: Facts): number {
  if (facts.concurrency !== undefined) return facts.concurrency;
  return facts.asked && isOfTemplate(facts, facts.asked) ? facts.asked.jobs : 1;
}

/**
 * What the workers of the wanted revision ask for; until one of them has asked, what is stored. So a new version of a
 * template keeps the number of the last one, and starts no more workers while its first one loads. Within a revision the
 * number only grows, because a worker that has just started may ask for one job.
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

/** What `/health` says of an endpoint whose file leaves the number to its workers. */
export interface Concurrency {
  readonly jobs: number;
  /** A sentence that names the setting. */
  readonly detail: string;
}

/** @returns nothing if the endpoint's file says the number, or no worker has asked yet */
export function concurrencyOf({ concurrency, asked }: Facts): Concurrency | undefined {
  if (concurrency !== undefined || !asked) return undefined;
  const { jobs } = asked;
  const detail =
    `Each worker decides how many jobs it runs at once, because the endpoint's file has no \`concurrency\`: ` +
    `they ask for up to ${jobs}, and the scaler counts on that. \`concurrency: ${jobs}\` makes it explicit.`;
  return { jobs, detail };
}
