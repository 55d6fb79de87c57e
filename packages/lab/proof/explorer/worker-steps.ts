/** Steps of workers: receive, take, start, report, beat, look, requeue, die. */

import type { RunningJob } from '../../../../core/jobs/job.ts';
import { lossOf } from '../../../../core/workers/hold.ts';
import { brokenByStart, isOver, observed, readable } from './monitor.ts';
import type { Setting } from './setting.ts';
import {
  at,
  CLIENT,
  type Doing,
  type Held,
  jobName,
  type Message,
  type State,
  spent,
  TICK,
  withJob,
  withWorker,
  workerName,
} from './state.ts';
import { type Emit, finalizing, hasLease, hasRoom, issue, messageOf, sent } from './step.ts';

/** @param areAllFinal whether no job can change, so that only workers that hold a job still have steps */
export function workerSteps(setting: Setting, state: State, areAllFinal: boolean, emit: Emit): void {
  for (const [worker, { alive, held, doing }] of state.workers.entries()) {
    if (!alive) continue;
    if (areAllFinal) {
      if (held && !doing) heldSteps(setting, state, worker, held, emit);
      if (doing?.at === 'storing late') continueStep(setting, state, worker, doing, emit);
      continue;
    }
    beatSteps(setting, state, worker, emit);
    if (held?.named && held.message) dropAfterBeat(setting, state, worker, held, emit);
    // The service replaces a worker that has died. In the walk, the other worker has that role.
    if (state.left.faults > 0 && state.workers.filter((other) => other.alive).length > 1)
      emit({ label: `${workerName(worker)} dies`, state: crashed(state, worker) });
    if (doing) continueStep(setting, state, worker, doing, emit);
    else if (held) heldSteps(setting, state, worker, held, emit);
    else receiveSteps(setting, state, worker, emit);
  }
}

function receiveSteps(setting: Setting, state: State, worker: number, emit: Emit): void {
  if (!hasLease(state, worker)) return;
  for (const [index, message] of state.messages.entries()) {
    const { job } = message;
    const insures = message.by === CLIENT && at(state.jobs, job).client === 'retrying';
    if (insures && !setting.surroundings.earlyInsurance) continue;
    const twin = state.messages.findIndex((other) => JSON.stringify(other) === JSON.stringify(message));
    if (message.until > state.now || twin < index) continue;
    const received = {
      ...state,
      messages: state.messages.with(index, { ...message, until: state.now + setting.bounds.lease * TICK, by: worker }),
    };
    takeSteps(setting, received, worker, job, readable(state), emit, 'receives the message of');
  }
}

function takeSteps(
  setting: Setting,
  state: State,
  worker: number,
  job: number,
  generations: readonly number[],
  emit: Emit,
  how: string,
): void {
  for (const generation of generations) {
    const facts = { $worker: workerName(worker), $revision: undefined, $aggregates: undefined };
    const write = { by: worker, purpose: 'take', name: 'take', job, generation, facts } as const;
    const label = `${workerName(worker)} ${how} ${jobName(job)} and takes it in generation ${generation}`;
    issue(setting, state, write, label, emit);
  }
}

/** Deletes the message whose receipt the worker has, even if another worker has received it since. */
export function dropped({ surroundings }: Setting, state: State, worker: number, job: number): State {
  const mine = state.messages.findIndex((message) => message.job === job && message.by === worker);
  const any = surroundings.oldReceiptsDelete ? state.messages.findIndex((message) => message.job === job) : -1;
  const index = mine >= 0 ? mine : any;
  return index >= 0 ? { ...state, messages: state.messages.toSpliced(index, 1) } : state;
}

function continueStep(setting: Setting, state: State, worker: number, doing: Doing, emit: Emit): void {
  if (doing.at === 'waiting') return;
  const name = workerName(worker);
  const free = withWorker(state, worker, { doing: undefined });
  const { job } = doing;
  if (doing.at === 'dropping') {
    emit({ label: `${name} drops its message of ${jobName(job)}`, state: dropped(setting, free, worker, job) });
  } else if (doing.at === 'showing') {
    const mine = (message: Message) => message.job === job && message.by === worker;
    const messages = free.messages.map((message) => (mine(message) ? { ...message, until: 0 } : message));
    emit({ label: `${name} makes the message of ${jobName(job)} visible again`, state: { ...free, messages } });
  } else if (doing.at === 'rescuing') {
    rescueSteps(setting, state, worker, doing, emit);
  } else if (doing.at === 'finalizing') {
    finalizeSteps(setting, state, worker, doing, emit);
  } else if (doing.at === 'taking again') {
    takeSteps(setting, free, worker, job, [doing.generation], emit, 'has rescued');
  } else {
    const tracked = at(state.jobs, job);
    const durable = tracked.stored?.attempt === doing.attempt || tracked.durable;
    emit({ label: `${name} stores the output of ${jobName(job)}`, state: withJob(free, job, { durable }) });
  }
}

