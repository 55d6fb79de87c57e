/** Position and reason of a waiting job. `docs/guides/waiting.md` explains each reason to clients. */
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { type Blocker, type Condition, conditionKinds } from '../endpoints/fleet-state.ts';
import { inDollars, isBudgetSpent, resetAfter, spendingToday } from '../endpoints/spending.ts';
import type { Job, QueuedJob } from '../jobs/job.ts';
import { quoted } from '../jobs/record.ts';
import { ARRIVAL_SPAN } from '../ledger/arrivals.ts';
import type { Arrivals } from '../ledger/store.ts';
import { jobsPerWorker } from '../workers/concurrency.ts';
import { presenceOf, type WorkerFacts } from '../workers/count.ts';
import type { Lease, Workers } from '../workers/lease.ts';
import { SILENT } from '../workers/protocol.ts';

interface Situation {
  readonly lowPriority: boolean;
  /** Number of waiting normal jobs. */
  readonly normalWaiting: number;
  /**
   * Numbers of live workers, of free workers among them, which can take another job, and of free workers that have
   * asked for jobs.
   */
  readonly alive: number;
  readonly free: number;
  readonly freeReady: number;
  /** Number of live workers whose container no longer asks for jobs. */
  readonly silent: number;
  /** Number of missing workers, and whether they are overdue. */
  readonly missing: number;
  readonly overdue: boolean;
  /** Reason that keeps workers from becoming ready. */
  readonly blocker?: Blocker;
  readonly maxWorkers: number;
  readonly budgetSpent: boolean;
}

const blockedBy =
  (name: Blocker) =>
  ({ blocker, freeReady }: Situation): boolean =>
    blocker === name && freeReady <= 0;

/** Conditions of the reasons. The first condition that holds determines the reason. */
export const waitReasons = {
  /** No worker starts or takes a job until the next day, or until the budget is raised. */
  BUDGET_SPENT: ({ budgetSpent }) => budgetSpent,
  /** Normal jobs are served first. If no worker is free or starting, only a normal job would start one. */
  LOW_PRIORITY: ({ lowPriority, normalWaiting, alive, free, missing, maxWorkers }) =>
    lowPriority && (normalWaiting > 0 || (free <= 0 && missing === 0 && alive < maxWorkers)),
  NO_CAPACITY: blockedBy('NO_CAPACITY'),
  QUOTA: blockedBy('QUOTA'),
  IMAGE_UNAVAILABLE: blockedBy('IMAGE_UNAVAILABLE'),
  CANNOT_START: blockedBy('CANNOT_START'),
  WORKER_EXITS: blockedBy('WORKER_EXITS'),
  /** The last worker failed, or a worker with room for the job no longer asks for jobs. */
  WORKER_UNHEALTHY: (situation: Situation) =>
    blockedBy('WORKER_UNHEALTHY')(situation) || (situation.silent > 0 && situation.freeReady <= 0),
  /** A worker's container is starting, or a worker is about to take a job. */
  WORKER_STARTING: ({ free }) => free > 0,
  /** A worker is missing, and no event contains the reason. */
  WAITING_FOR_CAPACITY: ({ missing, overdue }) => missing > 0 && overdue,
  SCALING_UP: ({ missing }) => missing > 0,
  /** The ledger requests a worker within two seconds. */
  NO_WORKER: ({ alive }) => alive === 0,
  WORKERS_BUSY: () => true,
} as const satisfies Record<Blocker, unknown> & Record<string, (situation: Situation) => boolean>;

export type WaitReason = keyof typeof waitReasons;

/** Why a job waits, with details in a sentence if there are any. */
export interface Wait {
  readonly waitReason: WaitReason;
  readonly waitDetail?: string;
}

const timeOf = (time: number) => new Date(time).toISOString();

/**
 * Returns the message for a condition of the endpoint, with the time of the next attempt if the endpoint backs
 * off.
 */
function detailOf({ is, words, since }: Condition, { backOff }: WorkerFacts['fleet'], now: number): string {
  const message = conditionKinds[is].message(words);
  const ended = /[.!?…]$/.test(message) ? message : `${message}.`;
  const next = backOff && (backOff.until > now ? `at ${timeOf(backOff.until)}` : 'within a minute');
  return `${ended} Since ${timeOf(since)}.${next ? ` The endpoint backs off: it starts one worker ${next}.` : ''}`;
}

