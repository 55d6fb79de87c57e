/**
 * The operations of clients, workers and the clockwork, as data. The numbers of jobs and workers are taken modulo
 * their count.
 */

export interface Policy {
  readonly ttl?: number;
  readonly executionTimeout?: number;
  readonly lowPriority?: boolean;
}

/** Sizes of payloads that fit into the job, into the payload table, or into neither. */
export const payloadSizes = { small: 20, medium: 1_000, large: 8_000 } as const;
export type PayloadSize = keyof typeof payloadSizes;

export type ClientOperation =
  | { readonly does: 'run'; readonly size: PayloadSize; readonly kind: 'run' | 'runsync'; readonly policy: Policy }
  | { readonly does: 'status' | 'wait' | 'cancel' | 'retry' | 'foreign'; readonly job: number }
  | { readonly does: 'shorten'; readonly job: number; readonly ttl: number }
  | { readonly does: 'purge' | 'health' };

export type WorkerOperation = { readonly does: 'take' | 'beat' | 'watch'; readonly worker: number } | HeldJobOperation;

/** Operations on a job that the worker holds. */
export type HeldJobOperation =
  | { readonly does: 'requeue'; readonly worker: number }
  | { readonly does: 'progress'; readonly worker: number; readonly size: PayloadSize }
  | { readonly does: 'report'; readonly worker: number; readonly size: PayloadSize; readonly fails: boolean };

export type BackgroundOperation =
  | { readonly does: 'sweep' }
  /** The ledger records changes of the stream, and receives `again` of the recorded changes a second time. */
  | { readonly does: 'record'; readonly max: number; readonly again: number };

export type Operation = ClientOperation | WorkerOperation | BackgroundOperation;

/** Time that a call waits for a job, in milliseconds. */
export const WAIT = 1_000;

/** A time in the life of a job. The clock is moved to it, or to a millisecond before or after it. */
export interface Moment {
  readonly job: number;
  readonly of: 'queueDeadline' | 'executionDeadline' | 'expiresAt';
  readonly by: -1 | 0 | 1;
}

export type Step =
  /** Operations that start at the same time. The schedule decides their order. */
  | { readonly does: 'together'; readonly operations: readonly Operation[] }
  | { readonly does: 'advance'; readonly milliseconds: number }
  | { readonly does: 'reach'; readonly moment: Moment }
  /** A queue delivers a message twice. */
  | { readonly does: 'redeliver'; readonly job: number }
  /** A worker dies and is replaced. */
  | { readonly does: 'kill'; readonly worker: number }
  /** Held calls continue. */
  | { readonly does: 'release' };
