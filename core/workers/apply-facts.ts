/**
 * Facts about an endpoint's workers, and how they change the endpoint's fleet state.
 *
 * AWS reports what happens to workers in events that arrive late, twice and in any order.
 * `core/fleet/fact-from-event.ts` derives a fact with its time from each event. The fleet state answers two questions:
 * why are workers missing (`condition`), and did workers fail so often that the endpoint backs off (`failed`,
 * `backOff`; see `back-off.ts`). A fact usually changes only an earlier condition, whenever its event arrives. For
 * example, a task that ECS placed after a report of missing capacity disproves it. There are three exceptions. A
 * failure that prevents more than placement replaces the starting worker, even if ECS placed that worker later. A late
 * event of a task that is already ready or has ended shows a starting worker until a later fact. And while there is no
 * condition, a late failure is shown until a later fact, even if a worker was ready after the failure. A late failure
 * can also count for the back-off.
 */

import { isDeepStrictEqual } from 'node:util';
import { type Blocker, type Condition, conditionKinds, type FleetState } from '../endpoints/fleet-state.ts';
import type { Endpoints } from '../endpoints/store.ts';
import { type EventPorts, eventsOfFleet } from '../history/record-event.ts';
import { CONFLICT, conflictTries, retryOnConflict } from '../stored-items/conflicts.ts';
import { addFailure, clearFailures, type Failures } from './back-off.ts';

interface FactBase {
  /** Time of the fact, in milliseconds since the epoch. */
  readonly at: number;
}

/** ECS has placed a task on an instance or on Fargate, or all containers of the task run. */
interface ProgressFact {
  readonly is: 'placed' | 'running';
  readonly task: string;
}

export type Fact = FactBase &
  (
    | ProgressFact
    /** A task has stopped without a failure. */
    | { readonly is: 'stopped'; readonly task: string }
    /** A worker's container asked for jobs, for the first time at `at`. */
    | { readonly is: 'ready'; readonly task: string; readonly revision?: number | undefined }
    /** Another revision is released. */
    | { readonly is: 'released' }
    /** The operator requests another attempt. Only a later worker can show that a condition is over. */
    | { readonly is: 'resumed' }
    /** Fewer workers are requested, so missing workers are no longer expected. */
    | { readonly is: 'scaledDown' }
    /** Each task that is not placed has an instance that runs or is starting. */
    | { readonly is: 'instancesLaunched' }
    /** A worker or an instance could not start, or a worker is unhealthy. */
    | {
        readonly is: 'failed';
        /** The condition that the failure causes. */
        readonly blocker: Blocker;
        /** A message of AWS, or a sentence of this service about the failure; safe to show to clients. */
        readonly detail: string;
        /** Id of the task that failed before it was ready. */
        readonly task?: string;
        /** Number of the task's revision, if known. */
        readonly revision?: number | undefined;
        /** Whether the event has no precise reason. An existing blocker then remains. */
        readonly isVague?: true;
      }
  );

type FailedFact = Extract<Fact, { is: 'failed' }>;
/** Facts after which earlier failures no longer count. */
type RestartFact = Extract<Fact, { is: 'released' | 'resumed' }>;

export type FactPorts = { readonly endpoints: Endpoints } & EventPorts;

interface FleetChange {
  readonly before: FleetState;
  readonly after: FleetState;
}

/**
 * Stores the endpoint's fleet state if a fact changes it, and adds another condition or back-off to the history.
 * @returns the fleet state after the fact, or undefined if the endpoint does not exist
 * @throws WriteConflict if other writers changed it during each attempt
 */
export async function saveFact(ports: FactPorts, id: string, fact: Fact): Promise<FleetState | undefined> {
  const change = await changeFleet(ports.endpoints, id, fact);
  if (!change) return undefined;
  // The history has the release or the call that the fact is about.
  const events = isRestart(fact) ? [] : eventsOfFleet(id, change.before, change.after, fact.at);
  for (const event of events) await ports.eventHistory.add(event);
  return change.after;
}

/**
 * Stores that facts up to this time no longer count, because of a release or a call, which the history has.
 * @throws WriteConflict
 */
export async function saveRestart(
  { endpoints }: { readonly endpoints: Endpoints },
  id: string,
  fact: RestartFact,
): Promise<void> {
  await changeFleet(endpoints, id, fact);
}

const changeFleet = (endpoints: Endpoints, id: string, fact: Fact): Promise<FleetChange | undefined> =>
  retryOnConflict(`the state of the workers of ${id}`, conflictTries.endpoint, async () => {
    const endpoint = await endpoints.readNow(id);
    if (!endpoint) return undefined;
    const before = endpoint.fleet;
    const after = stateAfter(before, fact);
    const isSaved = after === before || (await endpoints.saveFleet(id, after));
    return isSaved ? { before, after } : CONFLICT;
  });

