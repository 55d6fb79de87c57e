/**
 * Checks the invariants of the service without using the transition table: which changes are legal, what clients
 * may rely on after an answer, and that a message or a lease points to each job that has not ended.
 */

import { isPurged } from '../../../../core/jobs/delivery-key.ts';
import { ending } from '../../../../core/jobs/ending.ts';
import type { Job } from '../../../../core/jobs/job.ts';
import { apply } from '../../../../core/jobs/machine.ts';
import { type Call, type State, type Tracked, workerName, workerOf } from './state.ts';

export interface Broken {
  readonly invariant: string;
  readonly because: string;
}

const broken = (invariant: string, because: string): Broken => ({ invariant, because });

/** All legal changes of status, by transition. */
const legal: Readonly<Record<string, readonly string[]>> = {
  take: ['IN_QUEUE>IN_PROGRESS'],
  expire: ['IN_QUEUE>TIMED_OUT'],
  purge: ['IN_QUEUE>CANCELLED'],
  cancelQueued: ['IN_QUEUE>CANCELLED'],
  cancelRunning: ['IN_PROGRESS>CANCELLED'],
  progress: ['IN_PROGRESS>IN_PROGRESS'],
  complete: ['IN_PROGRESS>COMPLETED'],
  fail: ['IN_PROGRESS>FAILED'],
  timeout: ['IN_PROGRESS>TIMED_OUT'],
  requeue: ['IN_PROGRESS>IN_QUEUE'],
  lose: ['IN_PROGRESS>FAILED'],
  retry: ['FAILED>IN_QUEUE', 'TIMED_OUT>IN_QUEUE'],
  limitRetention: ['IN_QUEUE>IN_QUEUE', 'IN_PROGRESS>IN_PROGRESS'],
  expireSooner: ['COMPLETED>COMPLETED', 'FAILED>FAILED', 'CANCELLED>CANCELLED', 'TIMED_OUT>TIMED_OUT'],
};

/** Writes that only the holder, or a process on its behalf, may make. */
const OF_HOLDER = ['progress', 'complete', 'fail', 'requeue', 'lose'];

export const isOver = (job: Job | undefined): boolean => job !== undefined && 'finishedAt' in job;
export const isKept = (job: Job, now: number) => !('expiresAt' in job) || now < job.expiresAt;

/** Returns the fields that a client reads of an ended job, as one string. */
export const answerOf = (job: Job): string =>
  JSON.stringify([
    job.status,
    'code' in job && job.code,
    'finishedAt' in job && job.finishedAt,
    'output' in job && job.output,
    job.attempt,
  ]);

/** Caches views of stored jobs. Many states share a stored job, and applying a row is the slowest part of a walk. */
const views = new WeakMap<Job, Map<string, Job>>();

function viewsOf(job: Job): Map<string, Job> {
  const known = views.get(job) ?? new Map<string, Job>();
  views.set(job, known);
  return known;
}

/** Returns the job as a reader of this generation sees it. */
export function observed(job: Job, generation: number, { purgedAt, now }: State): Job {
  const known = viewsOf(job);
  const when = `${generation} ${purgedAt} ${now}`;
  const view =
    known.get(when) ??
    ending(job, { generation, purgedAt }, now, {
      purge: (facts) => apply('purge', job, facts),
      expire: (facts) => apply('expire', job, facts),
      timeout: (facts) => apply('timeout', job, facts),
    }) ??
    job;
  known.set(when, view);
  return view;
}

/** Returns the generations that a reader of the endpoint can have read. */
export const readable = ({ generation, stale }: State): readonly number[] =>
  stale ? [generation, generation - 1] : [generation];

/** Returns the invariant that the write breaks, if there is one. */
export function brokenByWrite(state: State, tracked: Tracked, before: Job, after: Job, call: Call): Broken | undefined {
  const change = `${before.status}>${after.status}`;
  if (OF_HOLDER.includes(call.name)) {
    const { $worker, $attempt } = call.facts;
    if (before.status !== 'IN_PROGRESS' || before.worker !== $worker || before.attempt !== $attempt)
      return broken('I6', `attempt ${$attempt} of ${$worker} wrote into attempt ${before.attempt}, ${before.status}`);
  }
  if (call.name === 'retry') {
    const same = before.id === after.id && JSON.stringify(before.input) === JSON.stringify(after.input);
    if (!same || before.attempt !== after.attempt || 'output' in after || 'error' in after)
      return broken('I13', 'the retried job differs from the job without its result');
    // Checked for the time of the call, because a write in flight cannot be stopped.
    if (!isKept(before, call.readAt)) return broken('I13', 'a job with an expired result was retried');
  }
  if (!legal[call.name]?.includes(change)) return broken('I3', `${call.name} changed ${change}`);
  if (call.purpose === 'shorten') return brokenByShortening(before, after, call);
  if (after.attempt !== before.attempt + (call.name === 'take' ? 1 : 0))
    return broken('I3', 'an attempt was miscounted');
  if (call.name === 'take' && tracked.answeredBy === 'cancel') return broken('I11', 'a cancelled job was taken');
  if (call.purpose === 'rescue' || call.purpose === 'sweeper requeue') {
    const holder = before.status === 'IN_PROGRESS' ? state.workers[workerOf(before.worker)] : undefined;
    if (holder?.alive && !tracked.lapsed)
      return broken('I10', 'a job was taken from a worker whose lease had not ended');
  }
  return undefined;
}

