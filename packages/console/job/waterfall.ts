/**
 * Divides the time of a job into steps: waits, stages of a worker's start, attempts, and the webhook. The steps of a job
 * that still exists are those of its record, and those of the history before it.
 */
import type { EndedAttempt, EndedJob, Stage } from '../api/management-types.ts';
import { hasEnded, type Job } from './job.ts';
import { submittedAt } from './kept.ts';

/** An attempt, whose log can be read. Times are in milliseconds since the epoch. */
export interface Attempt {
  readonly number: number;
  readonly worker: string;
  readonly from: number;
  /** Undefined while the job runs. */
  readonly to?: number | undefined;
}

export interface Step {
  readonly kind: 'wait' | 'start' | 'ran' | 'failed' | 'none' | 'sent' | 'not-sent';
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** Milliseconds; undefined for a step whose duration is unknown. */
  readonly time?: number;
  readonly isOpen?: boolean;
  readonly detail: string;
  readonly attempt?: Attempt;
}

/** The time from a submission or a retry to the end, or to now. */
interface Round {
  readonly queuedAt: number;
  /** Milliseconds. */
  readonly delayTime: number;
  readonly executionTime: number;
  readonly status: Job['status'];
  readonly code?: string | undefined;
  readonly attempts: number;
  readonly worker?: string | undefined;
  readonly timeline?: readonly Stage[] | undefined;
  readonly earlier: readonly EndedAttempt[];
}

const stageNames: Readonly<Record<Stage['stage'], readonly [name: string, detail: string]>> = {
  QUEUED: ['Queued', ''],
  INSTANCE: ['Instance', 'EC2 launched an instance'],
  BOOT: ['Boot', 'The instance booted and joined the cluster'],
  IMAGE: ['Image', 'The worker pulled its images'],
  WORKER: ['Worker start', 'The container started, and loaded its model'],
  TAKE: ['Take', 'The worker took the job'],
};

const reasons: Readonly<Record<NonNullable<EndedAttempt['reason']>, string>> = {
  WORKER_LOST: 'WORKER_LOST: the worker did not renew its lease',
  WORKER_STOPPED: 'WORKER_STOPPED: ECS stopped the worker',
  GIVEN_UP: 'GIVEN_UP: the worker ran, but not the job',
};

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;

const timeOf = (text: string) => Date.parse(text);

/** @param end of the history */
function roundOf(end: EndedJob): Round {
  const { startedAt, endedAt, delayTime, earlierAttempts = [] } = end;
  return { ...end, queuedAt: timeOf(startedAt ?? endedAt) - delayTime, earlier: earlierAttempts };
}

