/** What is explored: the table, how the use-cases keep to the protocol, and how far the walk goes. */
import type { Table } from '../../../core/jobs/machine.ts';
import { transitions } from '../../../core/jobs/transitions.ts';

/** Each is true in the product; false takes one precaution away. */
export interface Protocol {
  /** A reader that finds a job over by the clock stores its end before it answers. */
  readonly finalizesOnRead: boolean;
  /** A retry sends a message that shows later before its write, and another one after it. */
  readonly insuresRetry: boolean;
  /** A worker reads the generation again after its take, and requeues what a purge has removed meanwhile. */
  readonly rechecksGeneration: boolean;
  /** A message is dropped after a beat has named the job in the lease, not before. */
  readonly namesBeforeDrop: boolean;
  /** A worker that finds a job over by the clock stores its end before it drops the message. */
  readonly settlesBeforeDrop: boolean;
  /** A worker whose rescue was refused looks at the job again, before it calls its message stale. */
  readonly looksAgain: boolean;
  /** A worker that rescues a job sends a message first, as the sweeper does: its own may be another worker's by now. */
  readonly rescuesWithMessage: boolean;
  /** A submission is acknowledged after its message was sent. */
  readonly sendsBeforeAck: boolean;
  /** A job that comes back gets its message before it is put into the queue. */
  readonly messagesBeforeRequeue: boolean;
  /** A retry looks whether the result is still kept. */
  readonly checksExpiry: boolean;
  /** The sweeper brings back the jobs of ended leases only. */
  readonly checksLease: boolean;
  /** The sweeper leaves alone a job that started after the lease had ended: then the worker has another one by now. */
  readonly checksStart: boolean;
  /** A purge answers when no caller uses the old generation. */
  readonly waitsForPermits: boolean;
  /** The output is stored before the job is COMPLETED. */
  readonly storesOutputFirst: boolean;
  /** Jobs are read strongly consistent. */
  readonly readsStrongly: boolean;
}

/** What the surroundings are taken to do. Each can be set otherwise, and the walk then shows what it costs. */
export interface Surroundings {
  /** Which writes, begun under the old generation, may land after the purge has returned. */
  readonly acrossPurge: 'none' | 'takes' | 'all';
  /** Whether a message that shows later can show before the write that it insures has landed. */
  readonly earlyInsurance: boolean;
  /** Whether a receipt still deletes a message that another worker has received since. */
  readonly oldReceiptsDelete: boolean;
}

export interface Bounds {
  readonly jobs: 1 | 2;
  readonly workers: 1 | 2;
  /** Writes under way at the same time, and for how many ticks at most. */
  readonly calls: number;
  readonly lateness: number;
  /** Messages at the same time. */
  readonly messages: number;
  /** Starts that a submission allows. */
  readonly attempts: number;
  /**
   * Crashes, pauses, writes that are late, that time out or that land twice, messages that show early: all together.
   */
  readonly faults: number;
  readonly retries: number;
  readonly cancels: number;
  readonly purges: 0 | 1;
  /** Times that a client lets a result expire sooner. */
  readonly shortenings: number;
  /** Jobs that a living worker requeues. */
  readonly requeues: number;
  readonly progress: boolean;
  /** In ticks. */
  readonly ttl: number;
  readonly executionTimeout: number;
  readonly retention: number;
  /** For how long a client wants a result kept at most. */
  readonly resultTtl: number;
  readonly lease: number;
  /** The walk stops here and says so. */
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
  // A run that is over is read two ticks after its deadline: by then its result must still be kept.
  retention: 3,
  resultTtl: 2,
  lease: 1,
  states: 2_000_000,
};

/** The product as it is, within small bounds, unless something is named. */
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