/** Returns the state after a fact, or the same object if the fact changes nothing. */
export function stateAfter(state: FleetState, fact: Fact): FleetState {
  if (fact.at <= state.freshSince) return state;
  if (isRestart(fact)) return afterRestart(state, fact);
  if (isOfFailedTask(state, fact)) return state;
  const { version, freshSince } = state;
  const condition = nextCondition(state.condition, fact);
  const { failed, backOff } = nextFailures(state, fact);
  const next = { version, ...(condition && { condition }), failed, ...(backOff && { backOff }), freshSince };
  return isDeepStrictEqual(next, state) ? state : next;
}

const isRestart = (fact: Fact): fact is RestartFact => fact.is === 'released' || fact.is === 'resumed';

/** Returns the condition after a call, or after a release, which ends an older condition. */
function conditionAfterRestart(condition: Condition | undefined, { is, at }: RestartFact): Condition | undefined {
  if (!condition || is === 'resumed') return condition;
  return condition.at > at ? { ...condition, since: Math.max(condition.since, at) } : undefined;
}

/**
 * Returns the state without failures older than the release or the call. The event of a release can arrive after events
 * of the release's workers, which remain.
 */
function afterRestart({ version, condition, failed }: FleetState, fact: RestartFact): FleetState {
  const { at } = fact;
  const still = conditionAfterRestart(condition, fact);
  const later = failed.filter((failure) => failure.at > at).reduce<Failures>(addFailure, { failed: [] });
  return {
    version,
    ...(still && { condition: still }),
    failed: later.failed,
    ...(later.backOff && { backOff: later.backOff }),
    freshSince: at,
  };
}

/** Returns whether a failure of the task is stored. The fact is then a repeated report, or older than the failure. */
const isOfFailedTask = ({ failed }: FleetState, fact: Fact): boolean =>
  (fact.is === 'ready' || fact.is === 'failed') &&
  fact.task !== undefined &&
  failed.some(({ task }) => task === fact.task);

function nextFailures(failures: Failures, fact: Fact): Failures {
  if (fact.is === 'ready') return clearFailures(failures, fact);
  if (fact.is !== 'failed' || fact.task === undefined || !conditionKinds[fact.blocker].countsAsFailure) return failures;
  const { task, at, revision } = fact;
  const reason = conditionKinds[fact.blocker].message(fact.detail);
  return addFailure(failures, { task, at, ...(revision !== undefined && { revision }), why: reason });
}

function nextCondition(condition: Condition | undefined, fact: Exclude<Fact, RestartFact>): Condition | undefined {
  switch (fact.is) {
    case 'failed':
      return afterFailure(condition, fact);
    case 'placed':
    case 'running':
      return afterProgress(condition, fact);
    case 'stopped':
      return condition?.is === 'STARTING' && condition.task === fact.task ? undefined : condition;
    case 'ready':
    case 'scaledDown':
    case 'instancesLaunched':
      return condition && condition.at <= fact.at && isCleared(condition, fact.is) ? undefined : condition;
  }
}

/** Returns whether a fact of this kind ends the condition. The condition must not be later than the fact. */
function isCleared(condition: Condition, by: 'ready' | 'scaledDown' | 'instancesLaunched'): boolean {
  const isUntilPlaced = isBlocker(condition) && conditionKinds[condition.is].until === 'placed';
  switch (by) {
    case 'ready':
      return true;
    case 'instancesLaunched':
      return isUntilPlaced;
    case 'scaledDown':
      return isUntilPlaced || condition.is === 'STARTING' || isOfReadyWorker(condition);
  }
}

/**
 * Returns whether the condition is about a worker that had been ready: the condition of a failure has the id of a task
 * only if the task failed before it was ready. Fewer workers end such a condition, because it does not predict that the
 * next worker fails.
 */
const isOfReadyWorker = ({ is, task }: Condition) => is === 'WORKER_UNHEALTHY' && task === undefined;

function afterFailure(condition: Condition | undefined, fact: FailedFact): Condition | undefined {
  const { blocker, detail, task, at, isVague } = fact;
  // A vague report keeps the reason of an earlier report of the same blocker.
  if (isVague && condition?.is === blocker) return { ...condition, at: Math.max(condition.at, at) };
  if (!replacesCondition(condition, fact)) return condition;
  const since = condition?.is === blocker ? condition.since : at;
  return { is: blocker, words: detail, since, at, ...(task !== undefined && { task }) };
}

/**
 * Returns whether a failure replaces the condition. An earlier blocker is replaced, unless the failure is vague. A worker
 * that is starting is replaced, unless ECS placed it after the failure and the failure prevents only placement.
 */
function replacesCondition(condition: Condition | undefined, { blocker, at, isVague }: FailedFact): boolean {
  if (!condition) return true;
  if (isBlocker(condition)) return at > condition.at && !isVague;
  return at > condition.at || conditionKinds[blocker].until !== 'placed';
}

/**
 * A placed or running task becomes the starting worker if there is no condition, or if it disproves an earlier blocker. A
 * placed task disproves a blocker that applies until a task is placed, and a running task also one that applies until a
 * task runs. An existing starting worker remains.
 */
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
