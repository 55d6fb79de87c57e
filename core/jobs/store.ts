/** Ports that store jobs, their payloads and their secrets. */
import type { Job, JobKey, QueuedJob } from './job.ts';
import type { FactsOf, MoveName, ReportName } from './transitions.ts';

/** The result of a transition that did not take place. */
export interface Refused {
  readonly moved: false;
  /** The stored job, which does not permit the transition. Undefined if the job does not exist. */
  readonly job?: Job | undefined;
  /** Whether the call was repeated. If so, the stored job can be the result of an attempt with a lost response. */
  readonly repeated: boolean;
}
export type Moved = { readonly moved: true; readonly job: Job } | Refused;
export type Reported = { readonly moved: true } | Refused;

export interface Jobs {
  /** Stores a new job. A second call with the same job changes nothing. */
  create(job: QueuedJob): Promise<void>;
  /** Returns the job by a strongly consistent read: it exists as soon as `create` has returned. */
  read(key: JobKey): Promise<Job | undefined>;
  /**
   * Reads up to `pollLimits.batch` different jobs, strongly consistent.
   * @returns the jobs in the order of the keys, and `not read` for each job whose partition is throttled
   */
  readMany(keys: readonly JobKey[]): Promise<readonly (Job | 'not read' | undefined)[]>;
  /** Performs the transition in one conditional write. */
  move<Name extends MoveName>(name: Name, key: JobKey, facts: FactsOf<Name>): Promise<Moved>;
  /** As `move`, but without the changed job, which the worker that reports it does not need. */
  report<Name extends ReportName>(name: Name, key: JobKey, facts: FactsOf<Name>): Promise<Reported>;
  /** Yields all stored jobs of the endpoint, unsorted. */
  list(endpoint: string): AsyncIterable<Job>;
  /**
   * Yields the jobs of the endpoint, newest first, strongly consistent.
   * @param before the order (`orderOf`) of a job; only older jobs are returned
   */
  newest(endpoint: string, before?: string): AsyncIterable<Job>;
}

/** Payloads of some KB, which are too large for the job itself, by job and a name such as `output#2`. */
export interface Payloads {
  write(key: JobKey, name: string, text: string, removeAfter: number): Promise<void>;
  read(key: JobKey, name: string): Promise<string>;
}

/**
 * Payloads that are too large for the payload table, in UTF-8, by key. The bucket removes them at the end of their
 * lifetime.
 */
export interface Objects {
  write(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * Reads an object.
   * @param reserve called with the length before the content is loaded; throws to prevent loading
   */
  read(key: string, reserve?: (bytes: number) => void): Promise<Uint8Array>;
}

/** A job names a payload that is not stored. */
export class PayloadMissing extends Error {
  override readonly name = 'PayloadMissing';
}

/** Seals and opens texts that only the workers of a job's endpoint can read. */
export interface Secrets {
  /** Returns the text, encrypted so that only the workers of the job's endpoint can read it. */
  seal(key: JobKey, text: string): Promise<string>;
  /**
   * Returns the text in a sealed text of the job.
   * @throws if the text is not sealed or was sealed for another job
   */
  open(key: JobKey, sealed: string): Promise<string>;
}
