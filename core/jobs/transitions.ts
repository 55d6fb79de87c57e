/**
 * The job state machine: all transitions of a job, as data.
 *
 *                 take                  complete
 *   IN_QUEUE ------------> IN_PROGRESS ----------> COMPLETED
 *    |  ^  |                | |  |  |  fail, lose
 *    |  |  |     requeue    | |  |  +------------> FAILED ----+
 *    |  |  +<---------------+ |  |      timeout               | retry
 *    |  |        expire       |  +---------------> TIMED_OUT -+
 *    |  |  +------------------|------------------------^      |
 *    |  +--|------------------|-------------------------------+
 *    +-----+------------------+------------------> CANCELLED
 *      cancelQueued, purge     cancelRunning
 *
 * `progress`, `limitRetention` and `expireSooner` do not change the status.
 *
 * A row contains the states that permit the transition (`from`), its guards (`when`), and its changes of the job.
 * The same row is interpreted in memory (`machine.ts`) and compiled to one conditional write
 * (`aws/conditional-write.ts`), so both always have the same guards. No other code assigns a status.
 *
 * Terms: a bare name is a field of the job, `$name` is a fact from the caller, and `{ value }` is a literal.
 */

import { MAX_ATTEMPTS } from '../limits.ts';
import type { Job, JobStatus, PayloadRef, RequeueReason } from './job.ts';

/** Facts that callers provide and that are not fields of the job. */
export interface FactValues {
  /** The current time, in milliseconds. */
  $now: number;
  /** The current time minus the grace period of worker reports. */
  $graceStart: number;
  /** The worker that takes the job or reports on it, and the attempt of the report. */
  $worker: string;
  $attempt: number;
  /** Revision that the worker runs. */
  $revision: number | undefined;
  /** The endpoint's generation, and the time of its last purge. */
  $generation: number;
  $purgedAt: number;
  /** End of the worker's lease; in the past if the worker is lost or gives up the job. */
  $leaseEnds: number;
  $reason: RequeueReason;
  $output: PayloadRef | undefined;
  $error: PayloadRef;
  /** Number of chunks that the attempt has streamed. */
  $chunks: number | undefined;
  /** The attempt's share of its worker's time, in whole milliseconds. */
  $workerTime: number | undefined;
  /** Whether the worker that takes the job returns the chunks of a job as its output. */
  $aggregates: true | undefined;
  $code: 'WORKER_ERROR' | 'OUTPUT_TOO_LARGE' | 'RESULT_NOT_REPORTED';
  /** When the stored item may be removed, in seconds since the epoch. */
  $removeAfter: number;
  /** The longest retention that the client requests, and the resulting expiry. */
  $retention: number;
  $expiresAt: number;
  /** Start of the wait and end of the job that the client read; a retry changes both. */
  $queuedAt: number;
  $finishedAt: number;
}

type KeysOfUnion<T> = T extends T ? keyof T : never;
export type Fact = keyof FactValues;
export type Field = Exclude<KeysOfUnion<Job>, 'status' | 'endpoint' | 'id'>;
/** Returns whether a term is a fact, which begins with `$`. */
export const isFact = (term: unknown): term is Fact => typeof term === 'string' && term.startsWith('$');

export type Term = Field | Fact | { readonly value: string | number | PayloadRef };
export type Expression = Term | { readonly sum: readonly [Term, Term] };
export type Guard = readonly [left: Term, is: '=' | '<' | '<=' | '>' | '>=', right: Term];

export interface Transition {
  readonly from: readonly JobStatus[];
  /** Absent if the status does not change. */
  readonly to?: JobStatus;
  /** Guards, all of which must hold. */
  readonly when: readonly Guard[];
  readonly set: { readonly [field in Field]?: Expression };
  readonly remove: readonly Field[];
}

const WORKER_LOST = `The worker stopped before it reported a result, on each of ${MAX_ATTEMPTS} attempts.`;

/** Fence against a worker that lost the job: its attempt is over, or another worker has the job. */
const heldByReporter = [
  ['worker', '=', '$worker'],
  ['attempt', '=', '$attempt'],
] as const satisfies Guard[];

/** Readers see an overdue job as TIMED_OUT, so the job cannot change to another status. */
const notOverdue = ['$graceStart', '<=', 'executionDeadline'] as const satisfies Guard;

const endsNow = { finishedAt: '$now', expiresAt: { sum: ['$now', 'retention'] }, removeAfter: '$removeAfter' } as const;
const reported = { output: '$output', chunks: '$chunks', workerTime: '$workerTime' } as const;
const traceOfRun = [
  'worker',
  'revision',
  'startedAt',
  'executionDeadline',
  'aggregates',
  'output',
] as const satisfies Field[];

