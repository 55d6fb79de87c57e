import type { Endpoint } from '../endpoints/endpoint.ts';
import { conditionKinds } from '../endpoints/fleet-state.ts';
import { deployed } from '../endpoints/store.ts';
import type { Health } from '../status/health.ts';
import type { WaitReason } from '../status/waiting.ts';
import { type EndpointSummary, type EndpointsPorts, summaryOf } from './endpoints.ts';

/** An endpoint as in the list, with its other settings, its running release and what helps against its blocker. */
export interface EndpointDetails
  extends EndpointSummary,
    Pick<Endpoint, 'pinTemplate' | 'category' | 'concurrency' | 'idleTimeout'> {
  readonly protocol: NonNullable<Endpoint['protocol']>;
  /** Absent if no reason is known that needs one. */
  readonly remedy?: string;
}

export interface ReadEndpointRequest {
  /** Owner of the caller. */
  readonly owner: string;
  readonly endpoint: string;
}

/** What helps against reasons that are no conditions of workers. */
const remedies: Readonly<Partial<Record<WaitReason, string>>> = {
  BUDGET_SPENT: 'Wait for the next day (UTC), or raise `maxDollarsPerDay` in the file of the endpoint and deploy.',
  LOW_PRIORITY: 'Wait for a quieter time, submit without `policy.lowPriority`, or set `minWorkers`.',
  WORKERS_BUSY: 'Wait, or raise `maxWorkers` if that many workers run already.',
};

/** Returns what helps against the reason why jobs wait, if there is one. */
function remedyFor({ waitReason }: Health): string | undefined {
  const condition = Object.entries(conditionKinds).find(([name]) => name === waitReason);
  return condition?.[1].remedy ?? (waitReason && remedies[waitReason]);
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