type DoingAt<Name extends Doing['at']> = Extract<Doing, { readonly at: Name }>;

function rescueSteps(setting: Setting, state: State, worker: number, doing: DoingAt<'rescuing'>, emit: Emit): void {
  const { rescuesWithMessage } = setting.protocol;
  const { job, from, attempt, leaseEnds, generation } = doing;
  if (rescuesWithMessage && !hasRoom(setting, state)) return;
  const resent = rescuesWithMessage ? sent(state, messageOf(job, attempt)) : state;
  const facts = { $worker: from, $attempt: attempt, $leaseEnds: leaseEnds, $reason: 'WORKER_LOST' } as const;
  const write = { by: worker, purpose: 'rescue', name: 'requeue', job, generation, facts } as const;
  const how = rescuesWithMessage ? 'sends a message and rescues' : 'rescues';
  issue(setting, resent, write, `${workerName(worker)} ${how} ${jobName(job)} from ${from}`, emit);
}

/** Handles a refused take of a waiting job. The job's time is over, or was over when the worker read it. */
function finalizeSteps(setting: Setting, state: State, worker: number, doing: DoingAt<'finalizing'>, emit: Emit): void {
  const { job, generation } = doing;
  const [who, name] = [workerName(worker), jobName(job)];
  const { stored } = at(state.jobs, job);
  const view = stored && observed(stored, generation, state);
  if (isOver(stored)) {
    const next = withWorker(state, worker, { doing: { at: 'dropping', job } });
    emit({ label: `${who} sees that ${name} has ended`, state: next });
  } else if (view && isOver(view)) {
    const write = { by: worker, purpose: 'finalize for drop', job, ...finalizing(state, view, generation) } as const;
    issue(setting, state, write, `${who} stores the final status of ${name}`, emit);
  } else {
    emit({
      label: `${who} leaves the message of ${name} for later`,
      state: withWorker(state, worker, { doing: undefined }),
    });
  }
}

function heldSteps(setting: Setting, state: State, worker: number, held: Held, emit: Emit): void {
  const name = workerName(worker);
  const { job, attempt } = held;
  if (!held.started) {
    startSteps(setting, state, worker, held, emit);
    return;
  }
  lookSteps(state, worker, held, emit);
  if (!setting.protocol.namesBeforeDrop && held.message) dropAfterBeat(setting, state, worker, held, emit);

  const mine = { by: worker, job, generation: held.generation };
  const fence = { $worker: name, $attempt: attempt };
  const tracked = at(state.jobs, job);
  const isPresent = tracked.stored?.attempt === attempt;
  if (setting.bounds.progress) {
    const facts = { ...fence, $output: { inline: `so far ${attempt}` } };
    issue(
      setting,
      state,
      { ...mine, purpose: 'progress', name: 'progress', facts },
      `${name} reports progress of ${jobName(job)}`,
      emit,
    );
  }
  if (setting.protocol.storesOutputFirst && !held.stored) {
    const stored = withWorker(state, worker, { held: { ...held, stored: true } });
    const label = `${name} stores the output of ${jobName(job)}`;
    emit({ label, state: isPresent ? withJob(stored, job, { durable: true }) : stored });
  } else {
    const facts = { ...fence, $output: { stored: `output#${attempt}` }, $chunks: undefined, $workerTime: undefined };
    issue(
      setting,
      state,
      { ...mine, purpose: 'report', name: 'complete', facts },
      `${name} reports ${jobName(job)} complete`,
      emit,
    );
  }
  const error = {
    ...fence,
    $output: undefined,
    $chunks: undefined,
    $workerTime: undefined,
    $error: { inline: 'no' },
    $code: 'WORKER_ERROR',
  } as const;
  issue(
    setting,
    state,
    { ...mine, purpose: 'report', name: 'fail', facts: error },
    `${name} reports ${jobName(job)} failed`,
    emit,
  );
  if (state.left.requeues === 0) return;
  for (const generation of readable(state))
    requeue(setting, spent(state, 'requeues'), worker, held, generation, 'requeues', emit);
}

