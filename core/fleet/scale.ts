import type { Clock } from '../clock.ts';
import type { Asked, Endpoint } from '../endpoints/endpoint.ts';
import { isBudgetSpent } from '../endpoints/spending.ts';
import type { Endpoints, Services } from '../endpoints/store.ts';
import type { EventPorts } from '../history/record-event.ts';
import { conflictTries } from '../stored-items/conflicts.ts';
import { saveFact } from '../workers/apply-facts.ts';
import { allowedWorkers } from '../workers/back-off.ts';
import { askedBy, desiredWorkers } from '../workers/concurrency.ts';
import { holdsWorker, isAlive, isStarting, type Lease, type Workers } from '../workers/lease.ts';
import { mayScaleIn } from '../workers/unprotected.ts';

export type ScalePorts = {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly workers: Workers;
  readonly services: Services;
} & EventPorts;

/**
 * Sets the number of workers that the endpoint's service runs, according to the endpoint's jobs.
 *
 * Input: endpoint id; `up` only adds workers, for a caller that only sees new jobs. Output: the stored number, or
 * undefined if the endpoint does not exist or other scalers stored a number first in all attempts.
 *  1. Compute the required number. If leases can be read, store the concurrency that the workers ask for, and
 *     replace workers that take no more jobs. A scale-in retains workers that hold jobs or held one within the idle
 *     timeout. An endpoint that backs off gets only as many workers as are ready, plus one when its next attempt is
 *     due. One that has spent its budget needs no workers, not even `minWorkers`. No worker is removed while any worker might run a job without protection.
 *  2. Set the number in the service, then store it. If another scaler has stored a number in the meantime, repeat
 *     both steps, because the service might have received the older number last.
 *  3. After a scale-in, clear conditions of workers and capacity that are no longer requested. Add another number to the
 *     history.
 */
export async function scale(ports: ScalePorts, id: string, direction: 'up' | 'both'): Promise<number | undefined> {
  let contended = false;
  for (let tries = 0; tries < conflictTries.scale; tries += 1) {
    const endpoint = await ports.endpoints.readNow(id);
    if (!endpoint) return undefined;
    const present = endpoint.desiredWorkers ?? endpoint.minWorkers;
    const wanted = await wantedWorkers(ports, endpoint, present, direction);
    if (wanted === present && endpoint.desiredWorkers !== undefined && !contended) return present;
    await ports.services.setDesired(endpoint, wanted);
    if (await ports.endpoints.setDesired(id, endpoint.desiredWorkers, wanted)) {
      const at = ports.clock.now();
      const change = { from: String(present), to: String(wanted) };
      if (wanted < present) await saveFact(ports, id, { is: 'scaledDown', at });
      if (wanted !== present) await ports.eventHistory.add({ endpoint: id, kind: 'SCALED', at, ...change });
      return wanted;
    }
    contended = true;
  }
  return undefined;
}

async function wantedWorkers(
  ports: Pick<ScalePorts, 'clock' | 'endpoints' | 'workers'>,
  endpoint: Endpoint,
  present: number,
  direction: 'up' | 'both',
): Promise<number> {
  const { fleet, idleTimeout } = endpoint;
  // A caller that only scales up has no permission to read leases, so it uses the stored concurrency.
  const now = ports.clock.now();
  const isSpent = isBudgetSpent(endpoint, now);
  const known = isSpent ? 0 : desiredWorkers(endpoint, endpoint.counts);
  if (direction === 'up') return fleet.backOff ? present : Math.max(known, present);
  if (known === 0 && present === 0) return 0;
  const all = await ports.workers.listNow(endpoint.id);
  const leases = all.filter((lease) => isAlive(lease, now));
  const asked = await setAsked(ports, endpoint, leases, now);
  const retiring = leases.filter((lease) => lease.retiring);
  const needed = isSpent ? 0 : desiredWorkers({ ...endpoint, asked }, endpoint.counts, retiring);
  if (needed >= present && !fleet.backOff) return needed;
  const ready = leases.filter((lease) => !isStarting(lease));
  const wanted = Math.min(needed, allowedWorkers(fleet, ready.length, now));
  // A worker that starts while the endpoint backs off is likely to fail as well, and one without a budget gets no job.
  const kept = (fleet.backOff || isSpent ? ready : leases).filter((lease) => holdsWorker(lease, idleTimeout, now));
  const target = wanted >= present ? wanted : Math.min(present, Math.max(wanted, kept.length));
  return target < present && !(await mayScaleIn(ports, endpoint, all)) ? present : target;
}

/** Stores the concurrency that the workers ask for, if it has changed. */
async function setAsked(
  { endpoints }: Pick<ScalePorts, 'endpoints'>,
  endpoint: Endpoint,
  leases: readonly Lease[],
  now: number,
): Promise<Asked | undefined> {
  const asked = askedBy(endpoint, leases, now);
  const { asked: before } = endpoint;
  const isSame = asked?.jobs === before?.jobs && asked?.template === before?.template;
  if (asked && !(isSame && asked.revision === before?.revision)) await endpoints.setAsked(endpoint.id, asked);
  return asked;
}
