/** Refusals that do not depend on the GPU vendor of a pool. */
import type { CapacityRequest, Refusal } from './capacity.ts';
import type { Pool } from './pool-declaration.ts';

/** Returns the GB of an instance's disk for each worker, if the instance runs this number of workers. */
export const diskShare = ({ diskInGb }: Pool, workers: number): number => Math.floor(diskInGb / workers);

/** Minimum of `/dev/shm` in MiB, which is Docker's default. */
export const MIN_SHARED_MEMORY = 64;

/** Finds a size of `/dev/shm` that does not fit into the memory of the worker, of which it is a part. */
export function* sharedMemoryRefusals(size: number | undefined, memory: number): Generator<Refusal> {
  if (size !== undefined && (size < MIN_SHARED_MEMORY || size > memory))
    yield ['sharedMemorySize', `must be from ${MIN_SHARED_MEMORY} to ${memory}, the MiB of memory of a worker`];
}

/** Returns half of the worker's memory: processes that share GPUs, such as those of vLLM, exchange tensors there. */
export const defaultSharedMemory = (memory: number): number => Math.max(MIN_SHARED_MEMORY, Math.floor(memory / 2));

/**
 * Finds the requested fields that the pool does not support.
 * @param workers maximum number of workers on one instance of the pool
 */
export function* poolRefusals(
  { spot, containerDiskInGb: disk }: CapacityRequest,
  pool: Pool,
  workers: number,
): Generator<Refusal> {
  const { id, spot: isSpot, diskInGb } = pool;
  if (spot !== undefined && spot !== isSpot)
    yield ['spot', `must be ${isSpot} with \`capacity: ${id}\`, because capacity/${id}.yaml has \`spot: ${isSpot}\``];
  const share = diskShare(pool, workers);
  if (disk !== undefined && disk > share)
    yield [
      'containerDiskInGb',
      `must be at most ${share} with \`capacity: ${id}\`: the disk of an instance has ${diskInGb} GB, and the maximum number of workers on it is ${workers}`,
    ];
}