/** After the answer to the take, passes the job to the handler unless a purge was called meanwhile. */
function startSteps(setting: Setting, state: State, worker: number, held: Held, emit: Emit): void {
  const name = workerName(worker);
  const tracked = at(state.jobs, held.job);
  for (const generation of readable(state)) {
    if (setting.protocol.rechecksGeneration && generation > held.generation) {
      requeue(
        setting,
        state,
        worker,
        held,
        held.generation,
        'sees that a purge was called meanwhile, and requeues',
        emit,
      );
      continue;
    }
    const { stored } = tracked;
    const isPresent = stored?.status === 'IN_PROGRESS' && stored.worker === name && stored.attempt === held.attempt;
    const started = withWorker(state, worker, { held: { ...held, started: true } });
    emit({
      label: `${name} starts the handler of ${jobName(held.job)}`,
      state: isPresent ? withJob(started, held.job, { started: true }) : started,
      broken: brokenByStart(tracked),
      starts: held.job,
    });
  }
}

function lookSteps(state: State, worker: number, held: Held, emit: Emit): void {
  const { job, attempt } = held;
  const name = workerName(worker);
  const taken = { worker: name, attempt } as RunningJob;
  // The sweeper stores an overdue job as TIMED_OUT, and the worker's next look finds that.
  const loss = lossOf(at(state.jobs, job).stored, taken, 0);
  if (!loss) return;
  const doing = loss === 'no longer held' || !held.message ? undefined : ({ at: 'dropping', job } as const);
  emit({
    label: `${name} sees that ${jobName(job)} is ${loss} and stops it`,
    state: withWorker(state, worker, { held: undefined, doing }),
  });
}

/**
 * Requeues a job. If the worker has the message, it writes and then makes the message visible. Otherwise it sends
 * a new message first.
 */
function requeue(
  setting: Setting,
  state: State,
  worker: number,
  held: Held,
  generation: number,
  how: string,
  emit: Emit,
): void {
  const { job, attempt } = held;
  if (!held.message && !hasRoom(setting, state)) return;
  const resent = held.message ? state : sent(state, messageOf(job, attempt));
  const leaving = withWorker(resent, worker, { held: { ...held, message: false, leaving: true } });
  const facts = { $worker: workerName(worker), $attempt: attempt, $leaseEnds: 0, $reason: 'GIVEN_UP' } as const;
  const write = { by: worker, purpose: 'requeue', name: 'requeue', job, generation, facts } as const;
  issue(setting, leaving, write, `${workerName(worker)} ${how} ${jobName(job)}`, emit);
}

/** A beat renews the lease and names the job whose handler runs. */
function beatSteps({ bounds }: Setting, state: State, worker: number, emit: Emit): void {
  const { lease, held } = at(state.workers, worker);
  const jobs = held?.started ? [held.job] : [];
  const endsAt = state.now + bounds.lease * TICK;
  // Other beats change nothing, because the lease is valid and names the right job.
  if (lease && lease.endsAt > state.now && (!held?.started || held.named)) return;
  const beaten = { lease: { endsAt, jobs }, held: held && { ...held, named: held.started } };
  const names = jobs.length > 0 ? `, and its lease names ${jobs.map(jobName)}` : '';
  emit({ label: `${workerName(worker)} beats${names}`, state: withWorker(state, worker, beaten) });
}

function dropAfterBeat(setting: Setting, state: State, worker: number, held: Held, emit: Emit): void {
  const after = withWorker(state, worker, { held: { ...held, message: false } });
  const label = `${workerName(worker)} drops the message of its job ${jobName(held.job)}`;
  emit({ label, state: dropped(setting, after, worker, held.job) });
}

const crashed = (state: State, worker: number): State => ({
  ...withWorker(spent(state), worker, { alive: false, held: undefined, doing: undefined }),
  calls: state.calls.map((call) => (call.by === worker ? { ...call, heard: false } : call)),
});
