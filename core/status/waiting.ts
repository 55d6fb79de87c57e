/** Where a job waits, and why. `docs/waiting.md` explains each reason to clients. */
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { type Blocker, type Condition, conditionKinds } from '../endpoints/fleet-state.ts';
import type { Job, QueuedJob } from '../jobs/job.ts';
import { quoted } from '../jobs/record.ts';
import type { Arrivals } from '../ledger/store.ts';
import { jobsPerWorker } from '../workers/concurrency.ts';
import { presenceOf, type WorkerFacts } from '../workers/count.ts';
import type { Lease, Workers } from '../workers/lease.ts';

interface Situation {
  readonly lowPriority: boolean;
  /** Normal jobs that wait. */
  readonly normalWaiting: number;
  /** Workers that are there, those of them that take another job, and those of these that have asked for jobs. */
  readonly alive: number;
  readonly free: number;
  readonly freeReady: number;
  /** Workers that should be there and are not, and whether they should have come long ago. */
  readonly missing: number;
  readonly overdue: boolean;
  /** What keeps workers from becoming ready. */
  readonly blocker?: Blocker;
  readonly maxWorkers: number;
}

const blockedBy =
  (name: Blocker) =>
  ({ blocker, freeReady }: Situation): boolean =>
    blocker === name && freeReady <= 0;

/** In the order in which they are decided: the first that holds is the reason. */
export const waitReasons = {
  /** Normal jobs go first; and where no worker is free or on its way, a normal job would have one started. */
  LOW_PRIORITY: ({ lowPriority, normalWaiting, alive, free, missing, maxWorkers }) =>
    lowPriority && (normalWaiting > 0 || (free <= 0 && missing === 0 && alive < maxWorkers)),
  NO_CAPACITY: blockedBy('NO_CAPACITY'),
  QUOTA: blockedBy('QUOTA'),
  IMAGE_UNAVAILABLE: blockedBy('IMAGE_UNAVAILABLE'),
  CANNOT_START: blockedBy('CANNOT_START'),
  WORKER_EXITS: blockedBy('WORKER_EXITS'),
  WORKER_UNHEALTHY: blockedBy('WORKER_UNHEALTHY'),
  /** Its container starts, or is about to take a job. */
  WORKER_STARTING: ({ free }) => free > 0,
  /** No event has said why it is not there. */
  WAITING_FOR_CAPACITY: ({ missing, overdue }) => missing > 0 && overdue,
  SCALING_UP: ({ missing }) => missing > 0,
  /** The ledger asks for one within a second or two. */
  NO_WORKER: ({ alive }) => alive === 0,
  WORKERS_BUSY: () => true,
} as const satisfies Record<Blocker, unknown> & Record<string, (situation: Situation) => boolean>;

export type WaitReason = keyof typeof waitReasons;

/** Why, and in a sentence what is known beyond that. */
export interface Wait {
  readonly waitReason: WaitReason;
  readonly waitDetail?: string;
}

const timeOf = (time: number) => new Date(time).toISOString();

/** The sentence for a condition of the endpoint, and when it is tried again if it backs off. */
function detailOf({ is, words, since }: Condition, { backOff }: WorkerFacts['fleet'], now: number): string {
  const says = conditionKinds[is].says(words);
  const ended = /[.!?…]$/.test(says) ? says : `${says}.`;
  const next = backOff && (backOff.until > now ? `at ${timeOf(backOff.until)}` : 'within a minute');
  return `${ended} Since ${timeOf(since)}.${next ? ` No more workers are started; one is tried ${next}.` : ''}`;
}

/**
 * Leases name a job up to 10 s after its start, and the counts include it a second or two after it: a worker is busy as
 * soon as either says so.
 * @param leases of the endpoint's workers
 * @param now milliseconds
 */
export function waitOf(
  facts: WorkerFacts,
  leases: readonly Lease[],
  { lowPriority }: Pick<Job, 'lowPriority'>,
  now: number,
): Wait {
  const { counts, maxWorkers, fleet } = facts;
  const concurrency = jobsPerWorker(facts);
  const { ready, refused, starting, missing, blocker, overdue } = presenceOf(facts, leases, now);
  const taking = ready.filter(({ retiring }) => !retiring);
  const usable = taking.length + starting.length;
  const full = taking.filter(({ jobs }) => jobs.length >= concurrency).length;
  const ofRetiring = ready.reduce((total, { jobs, retiring }) => total + (retiring ? jobs.length : 0), 0);
  const busy = Math.max(full, Math.floor(Math.max(0, counts.inProgress - ofRetiring) / concurrency));
  const situation: Situation = {
    lowPriority,
    normalWaiting: counts.inQueue - counts.lowInQueue,
    alive: ready.length + starting.length + refused.length,
    free: usable - busy,
    freeReady: taking.length - busy,
    missing,
    overdue,
    ...(blocker && { blocker }),
    maxWorkers,
  };
  const reasons = Object.keys(waitReasons) as WaitReason[];
  const waitReason = reasons.find((reason) => waitReasons[reason](situation)) ?? 'WORKERS_BUSY';
  const hasDetail = waitReason === blocker || (waitReason === 'SCALING_UP' && fleet.condition?.is === 'STARTING');
  return { waitReason, ...(hasDetail && fleet.condition && { waitDetail: detailOf(fleet.condition, fleet, now) }) };
}

/**
 * The approximate position of a job in its queue: 1 is next. Jobs that came in the same 10 s do not count, and changes of
 * the last second or two may be missing. The position is never more than the number of the endpoint's waiting jobs.
 *
 * A job of low priority waits for all normal ones, and for those of its own that came before.
 */
export async function queuePosition(
  { arrivals }: { readonly arrivals: Arrivals },
  { counts }: Pick<Endpoint, 'counts'>,
  job: QueuedJob,
): Promise<number> {
  const low = Math.max(0, counts.lowInQueue);
  const normal = Math.max(0, counts.inQueue - low);
  const ofItsOwn = job.lowPriority ? low : normal;
  // A job that waits alone needs no read.
  const ahead = ofItsOwn > 1 ? await arrivals.countBefore(job, job.queuedAt) : 0;
  return (job.lowPriority ? normal : 0) + Math.min(ahead, Math.max(0, ofItsOwn - 1)) + 1;
}

/** Returns the members of the job record that say where a waiting job stands, and why it waits. */
export async function placeOf(
  ports: { readonly arrivals: Arrivals; readonly clock: Clock; readonly workers: Workers },
  endpoint: Endpoint,
  job: QueuedJob,
): Promise<Readonly<Record<string, string | undefined>>> {
  const [position, leases] = await Promise.all([
    queuePosition(ports, endpoint, job),
    ports.workers.listLately(job.endpoint),
  ]);
  const { waitReason, waitDetail } = waitOf(endpoint, leases, job, ports.clock.now());
  return { queuePosition: String(position), waitReason: quoted(waitReason), waitDetail: quoted(waitDetail) };
}
