/**
 * Builds a key for each state. States have the same key if they differ only in the time of day, in how long ago
 * something was, in the number of an attempt, or in the names of the two workers.
 */
import type { Job, RunningJob } from '../../../../core/jobs/job.ts';
import { isKept, isOver } from './monitor.ts';
import {
  type Call,
  type Caller,
  type Message,
  type State,
  TICK,
  type Tracked,
  type Worker,
  workerOf,
} from './state.ts';

/**
 * Ticks from now. Earlier times make no further difference to the rules. The numbers cover the grace of reports, plus
 * a write that is one tick late.
 */
const PAST = { queueDeadline: -1, executionDeadline: -3, expiresAt: -1, lease: -2 };

type Renamed = (worker: Caller) => Caller;

export function keyOf(state: State): string {
  const plain = encode(state, (worker) => worker);
  if (state.workers.length < 2) return plain;
  const swapped = encode(state, (worker) => (worker >= 0 ? 1 - worker : worker));
  if (swapped < plain) return swapped;
  return plain;
}

/** Encodes a time as one character: its ticks from now. */
const when = (state: State, time: number, past = PAST.executionDeadline) =>
  String.fromCharCode(75 + Math.max(past, (time - state.now) / TICK));

function encode(state: State, rename: Renamed): string {
  const attemptOf = (job: number) => state.jobs[job]?.stored?.attempt ?? 0;
  const attempt = (job: number, number: number) => String.fromCharCode(75 + number - attemptOf(job));
  const flag = (is: boolean) => (is ? '1' : '0');

  /**
   * Returns whether a job started after the end of the holder's lease, and of the lease that the sweeper has read.
   */
  const isAfter = ({ worker, startedAt }: RunningJob) =>
    flag(startedAt > (state.workers[workerOf(worker)]?.lease?.endsAt ?? 0)) +
    flag(startedAt > (state.sweep?.endsAt ?? 0));

  const storedKey = (job: Job, durable: boolean) => {
    if (isOver(job)) {
      const kept = isKept(job, state.now);
      const output = 'output' in job && job.output ? 1 : 0;
      const expires = 'expiresAt' in job ? when(state, job.expiresAt, PAST.expiresAt) : '';
      return kept
        ? `${job.status}${output}${expires}${'code' in job ? job.code : ''}${job.retention / TICK}${'worker' in job ? rename(workerOf(job.worker ?? 'w0')) : ''}${flag(durable)}`
        : `x${job.status}${expires}`;
    }
    const left = job.attemptLimit - job.attempt;
    const common = `${left}${job.generation - state.generation}${job.retention / TICK}`;
    if (job.status !== 'IN_PROGRESS') return `q${common}${when(state, job.queueDeadline, PAST.queueDeadline)}`;
    const output = job.output ? 1 : 0;
    return `r${common}${when(state, job.executionDeadline)}${rename(workerOf(job.worker))}${output}${isAfter(job)}`;
  };

  const jobKey = (tracked: Tracked) => {
    const { stored, before, client, acknowledged, answer, answeredBy, durable, started, lapsed, cut, counted } =
      tracked;
    if (!stored) return client;
    const flags = `${flag(acknowledged)}${flag(answer !== undefined)}${answeredBy ?? ''}`;
    // Only the final status matters for a job that has ended and cannot change.
    const run = isOver(stored) ? '' : `${flag(durable)}${flag(started)}${flag(lapsed)}`;
    return `${storedKey(stored, durable)}${flags}${run}${cut}${counted ?? ''}${client}${before ? storedKey(before, false) : ''}`;
  };

  // The attempt of a message is omitted, because it affects only how soon a worker reads the message again.
  const messageKey = ({ job, until, by }: Message) =>
    `${job}${when(state, until, 0)}${by >= 0 ? rename(by) : by === -1 ? 'c' : '-'}`;

  const shortenKey = (job: number, { $expiresAt = 0, $finishedAt, $queuedAt }: Call['facts']) => {
    const stored = state.jobs[job]?.stored;
    const sameEnd = stored !== undefined && 'finishedAt' in stored && stored.finishedAt === $finishedAt;
    const begun = when(state, $finishedAt ?? $queuedAt ?? 0);
    return `${when(state, $expiresAt)}${begun}${flag(sameEnd)}${flag(stored?.queuedAt === $queuedAt)}`;
  };

  const callKey = ({ by, purpose, name, job, facts, readAt, lapsed, generation, afterPurge, heard }: Call) =>
    [
      `${purpose}${name}${job}${by >= 0 ? rename(by) : by}${when(state, readAt)}${generation - state.generation}`,
      `${flag(afterPurge)}${flag(heard)}${flag(lapsed)}`,
      facts.$worker === undefined ? '' : rename(workerOf(facts.$worker)),
      facts.$attempt === undefined ? '' : attempt(job, facts.$attempt),
      facts.$leaseEnds === undefined ? '' : when(state, facts.$leaseEnds, PAST.lease),
      purpose === 'shorten' ? shortenKey(job, facts) : '',
    ].join('');

  const workerKey = ({ alive, lease, held, doing }: Worker) => {
    const leaseKey = lease ? `${when(state, lease.endsAt, PAST.lease)}${lease.jobs}` : '-';
    const heldKey = held
      ? `${held.job}${attempt(held.job, held.attempt)}${held.generation - state.generation}${flag(held.started)}${flag(held.message)}${flag(held.named)}${flag(held.stored)}${flag(held.leaving)}`
      : '-';
    return `${flag(alive)}${leaseKey};${heldKey};${doing ? doingKey(doing) : ''}`;
  };

  const doingKey = (doing: NonNullable<Worker['doing']>) =>
    [
      doing.at,
      'job' in doing ? doing.job : '',
      'generation' in doing ? doing.generation - state.generation : '',
      'leaseEnds' in doing ? when(state, doing.leaseEnds, PAST.lease) : '',
      'from' in doing ? rename(workerOf(doing.from)) : '',
      'attempt' in doing ? attempt(doing.job, doing.attempt) : '',
    ].join('');

  const { sweep, left } = state;
  const workers = state.workers.map((_, index) => workerKey(state.workers[rename(index)] as Worker));
  return [
    `${state.generation}${state.purge}${flag(state.stale)}${left.faults}${left.retries}${left.cancels}${left.shortenings}${left.requeues}`,
    ...state.jobs.map(jobKey),
    state.messages.map(messageKey).sort().join(','),
    ...workers,
    state.calls.map(callKey).sort().join(','),
    sweep
      ? `${rename(sweep.worker)}${when(state, sweep.endsAt, PAST.lease)}${when(state, sweep.leaseEnds, PAST.lease)}${sweep.generation - state.generation}${sweep.job ?? '-'}${flag(sweep.resent)}`
      : '',
  ].join('|');
}
