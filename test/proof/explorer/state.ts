/** What the explorer walks over: everything that two jobs, two workers, one endpoint and their clients can be in. */
import type { Job } from '../../../core/jobs/job.ts';
import { accept } from '../../../core/jobs/machine.ts';
import type { FactValues, TransitionName } from '../../../core/jobs/transitions.ts';
import { REPORT_GRACE } from '../../../core/limits.ts';
import type { Bounds } from './setting.ts';

/** The explorer's clock moves in steps of the grace, the one duration that is fixed in the rules themselves. */
export const TICK = REPORT_GRACE;
/** Far from zero, because a lease that ended at 0 has ended long ago. */
const START = 1_000 * TICK;

/** An index into `State.workers`, or one of the callers that are no worker. */
export type Caller = number;
export const CLIENT: Caller = -1;
export const SWEEPER: Caller = -2;

/** What the caller does once it knows how its write went. */
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

/** A conditional write on its way, with the facts as they were when its use-case read them. */
export interface Call {
  readonly by: Caller;
  readonly purpose: Purpose;
  readonly name: TransitionName | 'create';
  readonly job: number;
  readonly facts: Partial<FactValues> & { readonly $now: number };
  /** When its use-case read the clock. */
  readonly readAt: number;
  /** Whether its worker's lease has ended since then. */
  readonly lapsed: boolean;
  /** The endpoint's generation as the caller read it. */
  readonly generation: number;
  /** Invoked after the purge had returned. */
  readonly afterPurge: boolean;
  /** Whether its caller still waits for the answer. */
  readonly heard: boolean;
}

export interface Message {
  readonly job: number;
  readonly attempt: number;
  /** When it shows; in the past once it does. */
  readonly until: number;
  /** The worker that received it last. */
  readonly by: Caller;
}

/** A job that a worker believes to hold. */
export interface Held {
  readonly job: number;
  readonly attempt: number;
  readonly generation: number;
  /** The handler has got it. */
  readonly started: boolean;
  /** The message has not been dropped yet. */
  readonly message: boolean;
  /** A beat has named the job, so the message is about to be dropped. */
  readonly named: boolean;
  /** The output is durable. */
  readonly stored: boolean;
  /** Being requeued: a new message, or the old one, will point to it; nothing else may happen to it. */
  readonly leaving: boolean;
}

export type Doing =
  | { readonly at: 'waiting' }
  | { readonly at: 'dropping'; readonly job: number }
  | { readonly at: 'showing'; readonly job: number }
  | {
      readonly at: 'rescuing';
      readonly job: number;
      /** The job as the refused take has returned it, and its holder's lease as read. */
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

/** A job, what its clients do and know, and what the monitor remembers of it. */
export interface Tracked {
  readonly stored?: Job;
  /** The version before, where reads may be stale. */
  readonly before?: Job;
  readonly client: 'absent' | 'submitting' | 'stored' | 'idle' | 'retrying' | 'retried';
  readonly acknowledged: boolean;
  /** The end that a client has read, and by which call. */
  readonly answer?: string;
  readonly answeredBy?: 'read' | 'cancel';
  /** Whether the output of the present attempt is durable. */
  readonly durable: boolean;
  /** Whether the handler of the present attempt has started. */
  readonly started: boolean;
  /** Whether the holder's lease has ended at some time during the present attempt. */
  readonly lapsed: boolean;
  /** Where the purge found it: to be removed, or not to be touched. */
  readonly cut: 'none' | 'waiting' | 'running' | 'removed' | 'spared';
}

export interface Left {
  /**
   * Crashes, pauses, writes that are late, that time out or that land twice, messages that show early: all together.
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
  /** Whether a caller may still use the generation before. */
  readonly stale: boolean;
  readonly jobs: readonly Tracked[];
  readonly messages: readonly Message[];
  readonly workers: readonly Worker[];
  readonly calls: readonly Call[];
  /** The worker whose ended lease the sweeper looks at, and what it has read. */
  readonly sweep?: {
    readonly worker: number;
    readonly endsAt: number;
    readonly leaseEnds: number;
    readonly generation: number;
    readonly job?: number;
    readonly resent: boolean;
  };
  /** How much of each may still happen. */
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

/** One fault less. */
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
