/**
 * Back-off: limits how often an endpoint starts workers that fail.
 *
 * The fleet state contains the endpoint's consecutive failures: tasks that ended before they asked for a job. After
 * `backOffLimits.failures` of them within `backOffLimits.window`, the endpoint starts only one worker after each pause,
 * and each pause is twice as long as the one before. A worker that becomes ready removes the failures of its revision, and
 * the back-off ends when none are left. Events arrive late and in any order, so failures are compared by the time at
 * which they happened: a worker that was ready before a failure does not remove that failure.
 */
import type { FleetState } from '../endpoints/fleet-state.ts';
import { backOffLimits } from '../limits.ts';

/** Consecutive failures, oldest first, and the back-off that they cause. */
export type Failures = Pick<FleetState, 'failed' | 'backOff'>;
export type Failure = FleetState['failed'][number];

/** Maximum number of stored failures, sufficient to recognize repeated reports. */
const MAX_FAILURES = 20;

/** Returns the pause before the next attempt, in milliseconds. */
export const pauseBefore = (tries: number): number =>
  Math.min(backOffLimits.firstPause * 2 ** (tries - 1), backOffLimits.maxPause);

/**
 * Returns how many workers can be requested. Without back-off, their number is not limited. During back-off, it is the
 * number of ready workers, plus one if the pause is over.
 */
export const allowedWorkers = ({ backOff }: Failures, ready: number, now: number): number =>
  backOff ? ready + Number(now >= backOff.until) : Number.POSITIVE_INFINITY;

/** Adds a failure, removes those that are too old, and begins or extends the back-off if the failure requires it. */
export function addFailure({ failed, backOff }: Failures, failure: Failure): Failures {
  const all = [...failed, failure].sort((one, other) => one.at - other.at);
  const last = all.at(-1)?.at ?? failure.at;
  const recent = all.filter(({ at }) => at > last - backOffLimits.window).slice(-MAX_FAILURES);
  return { failed: keepLastReason(recent), backOff: nextBackOff(backOff, recent.length, failure.at) };
}

/** Removes all reasons except the last, because each read of an endpoint is charged by the size of its item. */
const keepLastReason = (failed: readonly Failure[]): Failure[] =>
  failed.map(({ why: reason, ...failure }, n) =>
    n === failed.length - 1 && reason ? { ...failure, why: reason } : failure,
  );

function nextBackOff(current: Failures['backOff'], failures: number, at: number): Failures['backOff'] {
  // Workers that started before the pause can fail during it. Only a failure after the pause begins the next pause.
  if (current && at < current.until) return current;
  if (!current && failures < backOffLimits.failures) return undefined;
  const tries = (current?.tries ?? 0) + 1;
  return { tries, until: at + pauseBefore(tries) };
}

/**
 * Returns the failures after a worker became ready. Later failures remain, and so do those of another revision, about
 * which the worker proves nothing.
 * @param ready time at which the worker became ready, and its revision, if known
 */
export function clearFailures(
  failures: Failures,
  ready: { readonly at: number; readonly revision?: number | undefined },
): Failures {
  const { failed, backOff } = failures;
  const left = failed.filter(({ at, revision }) => at > ready.at || isOtherRevision(revision, ready.revision));
  return { failed: left, backOff: left.length > 0 ? backOff : undefined };
}

const isOtherRevision = (one: number | undefined, other: number | undefined) =>
  one !== undefined && other !== undefined && one !== other;
