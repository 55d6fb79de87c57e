import type { Clock } from '../clock.ts';
import type { Endpoint, Example, WorkerPrice } from '../endpoints/endpoint.ts';
import { lastRelease, type ReleaseSummary, type RunningRelease, runningRelease } from '../endpoints/release-summary.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { oneOrMoreOf, type QueryValue, validate } from '../requests/validation.ts';
import { type Health, healthOf } from '../status/health.ts';
import { isVisible } from '../templates/access.ts';
import type { Templates } from '../templates/store.ts';
import { type Recent, type RecentPorts, recentOf } from '../usage/recent.ts';
import type { Workers } from '../workers/lease.ts';

interface EndpointTemplateSummary {
  readonly id: string;
  readonly name?: string;
  readonly version?: number;
  /** The fields that differ from the endpoint's file. Absent if there are none. */
  readonly driftedFields?: readonly string[];
}

export interface EndpointSummary extends Pick<Endpoint, 'id' | 'minWorkers' | 'maxWorkers' | 'executionTimeout'> {
  /** Hourly price of one worker; absent if unknown. */
  readonly workerPrice?: WorkerPrice;
  /** Image of the template's newest version; absent if the caller may not see the template. */
  readonly image?: string;
  readonly template: EndpointTemplateSummary;
  /** Example inputs from the endpoint's file; absent if it has none. */
  readonly examples?: readonly Example[];
  /** The last release; absent before the first. */
  readonly release?: ReleaseSummary;
  /** Absent before the first release is complete. */
  readonly running?: RunningRelease;
  readonly health: Health;
}

export interface EndpointsRequest {
  /** Owner of the caller. */
  readonly owner: string;
  /** Ids of the endpoints that the caller may call; `*` means all. */
  readonly permitted: readonly string[];
  /** Further members: one or more of `furtherMembers`, separated by commas. */
  readonly include?: QueryValue | undefined;
}

/** Members that are only in responses to requests that ask for them, because they cost more. */
export const furtherMembers = ['recent'] as const;
const includeSchema = oneOrMoreOf(furtherMembers);

export interface ListedEndpoint extends EndpointSummary {
  /** Absent if the request does not ask for it, or if the deployment keeps no history. */
  readonly recent?: Recent;
}

export type EndpointsPorts = {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly workers: Workers;
  readonly templates: Pick<Templates, 'read'>;
};

/**
 * Lists the endpoints that the caller may call.
 *
 * Input: owner and endpoint ids of the caller, further members. Output: the endpoints sorted by id, with their templates,
 * releases and health. A template that the owner may not read has only its id and version.
 * @throws InvalidRequest if a further member is unknown
 */
export async function endpoints(
  ports: EndpointsPorts & RecentPorts,
  { owner, permitted, include }: EndpointsRequest,
): Promise<{ endpoints: ListedEndpoint[] }> {
  const further = include === undefined ? [] : validate(includeSchema, include, 'include');
  const hasRecent = further.includes('recent') && ports.usageSums.isKept;
  const all = await ports.endpoints.list();
  const visible = all.filter(({ id }) => permitted.includes('*') || permitted.includes(id));
  return {
    endpoints: await Promise.all(
      visible.map(async (endpoint) => {
        const [summary, recent] = await Promise.all([
          summaryOf(ports, endpoint, owner),
          hasRecent ? recentOf(ports, endpoint.id) : undefined,
        ]);
        return { ...summary, ...(recent && { recent }) };
      }),
    ),
  };
}

/**
 * Returns an endpoint as in the list.
 * @param owner of the caller
 */
export async function summaryOf(ports: EndpointsPorts, endpoint: Endpoint, owner: string): Promise<EndpointSummary> {
  const { id, minWorkers, maxWorkers, executionTimeout, workerPrice, examples } = endpoint;
  const release = lastRelease(endpoint);
  const running = runningRelease(endpoint);
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
    ...(running && { running }),
    health: healthOf(endpoint, leases, ports.clock.now()),
  };
}

async function templateOf(
  { templates }: EndpointsPorts,
  { template: id }: Endpoint,
  owner: string,
): Promise<Pick<EndpointSummary, 'image' | 'template'>> {
  const template = await templates.read(id);
  if (!template) return { template: { id } };
  const { name, version, imageName, drift } = template;
  if (!isVisible(template, owner)) return { template: { id, version } };
  const driftedFields = drift?.map(({ field }) => field);
  return { image: imageName, template: { id, name, version, ...(driftedFields && { driftedFields }) } };
}
