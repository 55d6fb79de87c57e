import type { Endpoint } from '../endpoints/endpoint.ts';
import { MINUTE } from '../limits.ts';
import { endEmpty } from './end-empty.ts';
import type { Instance, LaunchPorts } from './pool.ts';

/**
 * Time for which an instance without tasks is kept if no endpoint uses its pool. A deployment that moves an endpoint to
 * the pool starts workers before it registers the endpoint, so an instance must have time to get its first worker.
 */
export const ABANDONED_AFTER = 3 * MINUTE;

/** Ids of ended instances, and errors by group. */
export interface Abandoned {
  readonly ended: readonly string[];
  readonly failed: Readonly<Record<string, unknown>>;
}

/**
 * Ends instances without tasks of pools that no endpoint uses, because their endpoints were removed or moved. ECS alone
 * keeps such instances for 15 minutes or more.
 *
 * Input: all endpoints, and the instances of the cluster whose capacity provider no endpoint names. Pools with warm
 * instances are among them, as their endpoints name only the group.
 */
export async function endAbandoned(
  ports: Pick<LaunchPorts, 'clock' | 'groups' | 'poolStates' | 'cluster'>,
  endpoints: readonly Pick<Endpoint, 'instanceGroup'>[],
  instances: readonly Instance[],
): Promise<Abandoned> {
  if (instances.length === 0) return { ended: [], failed: {} };
  const groups = await ports.groups.groupsOf(instances.map(({ id }) => id));
  const used = new Set(endpoints.map(({ instanceGroup }) => instanceGroup));
  const ended: string[] = [];
  const failed: Record<string, unknown> = {};
  for (const [group, its] of Map.groupBy(instances, ({ id }) => groups.get(id))) {
    if (group === undefined || used.has(group)) continue;
    const pool = { group, cluster: ports.cluster, emptyFor: ABANDONED_AFTER };
    try {
      ended.push(...(await endEmpty(ports, pool, await ports.poolStates.read(group), its, new Set())));
    } catch (error) {
      failed[group] = error;
    }
  }
  return { ended, failed };
}
