/** Conditional writes of use-cases: the transition table applies or refuses each one, and the caller learns which. */
import type { Job } from '../../../../core/jobs/job.ts';
import { apply, permits, type Table } from '../../../../core/jobs/machine.ts';
import type { FactsOf, TransitionName } from '../../../../core/jobs/transitions.ts';
import { answerOf, type Broken, brokenByWrite, isOver } from './monitor.ts';
import type { Setting } from './setting.ts';
import {
  at,
  type Call,
  type Doing,
  newJob,
  type State,
  type Tracked,
  withJob,
  withWorker,
  workerName,
  workerOf,
} from './state.ts';

export interface Landed {
  readonly state: State;
  /** The transition that was applied. Undefined if the write was refused. */
  readonly row?: TransitionName | undefined;
  readonly broken?: Broken | undefined;
}

/** Applies or refuses the write. If the caller still waits, it acts on the answer. */
export function land(setting: Setting, state: State, call: Call): Landed {
  const first = write(setting, state, call);
  // A refused requeue is repeated as `lose`, which applies if the job has no attempt left.
  const landed = call.name === 'requeue' && !first.row ? write(setting, state, { ...call, name: 'lose' }) : first;
  return { ...landed, state: call.heard ? answered(setting, landed.state, call, landed.row) : landed.state };
}

/**
 * Caches the results of rows by table, by stored job, and by row and facts: many states share a stored job, and applying
 * a row is the slowest part of a walk.
 */
const results = new WeakMap<Table, WeakMap<Job, Map<string, Job>>>();

const ofKey = <Key extends WeakKey, Value>(map: WeakMap<Key, Value>, key: Key, make: () => Value): Value => {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
};

function applied<Name extends TransitionName>(table: Table, stored: Job, name: Name, facts: FactsOf<Name>): Job {
  const ofTable = ofKey(results, table, () => new WeakMap());
  const known = ofKey(ofTable, stored, () => new Map<string, Job>());
  const key = name + JSON.stringify(facts);
  const after = known.get(key) ?? apply(name, stored, facts, table);
  known.set(key, after);
  return after;
}

function write(setting: Setting, state: State, call: Call): Landed {
  const tracked = at(state.jobs, call.job);
  const { stored } = tracked;
  if (call.name === 'create') {
    if (stored) return { state };
    const job = newJob(call.job, call.readAt, call.generation, setting.bounds);
    return { state: withJob(state, call.job, { stored: job, cut: call.afterPurge ? 'spared' : 'none' }) };
  }
  // `permits` and `apply` check the facts that a transition needs.
  const facts = call.facts as FactsOf<typeof call.name>;
  if (!stored || !permits(call.name, stored, facts, setting.table)) return { state };
  const after = applied(setting.table, stored, call.name, facts);
  const broken = brokenByWrite(state, tracked, stored, after, call);
  const changed = withJob(state, call.job, {
    stored: after,
    ...(!setting.protocol.readsStrongly && { before: stored }),
    ...remembered(state, tracked, call, after),
  });
  return { state: changed, row: call.name, broken };
}

/**
 * A worker gives up a job after a take that took long. If it was taken before the purge counted its jobs, the purge
 * removes it without counting it. That is the limit of the count, and no invariant.
 */
const uncounted = ({ purge, generation }: State, call: Call): Partial<Tracked> =>
  purge === 'returned' && call.generation < generation ? { counted: undefined } : {};

/** Returns the monitor's new facts about the job after a change. */
function remembered(state: State, tracked: Tracked, call: Call, after: Job): Partial<Tracked> {
  const reset = { durable: false, started: false, lapsed: false };
  switch (call.name) {
    case 'take':
      // A take that began with an expired lease makes an attempt whose lease has expired.
      return { ...reset, lapsed: call.lapsed, cut: tracked.cut === 'waiting' ? 'none' : tracked.cut };
    case 'requeue':
      // Between the call of the purge and its answer, the purge might or might not have found the job in the
      // queue.
      return { ...reset, cut: state.purge === 'called' ? 'none' : tracked.cut, ...uncounted(state, call) };
    case 'retry':
      return {
        ...reset,
        cut: call.afterPurge ? 'spared' : 'none',
        answer: undefined,
        answeredBy: undefined,
        before: undefined,
      };
    case 'complete':
    case 'fail':
    case 'lose':
      return { cut: state.purge === 'called' ? 'none' : tracked.cut };
    default:
      if (call.purpose === 'cancel') return { answer: answerOf(after), answeredBy: 'cancel' };
      if (call.purpose === 'answer') return { answer: answerOf(after), answeredBy: 'read' };
      return {};
  }
}

