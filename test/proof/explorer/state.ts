/** The states that the explorer visits: of two jobs, two workers, one endpoint and their clients. */
import type { Job } from '../../../core/jobs/job.ts';
import { accept } from '../../../core/jobs/machine.ts';
import type { FactValues, TransitionName } from '../../../core/jobs/transitions.ts';
import { REPORT_GRACE } from '../../../core/limits.ts';
import type { Bounds } from './setting.ts';

/** The explorer's clock moves in steps of the grace, the only duration that the rules fix. */
export const TICK = REPORT_GRACE;
/** Far from zero, because a lease end of 0 means long ago. */
const START = 1_000 * TICK;

/** An index into `State.workers`, or a caller that is not a worker. */
export type Caller = number;
export const CLIENT: Caller = -1;
export const SWEEPER: Caller = -2;

/** The purpose of a write, which decides what the caller does with its answer. */
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
  | 'bring back';

/** A conditional write in flight, with the facts that its use-case has read. */
export interface Call {
  readonly by: Caller;
  readonly purpose: Purpose;
  readonly name: TransitionName | 'create';
  readonly job: number;
  readonly facts: Partial<FactValues> & { readonly $now: number };
  /** The time at which its use-case read the clock. */
  readonly readAt: number;
  /** Whether its worker's lease has ended since then. */
  readonly lapsed: boolean;
  /** The endpoint's generation that the caller has read. */
  readonly generation: number;
  /** Whether the write began after the purge had returned. */
  readonly afterPurge: boolean;
  /** Whether its caller still waits for the answer. */
  readonly heard: boolean;
}

export interface Message {
  readonly job: number;
  readonly attempt: number;
  /** The time at which it becomes visible; in the past once it is. */
  readonly until: number;
  /** The worker that received it last. */
  readonly by: Caller;
}

/** A job that a worker believes it holds. */
export interface Held {
  readonly job: number;
  readonly attempt: number;
  readonly generation: number;
  /** Whether the handler has the job. */
  readonly started: boolean;
  /** Whether the message still has to be dropped. */
  readonly message: boolean;
  /** Whether a beat has named the job, so that the message is about to be dropped. */
  readonly named: boolean;
  /** Whether the output is durable. */
  readonly stored: boolean;
  /** Whether the job is being requeued: a new message or the old one will point to it, and it takes no other step. */
  readonly leaving: boolean;
}

export type Doing =
  | { readonly at: 'waiting' }
  | { readonly at: 'dropping'; readonly job: number }
  | { readonly at: 'showing'; readonly job: number }
  | {
      readonly at: 'rescuing';
      readonly job: number;
      /** The job that the refused take has returned, and its holder's lease as the worker read it. */
      readonly from: string;
      readonly attempt: number;
      readonly leaseEnds: number;
      readonly generation: number;
    }
  | { readonly at: 'settling'; readonly job: number; readonly generation: number }
  | { readonly at: 'taking again'; readonly job: number; readonly generation: number }
  | { readonly at: 'storing late'; readonly job: number; readonly attempt: number };

export interface Worker {
  readonly alive: boolean;
  readonly lease?: { readonly endsAt: number; readonly jobs: readonly number[] };
  readonly held?: Held;
  readonly doing?: Doing;
}

/** A job, the state of its clients, and the monitor's history of it. */
export interface Tracked {
  readonly stored?: Job;
  /** The previous version, where reads may be stale. */
  readonly before?: Job;
  readonly client: 'absent' | 'submitting' | 'stored' | 'idle' | 'retrying' | 'retried';
  readonly acknowledged: boolean;
  /** The end that a client has read, and the call that returned it. */
  readonly answer?: string;
  readonly answeredBy?: 'read' | 'cancel';
  /** Whether the output of the present attempt is durable. */
  readonly durable: boolean;
  /** Whether the handler of the present attempt has started. */
  readonly started: boolean;
  /** Whether the holder's lease has ended during the present attempt. */
  readonly lapsed: boolean;
  /** Where the purge found the job: to be removed, or to be spared. */
  readonly cut: 'none' | 'waiting' | 'running' | 'removed' | 'spared';
}

export interface Left {
  /**
   * Total of crashes, pauses, late writes, writes that time out or land twice, and messages that become visible early.
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
  /** Whether a caller may still use the previous generation. */
  readonly stale: boolean;
  readonly jobs: readonly Tracked[];
  readonly messages: readonly Message[];
  readonly workers: readonly Worker[];
  readonly calls: readonly Call[];
  /** The worker whose ended lease the sweeper handles, and the facts that it has read. */
  readonly sweep?: {
    readonly worker: number;
    readonly endsAt: number;
    readonly leaseEnds: number;
    readonly generation: number;
    readonly job?: number;
    readonly resent: boolean;
  };
  /** The remaining number of each event. */
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
  if (item === undefined) throw new Error(`There is nothing at ${index}.`);
  return item;
};

/** Counts one event, a fault by default, against its remaining number. */
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
