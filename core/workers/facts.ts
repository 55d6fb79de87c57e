/**
 * Facts about an endpoint's workers and their effects on the fleet state. Facts can arrive late, twice and in any
 * order, so their effects depend on when they happened, not on when they arrive.
 */

import { CONFLICT, conflictTries, retryOnConflict } from '../conflicts.ts';
import { type Blocker, type Condition, conditionKinds, type FleetState } from '../endpoints/fleet-state.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { backOffLimits } from '../limits.ts';

/** Maximum number of stored failures, sufficient to recognize repeated reports. */
const MOST_FAILED = 20;

/** Returns the pause before the next attempt, in milliseconds. */
export const pauseBefore = (tries: number): number =>
  Math.min(backOffLimits.first * 2 ** (tries - 1), backOffLimits.longest);

type FactThat<Is extends Fact['is']> = Extract<Fact, { is: Is }>;

const isBlocker = (condition: Condition | undefined) => condition !== undefined && condition.is !== 'STARTING';

function advance(state: FleetState, { is, task, at }: FactThat<'placed' | 'running' | 'gone'>): FleetState {
  const { condition, ...rest } = state;
  if (is === 'gone') return condition?.is === 'STARTING' && condition.task === task ? rest : state;
  const starting: Condition = { is: 'STARTING', words: '', since: at, at, task };
  if (!condition) return { ...rest, condition: starting };
  const { until } = conditionKinds[condition.is];
  const disproved = until === 'placed' || until === is;
  return isBlocker(condition) && disproved && at > condition.at ? { ...rest, condition: starting } : state;
}

/**
 * Returns whether the condition is about a worker that had been ready. In that case, the next worker might not fail.
 */
const isOfReadyWorker = ({ is, task }: Condition) => is === 'WORKER_UNHEALTHY' && task === undefined;

function withdraw(state: FleetState, at: number): FleetState {
  const { condition, ...rest } = state;
  if (!condition || condition.at > at) return state;
  const waits = condition.is === 'STARTING' || conditionKinds[condition.is].until === 'placed';
  return waits || isOfReadyWorker(condition) ? rest : state;
}

/** Removes a reason why no instance starts. Other reasons concern workers that had a place. */
function launched(state: FleetState, at: number): FleetState {
  const { condition, ...rest } = state;
  if (!condition || !isBlocker(condition) || condition.at > at) return state;
  return conditionKinds[condition.is].until === 'placed' ? rest : state;
}

/**
 * Returns whether both revisions are known and differ. A ready worker of one revision proves nothing about the
 * other revision.
 */
const isOther = (one: number | undefined, other: number | undefined) =>
  one !== undefined && other !== undefined && one !== other;

function becomeReady(state: FleetState, { task, revision, at }: FactThat<'ready'>): FleetState {
  const { condition, failed, backOff, ...rest } = state;
  if (failed.some((failure) => failure.task === task)) return state;
  const later = failed.filter((failure) => failure.at > at || isOther(failure.revision, revision));
  const stands = condition && condition.at > at ? condition : undefined;
  const kept = later.length > 0 ? backOff : undefined;
  if (stands === condition && later.length === failed.length && kept === backOff) return state;
  return { ...rest, ...(stands && { condition: stands }), failed: later, ...(kept && { backOff: kept }) };
}

/** Returns the back-off after a new failure. */
function backOffAfter({ backOff }: FleetState, failures: number, at: number): FleetState['backOff'] {
  if (backOff && at < backOff.until) return backOff;
  if (!backOff && failures < backOffLimits.failures) return undefined;
  const tries = (backOff?.tries ?? 0) + 1;
  return { tries, until: at + pauseBefore(tries) };
}

/** Returns whether a starting worker has already disproved a blocker that is reported late. */
const isOver = ({ condition }: FleetState, as: Blocker, at: number) =>
  condition !== undefined && conditionKinds[as].until === 'placed' && at <= condition.at;

/**
 * Removes all reasons except that of the last failure, because each read of an endpoint is charged by the size of
 * its item.
 */