/**
 * A result may expire sooner but never later, and nothing else may change. The result after a retry is a different
 * one.
 */
function brokenByShortening(before: Job, after: Job, { readAt }: Call): Broken | undefined {
  const { expiresAt: oldEnd, retention: oldSpan, ...others } = { expiresAt: 0, ...before };
  const { expiresAt: newEnd, retention: newSpan, ...othersAfter } = { expiresAt: 0, ...after };
  if (JSON.stringify(others) !== JSON.stringify(othersAfter))
    return broken('I4', 'a field other than the expiry changed');
  if (newEnd > oldEnd || newSpan > oldSpan) return broken('ttl', 'a result is kept for longer than before');
  const begin = 'finishedAt' in before ? before.finishedAt : before.queuedAt;
  return begin > readAt
    ? broken('ttl', 'a shorter retention that was requested for one run applies to the next run')
    : undefined;
}

/** Returns the invariant that breaks when a worker passes the job to its handler, if there is one. */
export const brokenByStart = ({ cut }: Tracked): Broken | undefined =>
  cut === 'removed'
    ? broken('I12', 'a job that the purge had removed from the queue started after the purge had answered')
    : undefined;

/** Counts the checks of invariants. */
export interface Evaluations {
  count: number;
}

export function brokenIn(state: State, strong: boolean, evaluations: Evaluations): Broken | undefined {
  for (const [index, tracked] of state.jobs.entries()) {
    if (!tracked.stored) continue;
    const found =
      brokenPromise(state, tracked, strong, evaluations) ??
      brokenCut(state, tracked, tracked.stored, evaluations) ??
      brokenCount(state, tracked, evaluations) ??
      brokenOutput(tracked, tracked.stored, evaluations) ??
      brokenPointer(state, index, tracked, tracked.stored, evaluations);
    if (found) return found;
  }
  return undefined;
}

/** I4, I5: when a client has read a final status, every client reads the same one until a retry. */
function brokenPromise(state: State, tracked: Tracked, strong: boolean, evaluations: Evaluations): Broken | undefined {
  const { answer, answeredBy, stored } = tracked;
  if (answer === undefined) return undefined;
  for (const version of strong ? [stored] : [stored, tracked.before]) {
    for (const generation of readable(state)) {
      evaluations.count += 1;
      if (!version || !isKept(version, state.now)) continue;
      const view = observed(version, generation, state);
      if (isKept(view, state.now) && answerOf(view) !== answer)
        return broken(
          answeredBy === 'cancel' ? 'I5' : 'I4',
          `a client read ${answer}, and another reads ${answerOf(view)}`,
        );
    }
  }
  return undefined;
}

/** I12: a purge changes no running jobs, and no jobs that entered the queue after it. */
function brokenCut(state: State, { cut }: Tracked, stored: Job, evaluations: Evaluations): Broken | undefined {
  if (cut !== 'spared') return undefined;
  evaluations.count += 1;
  const view = observed(stored, state.generation, state);
  if (view.status !== 'CANCELLED' || view.code !== 'PURGED') return undefined;
  return broken('I12', 'a purge removed a job that was running, or that was queued after the purge had answered');
}

/** Returns whether the job is stored as purged, or waits in an older generation. */
export const isRemoved = ({ generation }: State, job: Job | undefined): boolean =>
  job !== undefined && (isPurged(job) || (job.status === 'IN_QUEUE' && job.generation < generation));

/** I12: a purge counts exactly the jobs that it removes. */
function brokenCount(state: State, { counted, stored }: Tracked, evaluations: Evaluations): Broken | undefined {
  if (counted === undefined || state.purge !== 'returned') return undefined;
  evaluations.count += 1;
  if (isRemoved(state, stored) === counted) return undefined;
  return broken(
    'I12',
    `a purge ${counted ? 'counted a job that it did not remove' : 'removed a job without counting it'}`,
  );
}

/** I7: the output exists before the job is COMPLETED. */
function brokenOutput({ durable }: Tracked, stored: Job, evaluations: Evaluations): Broken | undefined {
  evaluations.count += 1;
  return stored.status === 'COMPLETED' && !durable ? broken('I7', 'a job is COMPLETED without its output') : undefined;
}

/**
 * ADR 0002: a message, or the lease of its holder, points to each job that has not ended. A lease that names a
 * waiting job or a job of another worker does not count, because the sweeper skips such jobs.
 */
function brokenPointer(
  state: State,
  index: number,
  tracked: Tracked,
  stored: Job,
  evaluations: Evaluations,
): Broken | undefined {
  if (!tracked.acknowledged || isOver(stored)) return undefined;
  evaluations.count += 1;
  if (state.messages.some(({ job }) => job === index)) return undefined;
  if (stored.status === 'IN_PROGRESS') {
    const named = state.workers.some(
      ({ lease }, worker) => stored.worker === workerName(worker) && lease?.jobs.includes(index),
    );
    if (named) return undefined;
  }
  // The job's time is over, and the deadlines table makes the sweeper store its final status.
  if (isOver(observed(stored, state.generation, state))) return undefined;
  return broken('ADR 0002', `no message and no lease points to a job that is ${stored.status}`);
}
