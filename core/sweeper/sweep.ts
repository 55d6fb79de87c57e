import pLimit from 'p-limit';
import type { Clock } from '../clock.ts';
import { type Counters, generationOf } from '../endpoints/counts.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isApplied, isComplete, isSameSource } from '../endpoints/release.ts';
import type { Endpoints, Services } from '../endpoints/store.ts';
import { scale } from '../fleet/scale.ts';
import type { EventPorts } from '../history/record-event.ts';
import type { JobQueues } from '../jobs/queues.ts';
import type { Jobs } from '../jobs/store.ts';
import type { Arrivals, Ledger } from '../ledger/store.ts';
import { MINUTE, SWEEP } from '../limits.ts';
import { follow } from '../releases/follow.ts';
import { type ReleasePorts, release } from '../releases/release.ts';
import { desiredSource, isStillRefused } from '../releases/source.ts';
import { RELEASED_AT_ONCE } from '../releases/template-rollout.ts';
import { saveFact } from '../workers/apply-facts.ts';
import { isAlive, type Workers } from '../workers/lease.ts';
import { type LostPorts, requeueJobsOf } from '../workers/lost.ts';
import { mayScaleIn } from '../workers/unprotected.ts';
import { sweepCounters } from './counters.ts';
import { type DeadlinePorts, type SweptDeadlines, sweepDeadlines } from './deadlines.ts';
import { resendLost } from './lost-messages.ts';
import { type Measured, measure } from './measure.ts';

/**
 * Number of endpoints that are swept concurrently. A slow endpoint does not delay the others, and hundreds are swept
 * within a minute.
 */
export const SWEPT_AT_ONCE = 25;

export type SweepPorts = DeadlinePorts & {
  readonly arrivals: Pick<Arrivals, 'earliest'>;
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly jobQueues: JobQueues;
  readonly jobs: Jobs;
  readonly ledger: Ledger;
  readonly workers: Workers;
} & EventPorts &
  ReleasePorts & { readonly services: Services };

/** The effects of a sweep. */
export interface Swept {
  /** The endpoints, as they were before the sweep. */
  readonly endpoints: readonly Endpoint[];
  /** Number of jobs of lost workers that were requeued. */
  readonly requeued: number;
  /** Number of overdue jobs that were ended. */
  readonly ended: number;
  /** Number of webhook deliveries that were started again. */
  readonly redriven: number;
  /** Number of deliveries that failed because no attempt was possible for too long, by endpoint. */
  readonly givenUp: Readonly<Record<string, number>>;
  /** Number of lost messages that were sent again. */
  readonly resent: number;
  /** Corrections of counters, by endpoint. */
  readonly corrected: Readonly<Record<string, Counters>>;
  /** Measurements, by endpoint. */
  readonly measured: Readonly<Record<string, Measured>>;
  /** Errors of endpoints that could not be swept, by endpoint. */
  readonly failed: Readonly<Record<string, unknown>>;
}

/**
 * Repairs the results of crashes and lost messages. Runs every `SWEEP`; concurrent sweeps do no harm.
 *
 * Output: its effects. A failing or slow endpoint does not stop the sweep of the other endpoints.
 *  1. Measure the endpoint, and requeue the jobs of lost workers.
 *  2. End overdue jobs, and restart overdue webhook deliveries.
 *  3. Remove counters of purged jobs, and reconcile the other counters.
 *  4. Store that a worker is ready, so that its endpoint stops backing off.
 *  5. Follow a release in progress.
 *  6. Correct the number of workers: reduce it if workers are idle, and restore the stored number in the service.
 *  7. Send lost messages again. This step is the last for an endpoint, because it can have many lost messages.
 *  8. Begin the releases that are due. ECS accepts few revisions a second, so this follows the sweep of all endpoints
 *     and has a limited time. The next sweep begins the rest.
 */
export async function sweep(ports: SweepPorts): Promise<Swept> {
  const endpoints = inRotation(await ports.endpoints.list(), ports.clock.now());
  const running = ports.services.desiredOf(endpoints);
  // Each endpoint reports the failure at the step that needs the numbers, so that its earlier steps are taken.
  running.catch(() => undefined);
  const sweeps = await pLimit(SWEPT_AT_ONCE).map(endpoints, (endpoint) => tried(ports, endpoint, running));
  await beginReleases(ports, sweeps);
  const by = <Value>(fieldOf: (one: SweptOne) => Value | undefined): Record<string, Value> => {
    const fields = sweeps.map((one) => [one.id, fieldOf(one)] as const);
    return Object.fromEntries(fields.filter((field): field is [string, Value & {}] => field[1] !== undefined));
  };
  const sum = (numberOf: (one: SweptOne) => number) => sweeps.reduce((total, one) => total + numberOf(one), 0);
  return {
    endpoints,
    requeued: sum(({ requeued }) => requeued),
    ended: sum(({ deadlines }) => deadlines.ended),
    redriven: sum(({ deadlines }) => deadlines.redriven),
    givenUp: by(({ deadlines }) => deadlines.givenUp || undefined),
    resent: sum(({ resent }) => resent),
    corrected: by(({ corrected }) => corrected),
    measured: by(({ measured }) => measured),
    failed: by(({ error }) => error),
  };
}

/** Time in which a sweep begins releases. */
export const RELEASES_BEGIN = SWEEP / 2;

