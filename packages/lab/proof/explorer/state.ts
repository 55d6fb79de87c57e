/** The states that the explorer visits: one or two jobs and workers, one endpoint, and its clients. */
import type { Job } from '../../../../core/jobs/job.ts';
import { accept } from '../../../../core/jobs/machine.ts';
import type { FactValues, TransitionName } from '../../../../core/jobs/transitions.ts';
import { REPORT_GRACE } from '../../../../core/limits.ts';
import type { Bounds } from './setting.ts';

/** Length of a tick in milliseconds. It is the grace of reports, which is the only fixed duration in the rules. */
export const TICK = REPORT_GRACE;
/** Start of the clock. It is far from zero, because a lease end of 0 means long ago. */
const START = 1_000 * TICK;

/** An index into `State.workers`, or the number of a caller that is not a worker. */
export type Caller = number;
export const CLIENT: Caller = -1;
export const SWEEPER: Caller = -2;

/** Purpose of a write. It determines what the caller does with the answer. */
export type Purpose =
  | 'submit'
  | 'take'
  | 'rescue'
  | 'finalize for drop'
  | 'progress'
  | 'report'
  | 'requeue'
  | 'cancel'
  | 'retry'
  | 'shorten'
  | 'answer'
  | 'finalize'
  | 'sweeper requeue';

/** A conditional write in flight, with the facts that its use-case has read. */
export interface Call {
  readonly by: Caller;
  readonly purpose: Purpose;
  readonly name: TransitionName | 'create';
  readonly job: number;
  readonly facts: Partial<FactValues> & { readonly $now: number };
  /** Time at which the use-case read the clock. */
  readonly readAt: number;
  /** Whether the worker's lease has ended since the use-case read the clock. */
  readonly lapsed: boolean;
  /** Generation of the endpoint that the caller has read. */
  readonly generation: number;
  /** Whether the write began after the purge had answered. */
  readonly afterPurge: boolean;
  /** Whether the caller still waits for the answer. */
  readonly heard: boolean;
}

export interface Message {
  readonly job: number;
  readonly attempt: number;
  /** Time at which the message becomes visible, or a past time if it is visible. */
  readonly until: number;
  /** The worker that last received the message, or its sender. */
  readonly by: Caller;
}

/** A job that a worker assumes to hold. */
export interface Held {
  readonly job: number;
  readonly attempt: number;
  readonly generation: number;
  /** Whether the handler has the job. */
  readonly started: boolean;
  /** Whether the worker still has to delete the message. */
  readonly message: boolean;
  /** Whether a beat has named the job, so that the worker can delete the message. */
  readonly named: boolean;
  /** Whether the output is durable. */
  readonly stored: boolean;
  /**
   * Whether the job is being requeued. A new message or the old one will point to the job. The worker takes no
   * other step with it.
   */
  readonly leaving: boolean;
}

export type Doing =
  | { readonly at: 'waiting' }
  | { readonly at: 'dropping'; readonly job: number }
  | { readonly at: 'showing'; readonly job: number }
  | {
      readonly at: 'rescuing';
      readonly job: number;
      /** Worker and attempt of the job that the refused take returned, and the lease of that worker. */
      readonly from: string;
      readonly attempt: number;
      readonly leaseEnds: number;
      readonly generation: number;
    }
  | { readonly at: 'finalizing'; readonly job: number; readonly generation: number }
  | { readonly at: 'taking again'; readonly job: number; readonly generation: number }
  | { readonly at: 'storing late'; readonly job: number; readonly attempt: number };

export interface Worker {
  readonly alive: boolean;
  readonly lease?: { readonly endsAt: number; readonly jobs: readonly number[] } | undefined;
  readonly held?: Held | undefined;
  readonly doing?: Doing | undefined;
}

