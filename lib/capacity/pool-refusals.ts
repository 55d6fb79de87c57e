/** What no endpoint can have of a pool, whatever GPUs it has. */
import type { Refusal, Wish } from './capacity.ts';
import type { Pool } from './pool-declaration.ts';

/** @param workers the most that one instance of the pool runs */
export function* poolRefusals(
  { spot, containerDiskInGb: disk }: Wish,
  { id, spot: isSpot, diskInGb }: Pool,
  workers: number,
): Generator<Refusal> {
  if (spot !== undefined && spot !== isSpot)
    yield ['spot', `must be ${isSpot} with \`capacity: ${id}\`, as capacity/${id}.yaml says of its instances`];
  const share = Math.floor(diskInGb / workers);
  if (disk !== undefined && disk > share)
    yield [
      'containerDiskInGb',
      `must be at most ${share} with \`capacity: ${id}\`: the disk of an instance has ${diskInGb} GB, for up to ${workers} of its workers`,
    ];
}
