/** Answers a scrape of Prometheus with the metrics of endpoints. */
import pLimit from 'p-limit';
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { endpointsOf } from '../history/request.ts';
import type { Arrivals } from '../ledger/store.ts';
import type { QueryValue } from '../requests/validation.ts';
import { oldestWaiting } from '../status/waiting.ts';
import type { Workers } from '../workers/lease.ts';
import { expositionFor, expositionOf, expositions } from './exposition.ts';
import { SUMMED_AT_ONCE } from './limits.ts';
import type { EndpointFacts } from './metrics.ts';
import type { UsageSums } from './store.ts';
import type { Summed } from './totals.ts';

export type ScrapePorts = {
  readonly arrivals: Pick<Arrivals, 'earliest'>;
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly usageSums: UsageSums;
  readonly workers: Pick<Workers, 'list'>;
};

export interface ScrapeRequest {
  /** Ids of the endpoints that the caller may call; `*` means all. */
  readonly permitted: readonly string[];
  readonly endpoint?: QueryValue | undefined;
  /** The header `Accept`. */
  readonly accept?: string | undefined;
}

/** Reads the leases only if the endpoint can have workers. */
async function factsOf(ports: ScrapePorts, endpoint: Endpoint, summed: Summed | undefined): Promise<EndpointFacts> {
  const { inQueue, inProgress } = endpoint.counts;
  const hasWorkers = inQueue > 0 || inProgress > 0 || (endpoint.desiredWorkers ?? endpoint.minWorkers) > 0;
  const [oldest, leases] = await Promise.all([
    oldestWaiting(ports, endpoint),
    hasWorkers ? ports.workers.list(endpoint.id) : [],
  ]);
  return { endpoint, leases, oldestWaiting: oldest, now: ports.clock.now(), summed };
}

/**
 * Returns the metrics of the endpoints that the caller may call as text.
 *
 * Input: permitted endpoints, one endpoint, `Accept`.
 *  1. Read all endpoints, and the totals of those that are asked for, 100 in a call.
 *  2. Read the leases and the oldest job only of endpoints that can have some.
 * @throws EndpointNotFound if the caller may not call the endpoint
 */
export async function scrape(
  ports: ScrapePorts,
  request: ScrapeRequest,
): Promise<{ readonly contentType: string; readonly text: string }> {
  const all = await ports.endpoints.list();
  const ids = new Set(await endpointsOf({ endpoints: { list: async () => all } }, request.endpoint, request.permitted));
  const asked = all.filter(({ id }) => ids.has(id));
  const totals = ports.usageSums.isKept
    ? await ports.usageSums.summedOf(asked.map(({ id }) => id))
    : new Map<string, Summed>();
  const facts = await pLimit(SUMMED_AT_ONCE).map(asked, (endpoint) =>
    factsOf(ports, endpoint, totals.get(endpoint.id)),
  );
  const exposition = expositionFor(request.accept);
  return { contentType: expositions[exposition], text: expositionOf(facts, exposition) };
}