function answered(setting: Setting, state: State, call: Call, row: TransitionName | undefined): State {
  const { stored } = at(state.jobs, call.job);
  const proceed = (doing?: Doing) => withWorker(state, call.by, { doing });
  switch (call.purpose) {
    case 'submit':
      return withJob(state, call.job, { client: 'stored', acknowledged: !setting.protocol.sendsBeforeAck });
    case 'retry':
      return withJob(state, call.job, { client: row ? 'retried' : 'idle' });
    case 'sweeper requeue':
      return state.sweep ? { ...state, sweep: { ...state.sweep, job: undefined } } : state;
    case 'take':
      return takeAnswered(setting, state, call, stored);
    case 'finalize for drop':
      // If the job has changed meanwhile, the message becomes visible again, and a worker reads the job again.
      return proceed(isOver(stored) ? { at: 'dropping', job: call.job } : undefined);
    case 'rescue':
      return proceed(
        row === 'requeue' || setting.protocol.looksAgain
          ? { at: 'taking again', job: call.job, generation: call.generation }
          : { at: 'dropping', job: call.job },
      );
    case 'progress':
      return proceed();
    case 'report':
      return reportAnswered(setting, state, call);
    case 'requeue': {
      const mine = state.messages.some(({ job, by, until }) => job === call.job && by === call.by && until > state.now);
      const doing: Doing | undefined = mine ? { at: 'showing', job: call.job } : undefined;
      return withWorker(state, call.by, { held: undefined, doing });
    }
    default:
      return state;
  }
}

function takeAnswered({ protocol }: Setting, state: State, call: Call, stored: Job | undefined): State {
  const { by, job, generation } = call;
  if (stored?.status === 'IN_QUEUE' && protocol.finalizesBeforeDrop)
    return withWorker(state, by, { doing: { at: 'finalizing', job, generation } });
  if (stored?.status !== 'IN_PROGRESS') return withWorker(state, by, { doing: { at: 'dropping', job } });
  if (stored.worker === workerName(by)) {
    const fresh = { started: false, message: true, named: false, stored: false, leaving: false };
    const held = { job, attempt: stored.attempt, generation: stored.generation, ...fresh };
    return withWorker(state, by, { held, doing: undefined });
  }
  const { lease } = at(state.workers, workerOf(stored.worker));
  const alive = lease !== undefined && lease.endsAt >= state.now;
  if (alive) return withWorker(state, by, { doing: undefined });
  const read = { from: stored.worker, attempt: stored.attempt, leaseEnds: lease?.endsAt ?? 0 };
  return withWorker(state, by, { doing: { at: 'rescuing', job, generation, ...read } });
}

function reportAnswered({ protocol }: Setting, state: State, { by, job }: Call): State {
  const { held } = at(state.workers, by);
  const drop: Doing | undefined = held?.message ? { at: 'dropping', job } : undefined;
  const doing: Doing | undefined = protocol.storesOutputFirst
    ? drop
    : { at: 'storing late', job, attempt: held?.attempt ?? 0 };
  return withWorker(state, by, { held: undefined, doing });
}

/** Marks the jobs whose holder's lease has ended. */
export function withLapses(state: State): State {
  const ended = (worker: number) => (state.workers[worker]?.lease?.endsAt ?? 0) < state.now;
  const lapses = ({ by, purpose, lapsed }: Call) => purpose === 'take' && !lapsed && ended(by);
  let next = state;
  if (state.calls.some(lapses))
    next = { ...next, calls: state.calls.map((call) => (lapses(call) ? { ...call, lapsed: true } : call)) };
  for (const [index, { stored, lapsed }] of state.jobs.entries()) {
    if (lapsed || stored?.status !== 'IN_PROGRESS') continue;
    if (ended(workerOf(stored.worker))) next = withJob(next, index, { lapsed: true });
  }
  return next;
}
