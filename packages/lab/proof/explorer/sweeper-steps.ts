/**
 * Steps without a client or worker: time passes, hidden messages become visible, and the sweeper requeues jobs of
 * ended leases.
 */
import { readable } from './monitor.ts';
import type { Setting } from './setting.ts';
import {
  at,
  type Call,
  CLIENT,
  jobName,
  type State,
  SWEEPER,
  spent,
  TICK,
  type Tracked,
  type Worker,
  withWorker,
  workerName,
} from './state.ts';
import { type Emit, hasRoom, issue, messageOf, sent } from './step.ts';

export function sweeperSteps(setting: Setting, state: State, emit: Emit): void {
  tick(setting, state, emit);
  showSteps(state, emit);
  if (state.sweep) requeueJobsOf(setting, state, state.sweep, emit);
  else sweep(setting, state, emit);
}

/** Maximum number of ticks between a deadline and the write of the final status. A late write cannot exceed it. */
const MAX_OVERDUE = { IN_QUEUE: 1, IN_PROGRESS: 2 };

/**
 * Moves the clock by a tick. Calls are much shorter than a tick, and a worker with a job beats before its lease
 * ends. A tick that passes before such a call or beat is complete counts as a fault. The final status of an
 * overdue job is stored soon, at the latest by the sweeper.
 */
function tick({ bounds }: Setting, state: State, emit: Emit): void {
  const now = state.now + TICK;
  const isTooOverdue = ({ stored }: Tracked) =>
    (stored?.status === 'IN_QUEUE' && now - stored.queueDeadline > MAX_OVERDUE.IN_QUEUE * TICK) ||
    (stored?.status === 'IN_PROGRESS' && now - stored.executionDeadline > MAX_OVERDUE.IN_PROGRESS * TICK);
  const isTooLate = ({ readAt }: Call) => now - readAt > bounds.lateness * TICK;
  if (state.jobs.some(isTooOverdue) || state.calls.some(isTooLate)) return;
  const isPaused = ({ alive, lease, held, doing }: Worker) =>
    alive && (doing ? doing.at !== 'waiting' : held && lease && lease.endsAt >= state.now && lease.endsAt < now);
  const faults = state.workers.filter(isPaused).length + (state.sweep ? 1 : 0);
  if (faults > state.left.faults) return;
  const left = { ...state.left, faults: state.left.faults - faults };
  emit({ label: `time passes${faults > 0 ? ', and a process is slow' : ''}`, state: { ...state, now, left } });
}

/** Makes hidden messages visible before their time, because SQS can deliver a message a second time. */
function showSteps(state: State, emit: Emit): void {
  if (state.left.faults === 0) return;
  for (const [index, message] of state.messages.entries()) {
    if (message.until <= state.now || message.by === CLIENT) continue;
    const messages = state.messages.with(index, { ...message, until: 0 });
    emit({
      label: `the message of ${jobName(message.job)} becomes visible early`,
      state: { ...spent(state), messages },
    });
  }
}

/** The sweeper, or the event of a stopped task, reads a lease. */
function sweep({ protocol }: Setting, state: State, emit: Emit): void {
  for (const [worker, { alive, lease }] of state.workers.entries()) {
    if (!lease) continue;
    const ended = lease.endsAt < state.now;
    if (!ended && alive && protocol.checksLease) continue;
    const leaseEnds = alive ? lease.endsAt : Math.min(lease.endsAt, state.now - 1);
    for (const generation of readable(state)) {
      const read = { worker, endsAt: lease.endsAt, leaseEnds, generation, job: lease.jobs[0], resent: false };
      const next = { ...state, sweep: read };
      if (lease.jobs.length > 0) emit({ label: `the sweeper reads the lease of ${workerName(worker)}`, state: next });
      else emit({ label: `the sweeper forgets the lease of ${workerName(worker)}`, state: forgotten(next, read) });
      if (lease.jobs.length === 0) break;
    }
  }
}

/** Forgets the lease unless it was renewed. */
function forgotten(state: State, { worker, endsAt }: NonNullable<State['sweep']>): State {
  const { lease } = at(state.workers, worker);
  const left = { ...state, sweep: undefined };
  return lease && lease.endsAt <= endsAt ? withWorker(left, worker, { lease: undefined }) : left;
}

/** Sends a message, requeues or loses the job, and then forgets the lease. */
function requeueJobsOf(setting: Setting, state: State, read: NonNullable<State['sweep']>, emit: Emit): void {
  if (state.calls.some(({ purpose }) => purpose === 'sweeper requeue')) return;
  const { worker, job } = read;
  const stored = job === undefined ? undefined : at(state.jobs, job).stored;
  const isHolder = stored?.status === 'IN_PROGRESS' && stored.worker === workerName(worker);
  if (job === undefined || !isHolder || (setting.protocol.checksStart && stored.startedAt > read.endsAt)) {
    emit({ label: `the sweeper forgets the lease of ${workerName(worker)}`, state: forgotten(state, read) });
    return;
  }
  const resent = { ...sent(state, messageOf(job, stored.attempt)), sweep: { ...read, resent: true } };
  const label = `the sweeper sends a message of ${jobName(job)}`;
  const first = setting.protocol.messagesBeforeRequeue;
  if (first && !read.resent) {
    if (hasRoom(setting, state)) emit({ label, state: resent });
    return;
  }
  const facts = {
    $worker: stored.worker,
    $attempt: stored.attempt,
    $leaseEnds: read.leaseEnds,
    $reason: 'WORKER_LOST',
  } as const;
  const write = {
    by: SWEEPER,
    purpose: 'sweeper requeue',
    name: 'requeue',
    job,
    generation: read.generation,
    facts,
  } as const;
  issue(setting, state, write, `the sweeper requeues ${jobName(job)} from ${workerName(worker)}`, emit);
}
