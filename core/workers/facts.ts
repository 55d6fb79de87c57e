/**
 * What is known of an endpoint's workers, and how a fact changes it. Facts come late, twice and in any order; what they
 * say depends on when they happened and not on when they come.
 */

import { type Blocker, type Condition, conditionKinds, type FleetState } from '../endpoints/fleet-state.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { backOffLimits } from '../limits.ts';

/** Enough to know a failure again that is told twice. */
const MOST_FAILED = 20;

/** How long to wait before the next try, in milliseconds. */
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

/** Whether the condition is one worker's that was ready before it failed: the next worker need not fail. */
const isOfReadyWorker = ({ is, task }: Condition) => is === 'WORKER_UNHEALTHY' && task === undefined;

function withdraw(state: FleetState, at: number): FleetState {
  const { condition, ...rest } = state;
  if (!condition || condition.at > at) return state;
  const waits = condition.is === 'STARTING' || conditionKinds[condition.is].until === 'placed';
  return waits || isOfReadyWorker(condition) ? rest : state;
}

/** That one revision becomes ready says nothing of another. */
const isOther = (one: number | undefined, other: number | undefined) =>
  one !== undefined && other !== undefined && one !== other;

function becomeReady(state: FleetState, { task, revision, at }: FactThat<'ready'>): FleetState {
  const { condition, failed, backOff, ...rest } = state;
  if (failed.some((failure) => failure.task === task)) return state;
  const later = failed.filter((failure) => failure.at > at || isOther(failure.revision, revision));
  const stands = condition && condition.at > at ? condition : undefined;
  const goesOn = later.length > 0 ? backOff : undefined;
  if (stands === condition && later.length === failed.length && goesOn === backOff) return state;
  return { ...rest, ...(stands && { condition: stands }), failed: later, ...(goesOn && { backOff: goesOn }) };
}

/** @returns the back-off after a failure that was not known */
function backOffAfter({ backOff }: FleetState, failures: number, at: number): FleetState['backOff'] {
  if (backOff && at < backOff.until) return backOff;
  if (!backOff && failures < backOffLimits.failures) return undefined;
  const tries = (backOff?.tries ?? 0) + 1;
  return { tries, until: at + pauseBefore(tries) };
}

/** Whether a worker that starts has disproved what is told late. */
const isOver = ({ condition }: FleetState, as: Blocker, at: number) =>
  condition !== undefined && conditionKinds[as].until === 'placed' && at <= condition.at;

/** Every reader of the endpoint pays for what its item holds. */
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

/** @returns the very state that it was given if the fact changes nothing */
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

/** How many workers may be asked for while `ready` of them work: one more than that when it is time to try. */
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
    /** Something else is to run from now on, or somebody says that it is worth a try. */
    | { readonly is: 'released' }
    /** Fewer workers are asked for: none that has not come is waited for. */
    | { readonly is: 'withdrawn' }
    | {
        readonly is: 'failed';
        readonly as: Blocker;
        readonly words: string;
        /** The task that has failed before it was ready. */
        readonly task?: string;
        /** What it runs, if that is known: the number of the revision. */
        readonly revision?: number | undefined;
        /** It says that something is wrong and not what: whoever knows better is right. */
        readonly vague?: true;
      }
  );

/** Of writers at once, each sees what the others have written and looks again. */
const TRIES = 10;

/**
 * Stores what a fact changes in what is known of the endpoint's workers, if it changes anything.
 * @returns what is known now; nothing if there is no such endpoint
 * @throws if others were always faster
 */
export async function saveFact(
  { endpoints }: { readonly endpoints: Endpoints },
  id: string,
  fact: Fact,
): Promise<FleetState | undefined> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const endpoint = await endpoints.readNow(id);
    if (!endpoint) return undefined;
    const learned = learn(endpoint.fleet, fact);
    if (learned === endpoint.fleet || (await endpoints.saveFleet(id, learned))) return learned;
  }
  throw new Error(`Others have written what is known of the workers of ${id}, ${TRIES} times.`);
}