const onlyLastSaysWhy = (failed: FleetState['failed']): FleetState['failed'] =>
  failed.map(({ why, ...failure }, n) => (n === failed.length - 1 && why ? { ...failure, why } : failure));

function fail(state: FleetState, { as, words, task, revision, at, vague }: FactThat<'failed'>): FleetState {
  const { condition, failed, backOff: _, ...rest } = state;
  if (task !== undefined && failed.some((failure) => failure.task === task)) return state;
  const isNews = isBlocker(condition) ? !vague && at > (condition?.at ?? 0) : !isOver(state, as, at);
  const since = condition?.is === as ? condition.since : at;
  const next: Condition | undefined = isNews
    ? { is: as, words, since, at, ...(task !== undefined && { task }) }
    : condition;
  const counts = conditionKinds[as].futile && task !== undefined;
  if (!isNews && !counts) return state;

  const why = conditionKinds[as].says(words);
  const failure = { task: task ?? '', at, ...(revision !== undefined && { revision }), why };
  const all = counts ? [...failed, failure].sort((one, other) => one.at - other.at) : failed;
  const last = all.at(-1)?.at ?? 0;
  const recent = all.filter((failure) => failure.at > last - backOffLimits.window).slice(-MOST_FAILED);
  const backOff = counts ? backOffAfter(state, recent.length, at) : state.backOff;
  return { ...rest, ...(next && { condition: next }), failed: onlyLastSaysWhy(recent), ...(backOff && { backOff }) };
}

/** Returns the state after a fact, or the same object if the fact changes nothing. */
export function learn(state: FleetState, fact: Fact): FleetState {
  if (fact.at <= state.freshSince) return state;
  switch (fact.is) {
    case 'released':
      return { version: state.version, failed: [], freshSince: fact.at };
    case 'withdrawn':
      return withdraw(state, fact.at);
    case 'launched':
      return launched(state, fact.at);
    case 'ready':
      return becomeReady(state, fact);
    case 'failed':
      return fail(state, fact);
    default:
      return advance(state, fact);
  }
}

/**
 * Returns how many workers can be requested: any number without back-off, otherwise `ready`, plus one when an
 * attempt is due.
 */
export const allowedWorkers = ({ backOff }: FleetState, ready: number, now: number): number =>
  backOff ? ready + Number(now >= backOff.until) : Number.POSITIVE_INFINITY;

interface FactBase {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export type Fact = FactBase &
  (
    | { readonly is: 'placed' | 'running' | 'gone'; readonly task: string }
    /** A worker's container has asked for jobs since `at`. */
    | { readonly is: 'ready'; readonly task: string; readonly revision?: number | undefined }
    /** Another revision is released, or the operator requests another attempt. */
    | { readonly is: 'released' }
    /** Fewer workers are requested, so missing workers are no longer expected. */
    | { readonly is: 'withdrawn' }
    /** Instances for all workers without a place run or are starting. */
    | { readonly is: 'launched' }
    | {
        readonly is: 'failed';
        readonly as: Blocker;
        readonly words: string;
        /** Id of the task that failed before it was ready. */
        readonly task?: string;
        /** Number of the task's revision, if known. */
        readonly revision?: number | undefined;
        /** Whether the fact has no precise reason, so that a more precise fact takes precedence. */
        readonly vague?: true;
      }
  );

/**
 * Stores the endpoint's fleet state if a fact changes it.
 * @returns the fleet state, or undefined if the endpoint does not exist
 * @throws WriteConflict if other writers changed it during each attempt
 */
export async function saveFact(
  { endpoints }: { readonly endpoints: Endpoints },
  id: string,
  fact: Fact,
): Promise<FleetState | undefined> {
  return retryOnConflict(`the state of the workers of ${id}`, conflictTries.endpoint, async () => {
    const endpoint = await endpoints.readNow(id);
    if (!endpoint) return undefined;
    const learned = learn(endpoint.fleet, fact);
    return learned === endpoint.fleet || (await endpoints.saveFleet(id, learned)) ? learned : CONFLICT;
  });
}
