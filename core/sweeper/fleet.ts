import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { noteFact } from '../fleet/note.ts';
import { isAlive, type Workers } from '../workers/lease.ts';

/** Notes of the worker that became ready last that it did; if nothing is known that it could disprove, nothing is read. */
export async function sweepFleet(
  ports: { readonly clock: Clock; readonly endpoints: Endpoints; readonly workers: Workers },
  { id, fleet }: Endpoint,
): Promise<void> {
  if (!fleet.condition && fleet.failed.length === 0 && !fleet.backOff) return;
  const now = ports.clock.now();
  const ready = (await ports.workers.list(id)).flatMap((lease) =>
    isAlive(lease, now) && typeof lease.readySince === 'number'
      ? [{ task: lease.worker, revision: lease.revision, at: lease.readySince }]
      : [],
  );
  const [last] = ready.sort((one, other) => other.at - one.at);
  if (last) await noteFact(ports, id, { is: 'ready', ...last });
}