function budgetDetailOf(facts: WorkerFacts, now: number): string {
  const [spent, max] = [spendingToday(facts, now)?.dollars ?? 0, facts.maxDollarsPerDay ?? 0];
  return `The endpoint has spent ${inDollars(spent)} of its \`maxDollarsPerDay\` of ${inDollars(max)} today (UTC). It starts workers again at ${timeOf(resetAfter(now))}.`;
}

/**
 * Returns why a job waits. Leases name a job up to 10 s after its start, and the counts include it two seconds
 * after its start, so a worker is busy if either shows it.
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
  const { ready, refused, silent, starting, missing, blocker, overdue } = presenceOf(facts, leases, now);
  const taking = ready.filter(({ retiring }) => !retiring);
  const usable = taking.length + starting.length;
  const full = taking.filter(({ jobs }) => jobs.length >= concurrency).length;
  const ofRetiring = ready.reduce((total, { jobs, retiring }) => total + (retiring ? jobs.length : 0), 0);
  const busy = Math.max(full, Math.floor(Math.max(0, counts.inProgress - ofRetiring) / concurrency));
  const situation: Situation = {
    lowPriority,
    normalWaiting: counts.inQueue - counts.lowInQueue,
    alive: ready.length + starting.length + refused.length + silent.length,
    free: usable - busy,
    freeReady: taking.length - busy,
    silent: silent.length,
    missing,
    overdue,
    ...(blocker && { blocker }),
    maxWorkers,
    budgetSpent: isBudgetSpent(facts, now),
  };
  const reasons = Object.keys(waitReasons) as WaitReason[];
  const waitReason = reasons.find((reason) => waitReasons[reason](situation)) ?? 'WORKERS_BUSY';
  if (waitReason === 'BUDGET_SPENT') return { waitReason, waitDetail: budgetDetailOf(facts, now) };
  const hasDetail = waitReason === blocker || (waitReason === 'SCALING_UP' && fleet.condition?.is === 'STARTING');
  if (waitReason === 'WORKER_UNHEALTHY' && !hasDetail)
    return { waitReason, waitDetail: conditionKinds.WORKER_UNHEALTHY.message(SILENT) };
  return { waitReason, ...(hasDetail && fleet.condition && { waitDetail: detailOf(fleet.condition, fleet, now) }) };
}

/**
 * Returns the approximate position of a job in its queue: 1 is the next job. Jobs that arrived in the same 10 s do
 * not count, and changes of the last two seconds might be missing. The position never exceeds the number of the
 * endpoint's waiting jobs, including this job.
 *
 * A low-priority job waits for all normal jobs, and for all earlier low-priority jobs.
 */
export async function queuePosition(
  { arrivals }: { readonly arrivals: Arrivals },
  { counts }: Pick<Endpoint, 'counts'>,
  job: QueuedJob,
): Promise<number> {
  const low = Math.max(0, counts.lowInQueue);
  const normal = Math.max(0, counts.inQueue - low);
  const ofItsOwn = job.lowPriority ? low : normal;
  // The only waiting job needs no read.
  const ahead = ofItsOwn > 1 ? await arrivals.countBefore(job, job.queuedAt) : 0;
  return (job.lowPriority ? normal : 0) + Math.min(ahead, Math.max(0, ofItsOwn - 1)) + 1;
}

/**
 * Returns for how many milliseconds the oldest normal job of the endpoint has waited, or undefined if none waits. The
 * result is up to 10 s too short, and changes of the last two seconds might be missing. A requeued job has waited since
 * its submission.
 */
export async function oldestWaiting(
  { arrivals, clock }: { readonly arrivals: Pick<Arrivals, 'earliest'>; readonly clock: Clock },
  { id, generation, counts }: Pick<Endpoint, 'id' | 'generation' | 'counts'>,
): Promise<number | undefined> {
  if (counts.inQueue - counts.lowInQueue <= 0) return undefined;
  const since = await arrivals.earliest({ endpoint: id, generation, lowPriority: false });
  return since === undefined ? undefined : Math.max(0, clock.now() - since - ARRIVAL_SPAN);
}

export type PlacePorts = { readonly arrivals: Arrivals; readonly clock: Clock; readonly workers: Workers };

/** Returns the members of the job record with the position of a waiting job and the reason for its wait. */
export async function placeOf(
  ports: PlacePorts,
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
