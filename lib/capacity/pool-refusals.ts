/** Refusals that do not depend on the kind of GPUs of a pool. */
import type { CapacityRequest, Refusal } from './capacity.ts';
import type { Pool } from './pool-declaration.ts';

/** Returns the GB of an instance's disk for each of so many workers. */
export const diskShare = ({ diskInGb }: Pool, workers: number): number => Math.floor(diskInGb / workers);

/**
 * Finds what a pool cannot give.
 * @param workers the most that one instance of the pool runs
 */
export function* poolRefusals(
  { spot, containerDiskInGb: disk }: CapacityRequest,
  pool: Pool,
  workers: number,
): Generator<Refusal> {
  const { id, spot: isSpot, diskInGb } = pool;
  if (spot !== undefined && spot !== isSpot)
    yield ['spot', `must be ${isSpot} with \`capacity: ${id}\`, as capacity/${id}.yaml says of its instances`];
  const share = diskShare(pool, workers);
  if (disk !== undefined && disk > share)
    yield [
      'containerDiskInGb',
      `must be at most ${share} with \`capacity: ${id}\`: the disk of an instance has ${diskInGb} GB, for up to ${workers} of its workers`,
    ];
}
