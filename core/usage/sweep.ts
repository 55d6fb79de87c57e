/** Samples and sums all endpoints, once a minute. */
import { type EndpointErrors, forEachEndpoint } from '../endpoints/each.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Workers } from '../workers/lease.ts';
import { QUIET_EVERY, SUMMED_AT_ONCE } from './limits.ts';
import type { News } from './news.ts';
import { beginOf } from './read.ts';
import { type SamplePorts, sampleEndpoint } from './sample.ts';
import { type SumPorts, sumEndpoint } from './sum.ts';

export type SumSweepPorts = SamplePorts & SumPorts & { readonly workers: Workers };

/** Returns whether the endpoint has neither jobs nor workers. */
export const isQuiet = ({ counts: { inQueue, inProgress }, desiredWorkers = 0 }: Endpoint) =>
  inQueue === 0 && inProgress === 0 && desiredWorkers === 0;

/** Takes what happened since the last sum of an endpoint. */
export type OnNews = (endpoint: Endpoint, news: News) => Promise<void>;

async function sweepOne(ports: SumSweepPorts, endpoint: Endpoint, onNews?: OnNews): Promise<void> {
  const now = ports.clock.now();
  if (isQuiet(endpoint) && beginOf(now, 'minute') % QUIET_EVERY !== 0) return;
  const leases = await ports.workers.list(endpoint.id);
  await sampleEndpoint(ports, endpoint, leases);
  const news = await sumEndpoint(ports, endpoint, leases);
  if (news) await onNews?.(endpoint, news);
}

/**
 * Samples and sums the endpoints. An endpoint that fails does not stop the others.
 * @param onNews called for each endpoint on which something happened
 * @returns errors by endpoint
 */
export async function sumAll(
  ports: SumSweepPorts,
  endpoints: readonly Endpoint[],
  onNews?: OnNews,
): Promise<EndpointErrors> {
  if (!ports.usageSums.isKept) return new Map();
  return forEachEndpoint(endpoints, SUMMED_AT_ONCE, (endpoint) => sweepOne(ports, endpoint, onNews));
}
