import type { Clock } from '../clock.ts';
import type { Endpoint, Example, WorkerPrice } from '../endpoints/endpoint.ts';
import { lastRelease, type ReleaseSummary } from '../endpoints/release-summary.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { type Health, healthOf } from '../status/health.ts';
import { isVisible } from '../templates/access.ts';
import type { Templates } from '../templates/store.ts';
import type { Workers } from '../workers/lease.ts';

export interface EndpointSummary extends Pick<Endpoint, 'id' | 'minWorkers' | 'maxWorkers' | 'executionTimeout'> {
  /** What one worker costs an hour; absent where that is not known. */
  readonly workerPrice?: WorkerPrice;
  /** Of the template as it is now; absent if that is not the reader's to see. */
  readonly image?: string;
  /** Absent of an endpoint whose stack is of an older version. */
  readonly template?: { readonly id: string; readonly name?: string; readonly version?: number };
  /** Inputs that its file shows its users; absent if it has none. */
  readonly examples?: readonly Example[];
  /** The last one; absent before the first. */
  readonly release?: ReleaseSummary;
  readonly health: Health;
}

export interface EndpointsRequest {
  /** Of the key. */
  readonly owner: string;
  /** The endpoint ids of the key, `*` for all. */
  readonly permitted: readonly string[];
}

type EndpointsPorts = { readonly clock: Clock; readonly endpoints: Endpoints; readonly workers: Workers } & {
  readonly templates: Pick<Templates, 'read'>;
};

/**
 * Lists the endpoints that a key may call.
 *
 * Input: owner and endpoint ids of the key. Output: the endpoints by id, with their templates, releases and health. Of a
 * template that the owner may not read, id and version are told and nothing else.
 */
export async function endpoints(
  ports: EndpointsPorts,
  { owner, permitted }: EndpointsRequest,
): Promise<{ endpoints: EndpointSummary[] }> {
  const all = await ports.endpoints.list();
  const visible = all.filter(({ id }) => permitted.includes('*') || permitted.includes(id));
  return { endpoints: await Promise.all(visible.map((endpoint) => summaryOf(ports, endpoint, owner))) };
}

async function summaryOf(ports: EndpointsPorts, endpoint: Endpoint, owner: string): Promise<EndpointSummary> {
  const { id, minWorkers, maxWorkers, executionTimeout, workerPrice, examples } = endpoint;
  const release = lastRelease(endpoint);
  const leases = await ports.workers.list(id);
  return {
    id,
    ...(await templateOf(ports, endpoint, owner)),
    minWorkers,
    maxWorkers,
    executionTimeout,
    ...(workerPrice && { workerPrice }),
    ...(examples && { examples }),
    ...(release && { release }),
    health: healthOf(endpoint, leases, ports.clock.now()),
  };
}

async function templateOf(
  { templates }: EndpointsPorts,
  { image, template: id }: Endpoint,
  owner: string,
): Promise<Pick<EndpointSummary, 'image' | 'template'>> {
  if (id === undefined) return { ...(image !== undefined && { image }) };
  const template = await templates.read(id);
  if (!template) return { template: { id } };
  const { name, version, imageName } = template;
  if (!isVisible(template, owner)) return { template: { id, version } };
  return { image: imageName, template: { id, name, version } };
}
