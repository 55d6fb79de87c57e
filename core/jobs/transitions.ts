/**
 * The job machine: every way in which a job may change, as data.
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
 * `progress`, `limitRetention` and `expireSooner` leave the status as it is.
 *
 * A row says from which states it may leave (`from`), what must hold (`when`), and what the job is afterwards. The same
 * row is interpreted in memory (`machine.ts`) and compiled to one conditional write (`aws/jobs/jobs.ts`), so a guard cannot
 * hold in one and be missing in the other. Nothing else in the product assigns a status.
 *
 * Terms: a bare name is a field of the job, `$name` is a fact the caller knows, `{ value }` is itself.
 */

import { MAX_ATTEMPTS } from '../limits.ts';
import type { Job, JobStatus, PayloadRef } from './job.ts';

/** What callers know that the job does not. */
export interface FactValues {
  /** The present, in milliseconds. */
  $now: number;
  /** The present less the grace that reports of workers get. */
  $graceStart: number;
  /** The worker that takes the job, or that reports on it, and the attempt that it reports on. */
  $worker: string;
  $attempt: number;
  /** The endpoint's generation, and when it was last raised. */
  $generation: number;
  $purgedAt: number;
  /** When the holder's lease ends; in the past once the holder is lost or gives the job up. */
  $leaseEnds: number;
  $output: PayloadRef | undefined;
  $error: PayloadRef;
  /** How many chunks the attempt has streamed. */
  $chunks: number | undefined;
  $code: 'WORKER_ERROR' | 'OUTPUT_TOO_LARGE';
  /** When the stored item may be removed, in seconds since the epoch. */
  $removeAfter: number;
  /** For how long a client wants a result kept at most, and until when. */
  $retention: number;
  $expiresAt: number;
  /** Start of the wait and end of the job as the client saw them: a retry has others. */
  $queuedAt: number;
  $finishedAt: number;
}

type KeysOfUnion<T> = T extends T ? keyof T : never;
export type Fact = keyof FactValues;
export type Field = Exclude<KeysOfUnion<Job>, 'status' | 'endpoint' | 'id'>;
/** Whether a term is a fact, as its `$` says. */
export const isFact = (term: unknown): term is Fact => typeof term === 'string' && term.startsWith('$');

export type Term = Field | Fact | { readonly value: string | number | PayloadRef };
export type Expression = Term | { readonly sum: readonly [Term, Term] };
export type Guard = readonly [left: Term, is: '=' | '<' | '<=' | '>' | '>=', right: Term];

export interface Transition {
  readonly from: readonly JobStatus[];
  /** Absent where the status does not change. */
  readonly to?: JobStatus;
  /** All must hold. */
  readonly when: readonly Guard[];
  readonly set: { readonly [field in Field]?: Expression };
  readonly remove: readonly Field[];
}

const WORKER_LOST = `The worker stopped before it reported a result, on each of ${MAX_ATTEMPTS} attempts.`;

/** Fences out a worker that lost the job: its attempt is over, or was another worker's. */
const heldByReporter = [
  ['worker', '=', '$worker'],
  ['attempt', '=', '$attempt'],
] as const satisfies Guard[];

/** An overdue job is shown as TIMED_OUT to every reader, and stays so. */
const notOverdue = ['$graceStart', '<=', 'executionDeadline'] as const satisfies Guard;

const endsNow = { finishedAt: '$now', expiresAt: { sum: ['$now', 'retention'] }, removeAfter: '$removeAfter' } as const;
const traceOfRun = ['worker', 'startedAt', 'executionDeadline', 'output'] as const satisfies Field[];

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
      attempt: { sum: ['attempt', { value: 1 }] },
      startedAt: '$now',
      executionDeadline: { sum: ['executionTimeout', '$now'] },
    },
    remove: [],
  },
  /** It waited longer than its `policy.ttl`. */
  expire: {
    from: ['IN_QUEUE'],
    to: 'TIMED_OUT',
    when: [['queueDeadline', '<=', '$now']],
    set: {
      code: { value: 'QUEUE_TTL_EXPIRED' },
      finishedAt: 'queueDeadline',
      expiresAt: { sum: ['queueDeadline', 'retention'] },
    },
    remove: [],
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
    remove: [],
  },
  /** The client cancels it while it waits. */
  cancelQueued: {
    from: ['IN_QUEUE'],
    to: 'CANCELLED',
    when: [
      ['$now', '<', 'queueDeadline'],
      ['generation', '>=', '$generation'],
    ],
    set: { ...endsNow, code: { value: 'CANCELLED' } },
    remove: [],
  },
  /** The client cancels it while it runs; its worker stops it within a second or two. */
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
  /** The worker delivers its output; the bytes are stored before this. */
  complete: {
    from: ['IN_PROGRESS'],
    to: 'COMPLETED',
    when: [...heldByReporter, notOverdue],
    set: { ...endsNow, output: '$output', chunks: '$chunks' },
    remove: [],
  },
  /** The worker reports an error. */
  fail: {
    from: ['IN_PROGRESS'],
    to: 'FAILED',
    when: [...heldByReporter, notOverdue],
    set: { ...endsNow, code: '$code', error: '$error', output: '$output', chunks: '$chunks' },
    remove: [],
  },
  /** It ran longer than its `policy.executionTimeout`. */
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
   * Its worker is lost, and it may start once more. Its wait begins again: the loss is the service's, not the client's.
   * It joins the present generation, because a purge that found it running was not meant for it.
   */
  requeue: {
    from: ['IN_PROGRESS'],
    to: 'IN_QUEUE',
    when: [...heldByReporter, notOverdue, ['$leaseEnds', '<', '$now'], ['attempt', '<', 'attemptLimit']],
    set: {
      queueDeadline: { sum: ['queueTtl', '$now'] },
      rescues: { sum: ['rescues', { value: 1 }] },
      generation: '$generation',
    },
    remove: [...traceOfRun],
  },
  /** Its worker is lost for the last time. */
  lose: {
    from: ['IN_PROGRESS'],
    to: 'FAILED',
    when: [...heldByReporter, notOverdue, ['$leaseEnds', '<', '$now'], ['attempt', '>=', 'attemptLimit']],
    set: { ...endsNow, code: { value: 'WORKER_LOST' }, error: { value: { inline: WORKER_LOST } } },
    remove: ['output'],
  },
  /** The client asks for another run while the result is still kept. */
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
    remove: [...traceOfRun, 'finishedAt', 'expiresAt', 'code', 'error', 'chunks'],
  },
  /** The client wants the result removed sooner, and there is none yet. */
  limitRetention: {
    from: ['IN_QUEUE', 'IN_PROGRESS'],
    when: [
      ['queuedAt', '=', '$queuedAt'],
      ['$retention', '<', 'retention'],
    ],
    set: { retention: '$retention' },
    remove: [],
  },
  /** The client wants the result removed sooner. */
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

/** The `$names` that occur anywhere in a row. */
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
