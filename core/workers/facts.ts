/**
 * Facts about an endpoint's workers, and how each changes the fleet state. Facts come late, twice and in any order:
 * their effect depends on when they happened, not on when they come.
 */

import { CONFLICT, conflictTries, retryOnConflict } from '../conflicts.ts';
import { type Blocker, type Condition, conditionKinds, type FleetState } from '../endpoints/fleet-state.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { backOffLimits } from '../limits.ts';

/** Enough to recognize a failure that is reported twice. */
const MOST_FAILED = 20;

/** Returns how long to wait before the next try, in milliseconds. */
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

/** Whether the condition is of a worker that was ready before it failed: the next worker need not fail. */
const isOfReadyWorker = ({ is, task }: Condition) => is === 'WORKER_UNHEALTHY' && task === undefined;

function withdraw(state: FleetState, at: number): FleetState {
  const { condition, ...rest } = state;
  if (!condition || condition.at > at) return state;
  const waits = condition.is === 'STARTING' || conditionKinds[condition.is].until === 'placed';
  return waits || isOfReadyWorker(condition) ? rest : state;
}

/** Whether both revisions are known and differ: a ready worker of one proves nothing about the other. */
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

/** @returns the back-off after a failure that was not known */
function backOffAfter({ backOff }: FleetState, failures: number, at: number): FleetState['backOff'] {
  if (backOff && at < backOff.until) return backOff;
  if (!backOff && failures < backOffLimits.failures) return undefined;
  const tries = (backOff?.tries ?? 0) + 1;
  return { tries, until: at + pauseBefore(tries) };
}

/** Whether a worker that starts has already disproved a blocker that is reported late. */
const isOver = ({ condition }: FleetState, as: Blocker, at: number) =>
  condition !== undefined && conditionKinds[as].until === 'placed' && at <= condition.at;

/** Keeps the reason of the last failure only: every reader of the endpoint pays for the size of its item. */
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

/** Returns the state after a fact; the same object if the fact changes nothing. */
export function learn(state: FleetState, fact: Fact): FleetState {
  if (fact.at <= state.freshSince) return state;
  switch (fact.is) {
    case 'released':
      return { version: state.version, failed: [], freshSince: fact.at };
    case 'withdrawn':
      return withdraw(state, fact.at);
    case 'ready':
      return becomeReady(state, fact);
    case 'failed':
      return fail(state, fact);
    default:
      return advance(state, fact);
  }
}

/** Returns how many workers may be requested while `ready` are ready: one more of them when it is time to try. */
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
    /** Another revision is to run from now on, or the operator asks for another try. */
    | { readonly is: 'released' }
    /** Fewer workers are requested: missing ones are no longer expected. */
    | { readonly is: 'withdrawn' }
    | {
        readonly is: 'failed';
        readonly as: Blocker;
        readonly words: string;
        /** The task that has failed before it was ready. */
        readonly task?: string;
        /** Number of its revision, if that is known. */
        readonly revision?: number | undefined;
        /** The fact has no precise reason: a more precise one takes precedence. */
        readonly vague?: true;
      }
  );

/**
 * Stores the endpoint's fleet state after a fact, if the fact changes it.
 * @returns the fleet state, or undefined if the endpoint does not exist
 * @throws if other writers changed it each time
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
