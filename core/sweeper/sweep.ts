import { someAtOnce } from '../at-once.ts';
import type { Clock } from '../clock.ts';
import type { Counters } from '../endpoints/counts.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isApplied, isComplete, isSameSource } from '../endpoints/release.ts';
import type { Endpoints, Services } from '../endpoints/store.ts';
import { scale } from '../fleet/scale.ts';
import type { JobQueues } from '../jobs/queues.ts';
import type { Jobs } from '../jobs/store.ts';
import type { Ledger } from '../ledger/store.ts';
import { SWEPT_AT_ONCE } from '../limits.ts';
import { follow } from '../releases/follow.ts';
import { type ReleasePorts, release, wantedOf } from '../releases/release.ts';
import { saveFact } from '../workers/facts.ts';
import { isAlive, type Workers } from '../workers/lease.ts';
import { type LostPorts, requeueJobsOf } from '../workers/lost.ts';
import { mayScaleIn } from '../workers/unprotected.ts';
import { sweepCounters } from './counters.ts';
import { type DeadlinePorts, type SweptDeadlines, sweepDeadlines } from './deadlines.ts';
import { resendLost } from './lost-messages.ts';

export type SweepPorts = DeadlinePorts & {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly jobQueues: JobQueues;
  readonly jobs: Jobs;
  readonly ledger: Ledger;
  readonly workers: Workers;
} & ReleasePorts & { readonly services: Services };

/** The effects of a sweep. */
export interface Swept {
  /** Jobs of lost workers that were requeued. */
  readonly requeued: number;
  /** Jobs whose end was stored, because their wait or run was over. */
  readonly ended: number;
  /** Deliveries of webhooks that were started again. */
  readonly redriven: number;
  /** By endpoint, how many deliveries failed because no attempt was possible for too long. */
  readonly givenUp: Readonly<Record<string, number>>;
  /** Messages sent again for jobs that had lost theirs. */
  readonly resent: number;
  /** Endpoints whose counters were corrected, and the difference. */
  readonly mended: Readonly<Record<string, Counters>>;
  /** Endpoints that could not be swept, and why. */
  readonly failed: Readonly<Record<string, unknown>>;
}

/**
 * Repairs the results of crashes and lost messages. It runs every `SWEEP`; concurrent sweeps do no harm.
 *
 * Output: its effects. An endpoint that fails, or takes long, does not stop the sweep of the others.
 *  1. Requeue the jobs of lost workers.
 *  2. Store the end of jobs whose time is over, and restart deliveries of webhooks that should be over.
 *  3. Remove counters of purged jobs, and reconcile the others.
 *  4. Store that workers are ready, so that an endpoint stops backing off once one is.
 *  5. Follow a release in progress, and begin one that is due.
 *  6. Correct the number of workers: fewer where they idle, and the stored number where the service has lost it.
 *  7. Send lost messages again. This comes last, because an endpoint may have a great many of them.
 */
export async function sweep(ports: SweepPorts): Promise<Swept> {
  const sweeps = await someAtOnce(await ports.endpoints.list(), SWEPT_AT_ONCE, (endpoint) => tried(ports, endpoint));
  const by = <Value>(fieldOf: (one: SweptOne) => Value | undefined): Record<string, Value> => {
    const fields = sweeps.map((one) => [one.id, fieldOf(one)] as const);
    return Object.fromEntries(fields.filter((field): field is [string, Value & {}] => field[1] !== undefined));
  };
  const sum = (numberOf: (one: SweptOne) => number) => sweeps.reduce((total, one) => total + numberOf(one), 0);
  return {
    requeued: sum(({ requeued }) => requeued),
    ended: sum(({ deadlines }) => deadlines.ended),
    redriven: sum(({ deadlines }) => deadlines.redriven),
    givenUp: by(({ deadlines }) => deadlines.givenUp || undefined),
    resent: sum(({ resent }) => resent),
    mended: by(({ mended }) => mended),
    failed: by(({ error }) => error),
  };
}

