import type { Clock } from '../clock.ts';
import { conflictTries } from '../conflicts.ts';
import type { Asked, Endpoint } from '../endpoints/endpoint.ts';
import type { Endpoints, Services } from '../endpoints/store.ts';
import { askedBy, desiredWorkers } from '../workers/concurrency.ts';
import { allowedWorkers, saveFact } from '../workers/facts.ts';
import { holdsWorker, isAlive, isStarting, type Lease, type Workers } from '../workers/lease.ts';
import { mayScaleIn } from '../workers/unprotected.ts';

export type ScalePorts = {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly workers: Workers;
  readonly services: Services;
};

/**
 * Sets how many workers the endpoint's service runs, by the jobs that it has.
 *
 * Input: endpoint id; `up` if workers may only be added, because the caller knows only that jobs have come.
 *  1. Count what is needed. Where leases may be read, store how many jobs the workers ask to run at once, and add
 *     workers for those that take no more jobs. Going down, workers stay that hold jobs, or have held one within the
 *     idle time. An endpoint that backs off gets no more workers than are ready, and one more when it is time to try.
 *     All stay while one of them works unprotected.
 *  2. Set the number at the service, then store it. If another scaler stored a number meanwhile, start again: the
 *     service may have received the older number last.
 *  3. After a scale-in, clear the condition of workers that are no longer requested, and of their capacity.
 */
export async function scale(ports: ScalePorts, id: string, direction: 'up' | 'both'): Promise<void> {
  let contended = false;
  for (let tries = 0; tries < conflictTries.scale; tries += 1) {
    const endpoint = await ports.endpoints.readNow(id);
    if (!endpoint) return;
    const present = endpoint.desiredWorkers ?? endpoint.minWorkers;
    const wanted = await wantedWorkers(ports, endpoint, present, direction);
    if (wanted === present && endpoint.desiredWorkers !== undefined && !contended) return;
    await ports.services.setDesired(endpoint, wanted);
    if (await ports.endpoints.setDesired(id, endpoint.desiredWorkers, wanted)) {
      if (wanted < present) await saveFact(ports, id, { is: 'withdrawn', at: ports.clock.now() });
      return;
    }
    contended = true;
  }
}

async function wantedWorkers(
  ports: Pick<ScalePorts, 'clock' | 'endpoints' | 'workers'>,
  endpoint: Endpoint,
  present: number,
  direction: 'up' | 'both',
): Promise<number> {
  const { fleet, idleTimeout } = endpoint;
  // A caller that only scales up may not read leases: it uses the stored number of jobs per worker.
  const known = desiredWorkers(endpoint, endpoint.counts);
  if (direction === 'up') return fleet.backOff ? present : Math.max(known, present);
  if (known === 0 && present === 0) return 0;
  const now = ports.clock.now();
  const all = await ports.workers.listNow(endpoint.id);
  const leases = all.filter((lease) => isAlive(lease, now));
  const asked = await setAsked(ports, endpoint, leases, now);
  const retiring = leases.filter((lease) => lease.retiring);
  const needed = desiredWorkers({ ...endpoint, asked }, endpoint.counts, retiring);
  if (needed >= present && !fleet.backOff) return needed;
  const ready = leases.filter((lease) => !isStarting(lease));
  const wanted = Math.min(needed, allowedWorkers(fleet, ready.length, now));
  // A worker that starts while the endpoint backs off is about to fail as well.
  const kept = (fleet.backOff ? ready : leases).filter((lease) => holdsWorker(lease, idleTimeout, now));
  const most = wanted >= present ? wanted : Math.min(present, Math.max(wanted, kept.length));
  return most < present && !(await mayScaleIn(ports, endpoint, all)) ? present : most;
}

/** Stores how many jobs the workers ask for, if the number has changed. */
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
