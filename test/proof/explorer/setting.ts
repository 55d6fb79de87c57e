/** The setting of a walk: the table, the protocol of the use-cases, and the bounds. */
import type { Table } from '../../../core/jobs/machine.ts';
import { transitions } from '../../../core/jobs/transitions.ts';

/** The precautions. Each is true in the product; false removes it. */
export interface Protocol {
  /** A reader that finds a job that has ended by the clock stores its end before it answers. */
  readonly finalizesOnRead: boolean;
  /** A retry sends a delayed message before its write, and another one after it. */
  readonly insuresRetry: boolean;
  /** A worker reads the generation again after its take, and requeues a job that a purge has removed meanwhile. */
  readonly rechecksGeneration: boolean;
  /** A message is dropped only after a beat has named the job in the lease. */
  readonly namesBeforeDrop: boolean;
  /** A worker that finds a job that has ended by the clock stores its end before it drops the message. */
  readonly settlesBeforeDrop: boolean;
  /** A worker whose rescue was refused reads the job again before it treats its message as stale. */
  readonly looksAgain: boolean;
  /** A worker that rescues a job sends a message first, as the sweeper does: another worker may have its own. */
  readonly rescuesWithMessage: boolean;
  /** A submission is acknowledged after its message was sent. */
  readonly sendsBeforeAck: boolean;
  /** A requeued job gets its message before its status changes. */
  readonly messagesBeforeRequeue: boolean;
  /** A retry checks whether the result is still kept. */
  readonly checksExpiry: boolean;
  /** The sweeper requeues only the jobs of ended leases. */
  readonly checksLease: boolean;
  /** The sweeper skips a job that started after the lease had ended, because its worker has a newer lease. */
  readonly checksStart: boolean;
  /** A purge answers once no caller uses the old generation. */
  readonly waitsForPermits: boolean;
  /** The output is stored before the job is COMPLETED. */
  readonly storesOutputFirst: boolean;
  /** Jobs are read with strong consistency. */
  readonly readsStrongly: boolean;
}

/** Assumptions about the surroundings. With another value, the walk shows which invariant breaks. */
export interface Surroundings {
  /** The writes, begun under the old generation, that may land after the purge has returned. */
  readonly acrossPurge: 'none' | 'takes' | 'all';
  /** Whether a delayed message can become visible before the write that it insures has landed. */
  readonly earlyInsurance: boolean;
  /** Whether a receipt still deletes a message that another worker has received since. */
  readonly oldReceiptsDelete: boolean;
}

export interface Bounds {
  readonly jobs: 1 | 2;
  readonly workers: 1 | 2;
  /** Writes in flight at the same time, and their longest delay in ticks. */
  readonly calls: number;
  readonly lateness: number;
  /** Most messages at the same time. */
  readonly messages: number;
  /** Attempts that a submission allows. */
  readonly attempts: number;
  /**
   * Total of crashes, pauses, late writes, writes that time out or land twice, and messages that become visible early.
   */
  readonly faults: number;
  readonly retries: number;
  readonly cancels: number;
  readonly purges: 0 | 1;
  /** Number of times that a client lets a result expire sooner. */
  readonly shortenings: number;
  /** Number of requeues by a living worker. */
  readonly requeues: number;
  readonly progress: boolean;
  /** These durations are in ticks. */
  readonly ttl: number;
  readonly executionTimeout: number;
  readonly retention: number;
  /** The longest time that a client wants a result kept, in ticks. */
  readonly resultTtl: number;
  readonly lease: number;
  /** The walk stops at this number of states and reports it. */
  readonly states: number;
}

export interface Setting {
  readonly table: Table;
  readonly protocol: Protocol;
  readonly surroundings: Surroundings;
  readonly bounds: Bounds;
}

export const product: Protocol = {
  finalizesOnRead: true,
  insuresRetry: true,
  rechecksGeneration: true,
  namesBeforeDrop: true,
  settlesBeforeDrop: true,
  looksAgain: true,
  rescuesWithMessage: true,
  sendsBeforeAck: true,
  messagesBeforeRequeue: true,
  checksExpiry: true,
  checksLease: true,
  checksStart: true,
  waitsForPermits: true,
  storesOutputFirst: true,
  readsStrongly: true,
};

export const assumed: Surroundings = {
  acrossPurge: 'none',
  earlyInsurance: false,
  oldReceiptsDelete: false,
};

const small: Bounds = {
  jobs: 1,
  workers: 2,
  calls: 1,
  lateness: 1,
  messages: 3,
  attempts: 2,
  faults: 1,
  retries: 1,
  cancels: 1,
  purges: 1,
  shortenings: 0,
  requeues: 1,
  progress: false,
  ttl: 2,
  executionTimeout: 1,
  // An ended run is read two ticks after its deadline, when its result must still be kept.
  retention: 3,
  resultTtl: 2,
  lease: 1,
  states: 2_000_000,
};

/** Returns the product's own setting within small bounds, with these changes. */
export function setting(
  changes: {
    readonly table?: Table;
    readonly protocol?: Partial<Protocol>;
    readonly surroundings?: Partial<Surroundings>;
    readonly bounds?: Partial<Bounds>;
  } = {},
): Setting {
  return {
    table: changes.table ?? transitions,
    protocol: { ...product, ...changes.protocol },
    surroundings: { ...assumed, ...changes.surroundings },
    bounds: { ...small, ...changes.bounds },
  };
}