/** The effects of the sweep of one endpoint, up to its failure if it failed. */
interface SweptOne {
  readonly id: string;
  requeued: number;
  deadlines: SweptDeadlines;
  mended?: Counters | undefined;
  resent: number;
  error?: unknown;
}

async function tried(ports: SweepPorts, endpoint: Endpoint): Promise<SweptOne> {
  const { id } = endpoint;
  const one: SweptOne = { id, requeued: 0, deadlines: { ended: 0, redriven: 0, givenUp: 0 }, resent: 0 };
  try {
    one.requeued = await sweepLeases(ports, endpoint);
    one.deadlines = await sweepDeadlines(ports, endpoint);
    await sweepGenerations(ports, endpoint);
    one.mended = await sweepCounters(ports, id);
    await sweepFleet(ports, endpoint);
    await sweepReleases(ports, endpoint);
    await sweepWorkers(ports, endpoint);
    one.resent = await resendLost(ports, endpoint);
  } catch (error) {
    one.error = error;
  }
  return one;
}

/** Corrects the service's number of workers, which may be lost, or overwritten by hand or by a deployment. */
async function sweepWorkers(ports: SweepPorts, { id, cluster, service: name }: Endpoint): Promise<void> {
  const service = { cluster, service: name };
  await scale(ports, id, 'both');
  const endpoint = await ports.endpoints.readNow(id);
  const wanted = endpoint?.desiredWorkers;
  const actual = await ports.services.desired(service);
  if (!endpoint || wanted === undefined || actual === undefined || actual === wanted) return;
  if (actual > wanted && !(await mayScaleIn(ports, endpoint, await ports.workers.listNow(id)))) return;
  await ports.services.setDesired(service, wanted);
}

/**
 * Requeues the jobs of workers whose leases have ended.
 *
 * Input: endpoint. Output: how many jobs were requeued.
 *  1. List the leases, and read each ended one again: the list may be a moment old.
 *  2. Requeue the jobs that the leases name, if they have ended.
 */
export async function sweepLeases(ports: LostPorts, { id }: Endpoint): Promise<number> {
  const isLost = (lease: Parameters<typeof isAlive>[0]) => !isAlive(lease, ports.clock.now());
  let back = 0;
  for (const { worker } of (await ports.workers.list(id)).filter(isLost)) {
    const lease = await ports.workers.read(id, worker);
    if (lease && isLost(lease)) back += await requeueJobsOf(ports, lease);
  }
  return back;
}

/** Most counters of one update, whose length DynamoDB bounds; the others wait for the next sweep. */
const MOST = 100;

/**
 * Removes the counters of generations that a purge has ended, because no reader needs them. A job of such a generation
 * that is stored as purged later creates its counter again, below zero, until the next sweep.
 */
export async function sweepGenerations(
  { ledger }: { readonly ledger: Ledger },
  { id, purgedCounters }: Endpoint,
): Promise<void> {
  if (purgedCounters.length > 0) await ledger.forget(id, purgedCounters.slice(0, MOST));
}

/** Stores that the newest ready worker is ready. It reads no leases if the fleet state has no failure to disprove. */
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
  if (last) await saveFact(ports, id, { is: 'ready', ...last });
}

/**
 * Follows a release in progress, and begins one that is missing: the event of a template's change was lost, or a
 * release that was rolled back is to be tried again.
 */
export async function sweepReleases(
  ports: ReleasePorts & { readonly clock: Clock; readonly workers: Workers },
  endpoint: Endpoint,
): Promise<void> {
  const { id, family, blueprint, release: present } = endpoint;
  if (family === undefined || blueprint === undefined || !present) return;
  if (!isComplete(present) || !isApplied(present)) await follow(ports, id);
  const wanted = await wantedOf(ports, endpoint);
  const known = present.refused ? [present, present.refused] : [present];
  if (!known.some((source) => isSameSource(source, wanted))) await release(ports, id);
}
