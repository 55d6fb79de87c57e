/** The sizes by which the service launches instances for workers (`core/fleet/launch.ts`). */
import type { Placement } from '../../core/endpoints/endpoint.ts';
import type { Capacity } from './capacity.ts';
import { cpuUnitsOf, type InstanceType, maxTasks, usableMemory } from './instance-types.ts';
import { type Pool, typesOf } from './pool-declaration.ts';

/**
 * Returns the sizes of a worker and of the smallest instance of its pool as JSON, because CloudFormation would turn
 * numbers into strings. Returns undefined for a pool with warm instances, which only the group itself starts.
 * @param provider name of the capacity provider
 */
export function placementOf({ task, alone }: Capacity, pool: Pool, provider: string): string | undefined {
  const { warmInstances, maxInstances, emptyFor } = pool;
  if (warmInstances > 0) return undefined;
  const smallest = (size: (type: InstanceType) => number) => Math.min(...typesOf(pool).map(size));
  const placement: Placement = {
    provider,
    worker: { gpus: task.gpus ?? 0, cpu: task.cpu, memory: task.memory },
    instance: {
      gpus: pool.kind === 'nvidia' ? smallest(({ gpus }) => gpus) : 0,
      cpu: smallest(cpuUnitsOf),
      memory: smallest(usableMemory),
      tasks: alone ? 1 : smallest(maxTasks),
    },
    maxInstances,
    emptyFor,
  };
  return JSON.stringify(placement);
}