export const transitions = {
  /** A worker starts the job. */
  take: {
    from: ['IN_QUEUE'],
    to: 'IN_PROGRESS',
    when: [
      ['$now', '<', 'queueDeadline'],
      ['generation', '>=', '$generation'],
    ],
    set: {
      worker: '$worker',
      revision: '$revision',
      attempt: { sum: ['attempt', { value: 1 }] },
      startedAt: '$now',
      executionDeadline: { sum: ['executionTimeout', '$now'] },
      aggregates: '$aggregates',
    },
    remove: ['requeued'],
  },
  /** The job waited longer than its `policy.ttl`. */
  expire: {
    from: ['IN_QUEUE'],
    to: 'TIMED_OUT',
    when: [['queueDeadline', '<=', '$now']],
    set: {
      code: { value: 'QUEUE_TTL_EXPIRED' },
      finishedAt: 'queueDeadline',
      expiresAt: { sum: ['queueDeadline', 'retention'] },
    },
    remove: ['requeued'],
  },
  /** The queue was purged after the job was accepted. */
  purge: {
    from: ['IN_QUEUE'],
    to: 'CANCELLED',
    when: [['generation', '<', '$generation']],
    set: {
      code: { value: 'PURGED' },
      finishedAt: '$purgedAt',
      expiresAt: { sum: ['$purgedAt', 'retention'] },
    },
    remove: ['requeued'],
  },
  /** The client cancels the waiting job. */
  cancelQueued: {
    from: ['IN_QUEUE'],
    to: 'CANCELLED',
    when: [
      ['$now', '<', 'queueDeadline'],
      ['generation', '>=', '$generation'],
    ],
    set: { ...endsNow, code: { value: 'CANCELLED' } },
    remove: ['requeued'],
  },
  /** The client cancels the running job, which its worker stops within two seconds. */
  cancelRunning: {
    from: ['IN_PROGRESS'],
    to: 'CANCELLED',
    when: [notOverdue],
    set: { ...endsNow, code: { value: 'CANCELLED' } },
    remove: ['output'],
  },
  /** The worker reports its progress. */
  progress: {
    from: ['IN_PROGRESS'],
    to: 'IN_PROGRESS',
    when: [...heldByReporter],
    set: { output: '$output' },
    remove: [],
  },
  /** The worker reports the output, whose bytes are already stored. */
  complete: {
    from: ['IN_PROGRESS'],
    to: 'COMPLETED',
    when: [...heldByReporter, notOverdue],
    set: { ...endsNow, ...reported },
    remove: [],
  },
  /** The worker reports an error. */
  fail: {
    from: ['IN_PROGRESS'],
    to: 'FAILED',
    when: [...heldByReporter, notOverdue],
    set: { ...endsNow, ...reported, code: '$code', error: '$error' },
    remove: [],
  },
  /** The job ran longer than its `policy.executionTimeout`. */
  timeout: {
    from: ['IN_PROGRESS'],
    to: 'TIMED_OUT',
    when: [['executionDeadline', '<', '$now']],
    set: {
      code: { value: 'EXECUTION_TIMEOUT' },
      finishedAt: 'executionDeadline',
      expiresAt: { sum: ['executionDeadline', 'retention'] },
    },
    remove: ['output'],
  },
  /**
   * The job's worker is lost or gives up the job, and attempts are left. The wait begins again, because the client
   * did not cause the loss. The job gets the current generation, because a purge does not cancel jobs that are
   * running.
   */
  requeue: {
    from: ['IN_PROGRESS'],
    to: 'IN_QUEUE',
    when: [...heldByReporter, notOverdue, ['$leaseEnds', '<', '$now'], ['attempt', '<', 'attemptLimit']],
    set: {
      queueDeadline: { sum: ['queueTtl', '$now'] },
      rescues: { sum: ['rescues', { value: 1 }] },
      requeued: '$reason',
      generation: '$generation',
    },
    remove: [...traceOfRun],
  },
  /** The job's worker is lost or gives up the job, in the last attempt. */
  lose: {
    from: ['IN_PROGRESS'],
    to: 'FAILED',
    when: [...heldByReporter, notOverdue, ['$leaseEnds', '<', '$now'], ['attempt', '>=', 'attemptLimit']],
    set: { ...endsNow, code: { value: 'WORKER_LOST' }, error: { value: { inline: WORKER_LOST } } },
    remove: ['output'],
  },
  /** The client retries the job while its result is still retained. */
  retry: {
    from: ['FAILED', 'TIMED_OUT'],
    to: 'IN_QUEUE',
    when: [['$now', '<', 'expiresAt']],
    set: {
      queuedAt: '$now',
      queueDeadline: { sum: ['queueTtl', '$now'] },
      generation: '$generation',
      attemptLimit: { sum: ['attempt', { value: MAX_ATTEMPTS }] },
      retries: { sum: ['retries', { value: 1 }] },
      removeAfter: '$removeAfter',
    },
    remove: [...traceOfRun, 'finishedAt', 'expiresAt', 'code', 'error', 'chunks', 'workerTime'],
  },
  /** The client requests a shorter retention before the job has ended. */
  limitRetention: {
    from: ['IN_QUEUE', 'IN_PROGRESS'],
    when: [
      ['queuedAt', '=', '$queuedAt'],
      ['$retention', '<', 'retention'],
    ],
    set: { retention: '$retention' },
    remove: [],
  },
  /** The client requests a shorter retention after the job has ended. */
  expireSooner: {
    from: ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'],
    when: [
      ['finishedAt', '=', '$finishedAt'],
      ['$expiresAt', '<', 'expiresAt'],
    ],
    set: { expiresAt: '$expiresAt' },
    remove: [],
  },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** The transitions that a worker reports about a job that it holds. */
export const reportNames = ['progress', 'complete', 'fail'] as const satisfies TransitionName[];
export type ReportName = (typeof reportNames)[number];
/** All other transitions. */
export type MoveName = Exclude<TransitionName, ReportName>;

/** All `$names` in a row. */
type FactsIn<Row> = Row extends string
  ? Extract<Row, Fact>
  : Row extends readonly unknown[]
    ? FactsIn<Row[number]>
    : Row extends object
      ? FactsIn<Row[keyof Row]>
      : never;

/** The facts that a transition needs, by name. */
export type FactsOf<Name extends TransitionName> = {
  readonly [fact in FactsIn<(typeof transitions)[Name]>]: FactValues[fact];
};
