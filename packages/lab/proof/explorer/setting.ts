/** The setting of a walk: the transition table, the protocol of the use-cases, and the bounds. */
import type { Table } from '../../../../core/jobs/machine.ts';
import { transitions } from '../../../../core/jobs/transitions.ts';

/** The precautions. Each is true in the product, and false in a walk without it. */
export interface Protocol {
  /** A reader of a job whose time is over stores the final status before it answers. */
  readonly finalizesOnRead: boolean;
  /** A retry sends a delayed message before its write, and an immediate one after it. */
  readonly insuresRetry: boolean;
  /**
   * After a take, a worker reads the generation again. If a purge has removed the job meanwhile, the worker
   * requeues it.
   */
  readonly rechecksGeneration: boolean;
  /** A worker deletes a message only after a beat has named the job in the lease. */
  readonly namesBeforeDrop: boolean;
  /** A worker that receives a job whose time is over stores the final status before it deletes the message. */
  readonly finalizesBeforeDrop: boolean;
  /** A worker whose rescue was refused reads the job again before it treats its message as stale. */
  readonly looksAgain: boolean;
  /**
   * A worker that rescues a job sends a message first, as the sweeper does, because another worker might have the
   * old message.
   */
  readonly rescuesWithMessage: boolean;
  /** A submission is acknowledged only after its message was sent. */
  readonly sendsBeforeAck: boolean;
  /** A requeued job gets its message before its status changes. */
  readonly messagesBeforeRequeue: boolean;
  /** A retry checks that the result has not expired. */
  readonly checksExpiry: boolean;
  /** The sweeper requeues only the jobs of ended leases. */
  readonly checksLease: boolean;
  /** The sweeper skips a job that started after the lease had ended, because its worker has a newer lease. */
  readonly checksStart: boolean;
  /** A purge answers when no caller uses the old generation. */
  readonly waitsForPermits: boolean;
  /** A purge counts the jobs that it removes when no caller uses the old generation. */
  readonly countsAfterWait: boolean;
  /** The output is stored before the job is COMPLETED. */
  readonly storesOutputFirst: boolean;
  /** Jobs are read with strong consistency. */
  readonly readsStrongly: boolean;
}

/** Assumptions about AWS. With other values, the walk shows which invariant breaks. */
export interface Surroundings {
  /** Writes that began under the old generation and may be executed after the purge has answered. */
  readonly acrossPurge: 'none' | 'takes' | 'all';
  /** Whether a delayed message can become visible before the retry's write was executed. */
  readonly earlyInsurance: boolean;
  /** Whether a receipt can delete a message that another worker has received later. */
  readonly oldReceiptsDelete: boolean;
}

export interface Bounds {
  readonly jobs: 1 | 2;
  readonly workers: 1 | 2;
  /** Maximum number of writes in flight, and their longest delay in ticks. */
  readonly calls: number;
  readonly lateness: number;
  /** Maximum number of messages. */
  readonly messages: number;
  /** Maximum number of attempts of a job. */
  readonly attempts: number;
  /**
   * Total number of crashes, pauses, late writes, writes that time out or are executed twice, and messages that
   * become visible early.
   */
  readonly faults: number;
  readonly retries: number;
  readonly cancels: number;
  readonly purges: 0 | 1;
  /** Number of times that a client shortens the retention of a result. */
  readonly shortenings: number;
  /** Number of requeues by a living worker. */
  readonly requeues: number;
  readonly progress: boolean;
  /** The durations below are in ticks. */
  readonly ttl: number;
  readonly executionTimeout: number;
  readonly retention: number;
  /** The retention that a client requests, in ticks. */
  readonly resultTtl: number;
  readonly lease: number;
  /** Maximum number of states. A walk that stops at this number reports that. */
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
  finalizesBeforeDrop: true,
  looksAgain: true,
  rescuesWithMessage: true,
  sendsBeforeAck: true,
  messagesBeforeRequeue: true,
  checksExpiry: true,
  checksLease: true,
  checksStart: true,
  waitsForPermits: true,
  countsAfterWait: true,
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
  // A run that has timed out is read two ticks after its deadline, and its result must still be kept.
  retention: 3,
  resultTtl: 2,
  lease: 1,
  states: 2_000_000,
};

/** Returns the product's setting with small bounds and these changes. */
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
