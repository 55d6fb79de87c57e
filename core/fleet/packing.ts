/** Distributes tasks over instances, to find how many instances are missing. */
import type { Placement } from '../endpoints/endpoint.ts';
import type { Resources } from './pool.ts';

/** Tasks of one endpoint that wait for an instance. */
export interface Waiting {
  readonly endpoint: string;
  readonly count: number;
  readonly size: Placement['worker'];
}

export interface Packing {
  /** Number of missing instances. */
  readonly missing: number;
  /** Indexes of the instances that get a task. */
  readonly used: ReadonlySet<number>;
  /**
   * Highest index of the instances that get a task of an endpoint, by the endpoint's id. The missing instances have the
   * indexes after the available ones. Infinity if a task is too large even for an empty instance.
   */
  readonly highestIndex: ReadonlyMap<string, number>;
}

const fits = (free: Resources, { gpus, cpu, memory }: Placement['worker']) =>
  free.tasks >= 1 && free.gpus >= gpus && free.cpu >= cpu && free.memory >= memory;

const without = (free: Resources, { gpus, cpu, memory }: Placement['worker']): Resources => ({
  gpus: free.gpus - gpus,
  cpu: free.cpu - cpu,
  memory: free.memory - memory,
  tasks: free.tasks - 1,
});

/**
 * Places the largest tasks first, each on the first instance that has enough free resources, or on a missing instance.
 * @param available free resources of the instances that run or start
 * @param instance resources of an empty instance
 */
export function pack(waiting: readonly Waiting[], available: readonly Resources[], instance: Resources): Packing {
  const instances = [...available];
  const used = new Set<number>();
  const highestIndex = new Map<string, number>();
  const largestFirst = [...waiting].sort(
    ({ size: one }, { size: other }) => other.gpus - one.gpus || other.memory - one.memory || other.cpu - one.cpu,
  );
  for (const { endpoint, count, size } of largestFirst)
    for (let n = 0; n < count; n += 1) {
      const found = instances.findIndex((free) => fits(free, size));
      const index = found === -1 && fits(instance, size) ? instances.push(instance) - 1 : found;
      const free = instances[index];
      highestIndex.set(endpoint, free ? index : Number.POSITIVE_INFINITY);
      if (free === undefined) break;
      instances[index] = without(free, size);
      used.add(index);
    }
  return { missing: instances.length - available.length, used, highestIndex };
}