/** A job, the state of its clients, and the monitor's history of it. */
export interface Tracked {
  readonly stored?: Job | undefined;
  /** The previous version, which a stale read can return. */
  readonly before?: Job | undefined;
  readonly client: 'absent' | 'submitting' | 'stored' | 'idle' | 'retrying' | 'retried';
  readonly acknowledged: boolean;
  /** The final status that a client has read, and the call that returned it. */
  readonly answer?: string | undefined;
  readonly answeredBy?: 'read' | 'cancel' | undefined;
  /** Whether the output of the current attempt is durable. */
  readonly durable: boolean;
  /** Whether the handler of the current attempt has started. */
  readonly started: boolean;
  /** Whether the holder's lease has ended during the current attempt. */
  readonly lapsed: boolean;
  /** Status of the job at the purge, and what the purge does with it. */
  readonly cut: 'none' | 'waiting' | 'running' | 'removed' | 'spared';
  /** Whether the response of the purge includes the job. Absent before the response. */
  readonly counted?: boolean | undefined;
}

export interface Left {
  /**
   * Total number of crashes, pauses, late writes, writes that time out or are executed twice, and messages that
   * become visible early.
   */
  readonly faults: number;
  readonly retries: number;
  readonly cancels: number;
  readonly shortenings: number;
  readonly requeues: number;
}

export interface State {
  readonly now: number;
  readonly generation: number;
  readonly purgedAt: number;
  readonly purge: 'none' | 'called' | 'returned';
  /** Whether a caller might still use the previous generation. */
  readonly stale: boolean;
  readonly jobs: readonly Tracked[];
  readonly messages: readonly Message[];
  readonly workers: readonly Worker[];
  readonly calls: readonly Call[];
  /** The worker whose ended lease the sweeper handles, and the facts that the sweeper has read. */
  readonly sweep?:
    | {
        readonly worker: number;
        readonly endsAt: number;
        readonly leaseEnds: number;
        readonly generation: number;
        readonly job?: number | undefined;
        readonly resent: boolean;
      }
    | undefined;
  /** Remaining number of each event. */
  readonly left: Left;
}

export const jobName = (job: number) => 'AB'.charAt(job);
export const workerName = (worker: number) => `w${worker + 1}`;
export const workerOf = (name: string) => Number(name.slice(1)) - 1;

export function initialState(bounds: Bounds): State {
  const { faults, retries, cancels, shortenings, requeues } = bounds;
  const unknown: Tracked = {
    client: 'absent',
    acknowledged: false,
    durable: false,
    started: false,
    lapsed: false,
    cut: 'none',
  };
  return {
    now: START,
    generation: 0,
    purgedAt: 0,
    purge: 'none',
    stale: false,
    jobs: Array.from({ length: bounds.jobs }, () => unknown),
    messages: [],
    workers: Array.from({ length: bounds.workers }, () => ({ alive: true })),
    calls: [],
    left: { faults, retries, cancels, shortenings, requeues },
  };
}

export const newJob = (job: number, now: number, generation: number, bounds: Bounds): Job =>
  accept({
    endpoint: 'echo',
    id: jobName(job),
    kind: 'run',
    owner: 'o',
    lowPriority: false,
    generation,
    attempt: 0,
    attemptLimit: bounds.attempts,
    rescues: 0,
    retries: 0,
    acceptedAt: now,
    queuedAt: now,
    queueTtl: bounds.ttl * TICK,
    queueDeadline: now + bounds.ttl * TICK,
    executionTimeout: bounds.executionTimeout * TICK,
    retention: bounds.retention * TICK,
    removeAfter: 1,
    input: { inline: `{"job":"${jobName(job)}"}` },
  });

export const at = <T>(list: readonly T[], index: number): T => {
  const item = list[index];
  if (item === undefined) throw new Error(`The list has no item ${index}.`);
  return item;
};

/** Reduces the remaining number of an event, by default of faults. */
export const spent = (state: State, what: keyof Left = 'faults'): State => ({
  ...state,
  left: { ...state.left, [what]: state.left[what] - 1 },
});

export const withJob = (state: State, job: number, change: Partial<Tracked>): State => ({
  ...state,
  jobs: state.jobs.with(job, { ...at(state.jobs, job), ...change }),
});

export const withWorker = (state: State, worker: number, change: Partial<Worker>): State => ({
  ...state,
  workers: state.workers.with(worker, { ...at(state.workers, worker), ...change }),
});
