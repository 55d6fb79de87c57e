import type { Endpoint } from '../endpoints/endpoint.ts';
import { conditionKinds } from '../endpoints/fleet-state.ts';
import { deployed } from '../endpoints/store.ts';
import type { Health } from '../status/health.ts';
import { type EndpointSummary, type EndpointsPorts, summaryOf } from './endpoints.ts';

/** An endpoint as in the list, with its other settings, its running release and what helps against its blocker. */
export interface EndpointDetails
  extends EndpointSummary,
    Pick<Endpoint, 'pinTemplate' | 'category' | 'concurrency' | 'idleTimeout'> {
  readonly protocol: NonNullable<Endpoint['protocol']>;
  /** Absent if nothing keeps workers from starting. */
  readonly remedy?: string;
}

export interface ReadEndpointRequest {
  /** Owner of the caller. */
  readonly owner: string;
  readonly endpoint: string;
}

/** Returns what helps against the reason why new jobs would wait, if there is one. */
function remedyFor({ waitReason }: Health): string | undefined {
  return Object.entries(conditionKinds).find(([name]) => name === waitReason)?.[1].remedy;
}

/**
 * Reads an endpoint that the caller may call.
 *
 * Input: owner of the caller, endpoint id. Output: the endpoint as in the list, and its details.
 * @throws EndpointNotFound
 */
export async function readEndpoint(
  ports: EndpointsPorts,
  { owner, endpoint: id }: ReadEndpointRequest,
): Promise<EndpointDetails> {
  const endpoint = await deployed(ports, id);
  const examples = await ports.endpoints.examples(id);
  const summary = await summaryOf(ports, { ...endpoint, ...(examples.length > 0 && { examples }) }, owner);
  const { pinTemplate, category, protocol = 'worker', concurrency, idleTimeout } = endpoint;
  const remedy = remedyFor(summary.health);
  return {
    ...summary,
    ...(pinTemplate !== undefined && { pinTemplate }),
    category,
    protocol,
    ...(concurrency !== undefined && { concurrency }),
    idleTimeout,
    ...(remedy && { remedy }),
  };
}
