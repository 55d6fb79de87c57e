/**
 * Facts about an endpoint's workers, and how they change the endpoint's fleet state.
 *
 * AWS reports what happens to workers in events that arrive late, twice and in any order. `core/fleet/fact.ts` derives
 * a fact with its time from each event. The fleet state answers two questions: why are workers missing (`condition`),
 * and did workers fail so often that the endpoint backs off (`failed`, `backOff`; see `back-off.ts`). The one rule: an
 * effect depends on when the fact happened, never on when it arrives. A condition is therefore replaced only by a fact
 * that is later and disproves it, such as a task that got a place while the condition says that there is no capacity.
 */

import { isDeepStrictEqual } from 'node:util';
import { type Blocker, type Condition, conditionKinds, type FleetState } from '../endpoints/fleet-state.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { CONFLICT, conflictTries, retryOnConflict } from '../stored-items/conflicts.ts';
import { addFailure, clearFailures, type Failures } from './back-off.ts';

interface FactBase {
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number;
}

/** A task has a place, or all of its containers run. */
interface ProgressFact {
  readonly is: 'placed' | 'running';
  readonly task: string;
}

export type Fact = FactBase &
  (
    | ProgressFact
    /** A task has ended without a failure. */
    | { readonly is: 'gone'; readonly task: string }
    /** A worker's container has asked for jobs since `at`. */
    | { readonly is: 'ready'; readonly task: string; readonly revision?: number | undefined }
    /** Another revision is released, or the operator requests another attempt. */
    | { readonly is: 'released' }
    /** Fewer workers are requested, so missing workers are no longer expected. */
    | { readonly is: 'withdrawn' }
    /** Instances for all workers without a place run or are starting. */
    | { readonly is: 'launched' }
    /** A worker or an instance could not start, or a worker is unhealthy. */
    | {
        readonly is: 'failed';
        /** The condition that the failure causes. */
        readonly as: Blocker;
        /** The provider's message, safe to show to clients. */
        readonly detail: string;
        /** Id of the task that failed before it was ready. */
        readonly task?: string;
        /** Number of the task's revision, if known. */
        readonly revision?: number | undefined;
        /** Whether the fact has no precise reason, so that a more precise fact takes precedence. */
        readonly vague?: true;
      }
  );

type FailedFact = Extract<Fact, { is: 'failed' }>;

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

/** Returns the state after a fact, or the same object if the fact changes nothing. */
export function learn(state: FleetState, fact: Fact): FleetState {
  if (fact.at <= state.freshSince) return state;
  if (fact.is === 'released') return { version: state.version, failed: [], freshSince: fact.at };
  if (isOfFailedTask(state, fact)) return state;
  const { version, freshSince } = state;
  const condition = nextCondition(state.condition, fact);
  const { failed, backOff } = nextFailures(state, fact);
  const next = { version, ...(condition && { condition }), failed, ...(backOff && { backOff }), freshSince };
  return isDeepStrictEqual(next, state) ? state : next;
}

/** Returns whether a failure of the task is stored. The fact is then a repeated report, or was overtaken by the failure. */
const isOfFailedTask = ({ failed }: FleetState, fact: Fact): boolean =>
  (fact.is === 'ready' || fact.is === 'failed') &&
  fact.task !== undefined &&
  failed.some(({ task }) => task === fact.task);

function nextFailures(failures: Failures, fact: Fact): Failures {
  if (fact.is === 'ready') return clearFailures(failures, fact);
  if (fact.is !== 'failed' || fact.task === undefined || !conditionKinds[fact.as].countsAsFailure) return failures;
  const { task, at, revision } = fact;
  const reason = conditionKinds[fact.as].message(fact.detail);
  return addFailure(failures, { task, at, ...(revision !== undefined && { revision }), why: reason });
}

function nextCondition(condition: Condition | undefined, fact: Fact): Condition | undefined {
  switch (fact.is) {
    case 'failed':
      return afterFailure(condition, fact);
    case 'placed':
    case 'running':
      return afterProgress(condition, fact);
    case 'gone':
      return condition?.is === 'STARTING' && condition.task === fact.task ? undefined : condition;
    default:
      return condition && condition.at <= fact.at && isCleared(condition, fact.is) ? undefined : condition;
  }
}

/** Returns whether a fact ends an earlier condition. A ready worker and a release end every condition. */
function isCleared(condition: Condition, by: 'ready' | 'withdrawn' | 'launched' | 'released'): boolean {
  const lacksPlace = isBlocker(condition) && conditionKinds[condition.is].until === 'placed';
  switch (by) {
    case 'launched':
      return lacksPlace;
    case 'withdrawn':
      return lacksPlace || condition.is === 'STARTING' || isOfReadyWorker(condition);
    default:
      return true;
  }
}

/** Returns whether a worker that had been ready became unhealthy. The next worker might not fail. */
const isOfReadyWorker = ({ is, task }: Condition) => is === 'WORKER_UNHEALTHY' && task === undefined;

/** A failure replaces the condition, unless the condition is a later or a more precise blocker. */
function afterFailure(condition: Condition | undefined, fact: FailedFact): Condition | undefined {
  const { as, detail, task, at, vague } = fact;
  const replaces = isBlocker(condition) ? !vague && at > condition.at : !isDisproved(as, at, condition);
  if (!replaces) return condition;
  const since = condition?.is === as ? condition.since : at;
  return { is: as, words: detail, since, at, ...(task !== undefined && { task }) };
}

/** Returns whether a worker that started later has already disproved a blocker that is reported late. */
const isDisproved = (blocker: Blocker, at: number, starting: Condition | undefined) =>
  starting !== undefined && conditionKinds[blocker].until === 'placed' && at <= starting.at;

/** A task that is placed or runs is a starting worker, and disproves an earlier blocker that such a task cannot have. */
function afterProgress(
  condition: Condition | undefined,
  { is, task, at }: FactBase & ProgressFact,
): Condition | undefined {
  const starting: Condition = { is: 'STARTING', words: '', since: at, at, task };
  if (!condition) return starting;
  const { until } = conditionKinds[condition.is];
  const disproves = until === 'placed' || until === is;
  return isBlocker(condition) && disproves && at > condition.at ? starting : condition;
}

const isBlocker = (condition: Condition | undefined): condition is Condition & { readonly is: Blocker } =>
  condition !== undefined && condition.is !== 'STARTING';
