/** Workers with NVIDIA GPUs: ECS counts the GPUs, and assigns each worker its own. */
import { Compatibility } from 'aws-cdk-lib/aws-ecs';
import type { Kind } from './capacity.ts';
import { cpuUnitsOf, type InstanceType, maxTasks, usableMemory } from './instance-types.ts';
import { type Pool, typesOf } from './pool-declaration.ts';
import { defaultSharedMemory, diskShare, poolRefusals, sharedMemoryRefusals } from './pool-refusals.ts';

/** Minimum that ECS reserves for a task, in CPU units, and minimum memory of a worker, in MiB. */
export const MIN_CPU = 128;
export const MIN_MEMORY = 512;

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
  Math.max(1, ...typesOf(pool).map((type) => Math.min(Math.floor(type.gpus / gpus), maxTasks(type))));

const within = (min: number, max: number, { id, instanceTypes }: Pool, what: string) =>
  `must be from ${min} to ${max} with \`capacity: ${id}\`: each instance type of the pool (${instanceTypes.join(', ')}) must have ${what}`;

export const nvidia: Kind<Pool> = {
  *refusals({ cpu, memory, gpus = 1, sharedMemorySize, ...request }, pool) {
    const [maxGpus, maxCpu, maxMemory] = [({ gpus: its }: InstanceType) => its, cpuUnitsOf, usableMemory].map((size) =>
      smallest(pool, size),
    ) as [number, number, number];
    if (gpus > maxGpus) yield ['gpus', within(1, maxGpus, pool, 'that many GPUs')];
    if (cpu !== undefined && (cpu < MIN_CPU || cpu > maxCpu))
      yield ['cpu', within(MIN_CPU, maxCpu, pool, 'that many CPU units')];
    if (memory !== undefined && (memory < MIN_MEMORY || memory > maxMemory))
      yield ['memory', within(MIN_MEMORY, maxMemory, pool, 'that many MiB for workers')];
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