/** Returns the time in the wait outside of the earlier attempts. */
function gaps(from: number, to: number, earlier: readonly EndedAttempt[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  let at = from;
  for (const { startedAt, endedAt } of earlier) {
    const start = Math.min(to, timeOf(startedAt));
    if (start > at) found.push([at, start]);
    at = Math.max(at, Math.min(to, timeOf(endedAt)));
  }
  return to > at || found.length === 0 ? [...found, [at, to]] : found;
}

function waits({ queuedAt, delayTime, timeline, earlier, status }: Round, note: string): Step[] {
  const isOpen = status === 'IN_QUEUE';
  const whole = { stage: 'QUEUED', startedAt: new Date(queuedAt).toISOString(), duration: delayTime } as const;
  const stages = timeline && timeline.length > 0 ? timeline : [whole];
  return stages.flatMap(({ stage, startedAt, duration }, index) => {
    const from = timeOf(startedAt);
    const [name, detail] = stageNames[stage];
    const isLast = index === stages.length - 1;
    const kind = stage === 'QUEUED' || stage === 'TAKE' ? 'wait' : 'start';
    const parts = stage === 'QUEUED' ? gaps(from, from + duration, earlier) : [[from, from + duration] as const];
    return parts
      .filter(([start, end]) => end > start || isOpen || stages.length === 1)
      .map(([start, end], part) => ({
        kind,
        name: part === 0 ? name : 'Queued again',
        from: start,
        time: end - start,
        isOpen: isOpen && isLast && part === parts.length - 1,
        detail: stage === 'QUEUED' ? (part === 0 ? note : '') : isOpen && isLast ? '' : detail,
      }));
  });
}

const hasRun = ({ status, executionTime, worker }: Round): boolean =>
  status === 'IN_PROGRESS' || (hasEnded({ status }) && (executionTime > 0 || worker !== undefined));

function lastAttempt(round: Round, name: string, chunks: string): Step[] {
  const { queuedAt, delayTime, executionTime, status, code, attempts, worker } = round;
  const from = queuedAt + delayTime;
  if (!hasRun(round)) {
    const detail = status === 'IN_QUEUE' ? 'No worker has taken the job yet' : 'No worker took the job';
    return [{ kind: 'none', name: 'Run', from, detail }];
  }
  const isOpen = status === 'IN_PROGRESS';
  const to = isOpen ? undefined : from + executionTime;
  return [
    {
      kind: isOpen || status === 'COMPLETED' ? 'ran' : 'failed',
      name,
      from,
      time: executionTime,
      isOpen,
      detail: [isOpen || status === 'COMPLETED' ? '' : (code ?? status), chunks].filter(Boolean).join(' · '),
      ...(worker !== undefined && { attempt: { number: attempts, worker, from, to } }),
    },
  ];
}

/** Explains what the steps of a round do not show. */
function noteOf(round: Round, attemptsBefore: number): string {
  const missing = round.attempts - attemptsBefore - round.earlier.length - (hasRun(round) ? 1 : 0);
  return missing > 0 ? `With ${count(missing, 'earlier attempt')}, shown when the job has ended` : '';
}

function stepsOf(round: Round, attemptsBefore: number, isOnly: boolean, chunks: string): Step[] {
  const earlier = round.earlier.map(({ attempt, worker, startedAt, endedAt, executionTime, reason }): Step => {
    const [from, to] = [timeOf(startedAt), timeOf(endedAt)];
    return {
      kind: 'failed',
      name: `Attempt ${attempt}`,
      from,
      time: executionTime,
      detail: reason === undefined ? 'The job was queued again' : reasons[reason],
      attempt: { number: attempt, worker, from, to },
    };
  });
  const name = isOnly && round.attempts <= 1 ? 'Run' : `Attempt ${round.attempts}`;
  const steps = [...waits(round, noteOf(round, attemptsBefore)), ...earlier];
  return [...steps.sort((one, other) => one.from - other.from), ...lastAttempt(round, name, chunks)];
}

function delivery(webhook: NonNullable<Job['webhook']>, from: number): Step {
  const { state, attempts, lastStatus, lastError } = webhook;
  const facts = [attempts > 0 && count(attempts, 'attempt'), lastStatus && `HTTP ${lastStatus}`, lastError];
  const isFailed = state === 'FAILED' || state === 'NOT_SENT';
  return {
    kind: isFailed ? 'not-sent' : 'sent',
    name: 'Webhook',
    from,
    isOpen: state === 'PENDING',
    detail: [state, ...facts].filter(Boolean).join(' · '),
  };
}

/**
 * Returns the steps in the order of their rounds.
 * @param job undefined if the service has removed it
 * @param ends of the history, oldest first
 * @param chunks what is known of the stream of the last attempt
 */
export function waterfall(job: Job | undefined, ends: readonly EndedJob[], chunks = ''): readonly Step[] {
  const rounds = ends.map(roundOf);
  if (job) {
    const { id, workerId, timeline, webhook, ...record } = job;
    const known = timeline?.[0]?.startedAt;
    const queuedAt = known === undefined ? (rounds.at(-1)?.queuedAt ?? submittedAt(id) ?? 0) : timeOf(known);
    // The last end is the one of the record unless the job was retried after it.
    const isSame = (end: EndedJob) => hasEnded(job) && timeOf(end.endedAt) > queuedAt;
    const own = ends.findIndex(isSame);
    if (own !== -1) rounds.length = own;
    rounds.push({ ...record, queuedAt, worker: workerId, timeline, earlier: ends[own]?.earlierAttempts ?? [] });
  }
  const last = rounds.at(-1);
  const steps = rounds.flatMap((round, index) =>
    stepsOf(round, rounds[index - 1]?.attempts ?? 0, rounds.length === 1, round === last ? chunks : ''),
  );
  if (!last || !job?.webhook || !hasEnded(job)) return steps;
  return [...steps, delivery(job.webhook, last.queuedAt + last.delayTime + last.executionTime)];
}

/** Place of a step on the time axis, in percent. */
export interface Place {
  readonly start: number;
  readonly width: number;
}

/** Returns the time from the first to the last step, in milliseconds. */
export function spanOf(steps: readonly Step[]): { readonly from: number; readonly time: number } {
  const from = Math.min(...steps.map((step) => step.from));
  return { from, time: Math.max(0, ...steps.map((step) => step.from + (step.time ?? 0) - from)) };
}

export function placeOf({ from, time = 0 }: Step, span: ReturnType<typeof spanOf>): Place {
  if (span.time === 0) return { start: 0, width: 0 };
  return { start: (100 * (from - span.from)) / span.time, width: (100 * time) / span.time };
}
