/** Workers with NVIDIA GPUs: ECS counts the GPUs, and assigns each worker its own. */
import { Compatibility } from 'aws-cdk-lib/aws-ecs';
import type { Kind } from './capacity.ts';
import { cpuUnitsOf, type InstanceType, mostTasks, usableMemory } from './instance-types.ts';
import { type Pool, typesOf } from './pool-declaration.ts';
import { defaultSharedMemory, diskShare, poolRefusals, sharedMemoryRefusals } from './pool-refusals.ts';

/** Minimum that ECS reserves for a task, in CPU units, and minimum memory of a worker, in MiB. */
export const LEAST_CPU = 128;
export const LEAST_MEMORY = 512;

/**
 * Returns the smallest size among the types of the pool. AWS can start any of these types, so a worker must fit on
 * each.
 */
const smallest = (pool: Pool, size: (type: InstanceType) => number) => Math.min(...typesOf(pool).map(size));

/** Returns a worker's share of an instance, in proportion to its GPUs. */
const share =
  (gpus: number, size: (type: InstanceType) => number) =>
  (type: InstanceType): number =>
    Math.floor((size(type) * gpus) / type.gpus);

/** Returns the default MiB of a worker. */
const memoryShare = (pool: Pool, gpus: number) => smallest(pool, share(gpus, usableMemory));

/** Returns the maximum number of workers on an instance of the pool. */
const neighbours = (pool: Pool, gpus: number) =>
  Math.max(1, ...typesOf(pool).map((type) => Math.min(Math.floor(type.gpus / gpus), mostTasks(type))));

const within = (least: number, most: number, { id, instanceTypes }: Pool, what: string) =>
  `must be from ${least} to ${most} with \`capacity: ${id}\`: each instance type of the pool (${instanceTypes.join(', ')}) must have ${what}`;

export const nvidia: Kind<Pool> = {
  *refusals({ cpu, memory, gpus = 1, sharedMemorySize, ...request }, pool) {
    const [mostGpus, mostCpu, mostMemory] = [({ gpus: its }: InstanceType) => its, cpuUnitsOf, usableMemory].map(
      (size) => smallest(pool, size),
    ) as [number, number, number];
    if (gpus > mostGpus) yield ['gpus', within(1, mostGpus, pool, 'that many GPUs')];
    if (cpu !== undefined && (cpu < LEAST_CPU || cpu > mostCpu))
      yield ['cpu', within(LEAST_CPU, mostCpu, pool, 'that many CPU units')];
    if (memory !== undefined && (memory < LEAST_MEMORY || memory > mostMemory))
      yield ['memory', within(LEAST_MEMORY, mostMemory, pool, 'that many MiB for workers')];
    else yield* sharedMemoryRefusals(sharedMemorySize, memory ?? memoryShare(pool, gpus));
    yield* poolRefusals(request, pool, neighbours(pool, gpus));
  },

  capacity({ cpu, memory: requested, gpus = 1, sharedMemorySize }, pool) {
    const memory = requested ?? memoryShare(pool, gpus);
    return {
      task: {
        compatibility: Compatibility.EC2,
        cpu: cpu ?? smallest(pool, share(gpus, cpuUnitsOf)),
        memory,
        gpus,
        sharedMemory: sharedMemorySize ?? defaultSharedMemory(memory),
      },
      provider: { pool: pool.id },
      alone: false,
      category: 'NVIDIA',
      largestDiskInGb: diskShare(pool, neighbours(pool, gpus)),
    };
  },
};