async function beginReleases(ports: SweepPorts, sweeps: readonly SweptOne[]): Promise<void> {
  const until = ports.clock.now() + RELEASES_BEGIN;
  const due = sweeps.filter((one) => one.isReleaseDue);
  await pLimit(RELEASED_AT_ONCE).map(due, async (one) => {
    if (ports.clock.now() >= until) return;
    try {
      await release(ports, one.id);
    } catch (error) {
      one.error ??= error;
    }
  });
}

/** The golden ratio: its multiples, modulo 1, are spread evenly. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Returns the endpoints in an order that begins at another one in each sweep. If a sweep exceeds the timeout of its
 * function, the following sweeps reach the endpoints that it left out.
 */
export function inRotation<Item>(items: readonly Item[], now: number): Item[] {
  const first = Math.floor(((Math.floor(now / SWEEP) * GOLDEN) % 1) * items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}

/** Effects of the sweep of one endpoint, up to its failure if it failed. */
interface SweptOne {
  readonly id: string;
  measured?: Measured;
  requeued: number;
  deadlines: SweptDeadlines;
  corrected?: Counters | undefined;
  resent: number;
  isReleaseDue?: boolean;
  error?: unknown;
}

/** Numbers of workers that services are set to, by name, read at the beginning of the sweep. */
type Running = Promise<ReadonlyMap<string, number>>;

async function tried(ports: SweepPorts, endpoint: Endpoint, running: Running): Promise<SweptOne> {
  const { id } = endpoint;
  const one: SweptOne = { id, requeued: 0, deadlines: { ended: 0, redriven: 0, givenUp: 0 }, resent: 0 };
  try {
    one.measured = await measure(ports, endpoint);
  } catch (error) {
    // The repairs do not depend on the measurement.
    one.error = error;
  }
  try {
    one.requeued = await sweepLeases(ports, endpoint);
    one.deadlines = await sweepDeadlines(ports, endpoint);
    await sweepGenerations(ports, endpoint);
    one.corrected = await sweepCounters(ports, endpoint);
    await sweepFleet(ports, endpoint);
    one.isReleaseDue = await sweepReleases(ports, endpoint);
    await sweepWorkers(ports, endpoint, running);
    one.resent = await resendLost(ports, endpoint);
  } catch (error) {
    one.error = error;
  }
  return one;
}

/**
 * Corrects the service's number of workers, which can be lost, or overwritten manually or by a deployment. Reads the
 * service again before a correction, because another scaler can have set it during the sweep.
 */
async function sweepWorkers(
  ports: SweepPorts,
  { id, cluster, service: name }: Endpoint,
  running: Running,
): Promise<void> {
  const service = { cluster, service: name };
  const wanted = await scale(ports, id, 'both');
  const before = (await running).get(name);
  if (wanted === undefined || before === undefined || before === wanted) return;
  const [endpoint, actual] = await Promise.all([ports.endpoints.readNow(id), ports.services.desired(service)]);
  if (!endpoint || actual === undefined || actual === wanted) return;
  if (actual > wanted && !(await mayScaleIn(ports, endpoint, await ports.workers.listNow(id)))) return;
  await ports.services.setDesired(service, wanted);
}

/**
 * Requeues the jobs of workers whose leases have ended.
 *
 * Input: endpoint. Output: number of requeued jobs.
 *  1. List the leases, and read each ended lease again, because the list can be slightly old.
 *  2. Requeue the jobs of leases that have ended.
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

/**
 * The sweeper removes the counters of a generation when its purge has certainly responded: after `after`, or when there
 * have been `purges` later purges. Keys and users together can purge an endpoint about twelve times in half a minute.
 */
const purgedCountersKept = { after: MINUTE, purges: 20 } as const;

/**
 * Maximum number of counters in one update, whose length DynamoDB limits. The next sweep removes further counters.
 */
const MAX_COUNTERS = 100;

/**
 * Removes the counters of generations that a purge has ended. If a job of such a generation is stored as purged
 * later, its counter exists again with a negative value until the next sweep.
 */
export async function sweepGenerations(
  { clock, ledger }: { readonly clock: Clock; readonly ledger: Ledger },
  { id, generation, purgedAt, purgedCounters }: Endpoint,
): Promise<void> {
  // A purge might still read the counters of the generation that it has ended.
  const areRead = clock.now() - purgedAt < purgedCountersKept.after;
  const last = areRead ? generation - purgedCountersKept.purges : generation;
  const over = purgedCounters.filter((counter) => (generationOf(counter) ?? generation) < last);
  if (over.length > 0) await ledger.forget(id, over.slice(0, MAX_COUNTERS));
}

/**
 * Stores that the newest ready worker is ready. Reads leases only if the fleet state has a failure to disprove.
 */
export async function sweepFleet(
  ports: { readonly clock: Clock; readonly endpoints: Endpoints; readonly workers: Workers } & EventPorts,
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
 * Follows a release in progress.
 * @returns whether a release is due: one whose event was lost, or a rolled-back release to repeat
 */
export async function sweepReleases(
  ports: ReleasePorts & { readonly clock: Clock; readonly workers: Workers },
  endpoint: Endpoint,
): Promise<boolean> {
  const { id, release: present } = endpoint;
  if (!present) return false;
  if (!isComplete(present) || !isApplied(present)) await follow(ports, id);
  const source = await desiredSource(ports, endpoint);
  return !isSameSource(present, source) && !isStillRefused(endpoint, source);
}
