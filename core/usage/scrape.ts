/** Answers a scrape of Prometheus with the metrics of endpoints. */
import pLimit from 'p-limit';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { endpointsOf } from '../history/request.ts';
import type { QueryValue } from '../requests/validation.ts';
import { type ActivityPorts, readActivity } from '../status/activity.ts';
import { expositionFor, expositionOf, expositions } from './exposition.ts';
import { SUMMED_AT_ONCE } from './limits.ts';
import type { EndpointFacts } from './metrics.ts';
import type { UsageSums } from './store.ts';
import type { Summed } from './totals.ts';

export type FactsPorts = ActivityPorts & { readonly usageSums: Pick<UsageSums, 'isKept' | 'summedOf'> };

export type ScrapePorts = FactsPorts & { readonly endpoints: Endpoints };

export interface ScrapeRequest {
  /** Ids of the endpoints that the caller may call; `*` means all. */
  readonly permitted: readonly string[];
  readonly endpoint?: QueryValue | undefined;
  /** The header `Accept`. */
  readonly accept?: string | undefined;
}

/**
 * Returns what the metrics of the endpoints are made of.
 *  1. Read the totals, 100 in a call.
 *  2. Read the leases and the oldest job only of endpoints that can have some.
 */
export async function factsOfAll(ports: FactsPorts, endpoints: readonly Endpoint[]): Promise<EndpointFacts[]> {
  const totals = ports.usageSums.isKept
    ? await ports.usageSums.summedOf(endpoints.map(({ id }) => id))
    : new Map<string, Summed>();
  return pLimit(SUMMED_AT_ONCE).map(endpoints, async (endpoint) => ({
    ...{ endpoint, summed: totals.get(endpoint.id) },
    ...(await readActivity(ports, endpoint)),
  }));
}

/**
 * Returns the metrics of the endpoints that the caller may call as text.
 *
 * Input: permitted endpoints, one endpoint, `Accept`.
 * @throws EndpointNotFound if the caller may not call the endpoint
 */
export async function scrape(
  ports: ScrapePorts,
  request: ScrapeRequest,
): Promise<{ readonly contentType: string; readonly text: string }> {
  const all = await ports.endpoints.list();
  const ids = new Set(await endpointsOf({ endpoints: { list: async () => all } }, request.endpoint, request.permitted));
  const asked = all.filter(({ id }) => ids.has(id));
  const facts = await factsOfAll(ports, asked);
  const exposition = expositionFor(request.accept);
  return { contentType: expositions[exposition], text: expositionOf(facts, exposition) };
}
