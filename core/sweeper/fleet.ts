import type { Endpoint } from '../endpoints/endpoint.ts';
import { noteFact } from '../fleet/note.ts';
import { isAlive } from '../workers/lease.ts';
import type { World } from '../world.ts';

/** Notes of the worker that became ready last that it did; if nothing is known that it could disprove, nothing is read. */
export async function sweepFleet(
  world: Pick<World, 'clock' | 'endpoints' | 'workers'>,
  { id, fleet }: Endpoint,
): Promise<void> {
  if (!fleet.condition && fleet.failed.length === 0 && !fleet.backOff) return;
  const now = world.clock.now();
  const ready = (await world.workers.list(id)).flatMap((lease) =>
    isAlive(lease, now) && typeof lease.readySince === 'number'
      ? [{ task: lease.worker, revision: lease.revision, at: lease.readySince }]
      : [],
  );
  const [last] = ready.sort((one, other) => other.at - one.at);
  if (last) await noteFact(world, id, { is: 'ready', ...last });
}
