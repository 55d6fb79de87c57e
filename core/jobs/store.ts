/** The stores of jobs, of their texts, and of their secrets. */
import type { Job, JobKey, QueuedJob } from './job.ts';
import type { FactsOf, TransitionName } from './transitions.ts';

/**
 * Whether a transition took place. If not, `job` is the stored job that does not permit it, or undefined if there is no
 * job. If the call was `repeated`, that job may be the result of an earlier attempt whose response was lost.
 */
export type Moved =
  | { readonly moved: true; readonly job: Job }
  | { readonly moved: false; readonly job?: Job; readonly repeated: boolean };

export interface Jobs {
  /** Stores a new job. A second call with the same job changes nothing. */
  create(job: QueuedJob): Promise<void>;
  /** The job as stored, strongly consistent: it is there as soon as `create` has returned. */
  read(key: JobKey): Promise<Job | undefined>;
  /**
   * Reads up to `lookLimits.batch` different jobs as `read` does.
   * @returns them in the order of the keys, and `not read` for each job whose partition is too busy
   */
  readMany(keys: readonly JobKey[]): Promise<readonly (Job | 'not read' | undefined)[]>;
  /** Takes the transition in one conditional write. */
  move<Name extends TransitionName>(name: Name, key: JobKey, facts: FactsOf<Name>): Promise<Moved>;
  /** Every stored job of the endpoint, in no order. */
  list(endpoint: string): AsyncIterable<Job>;
  /**
   * The jobs of the endpoint, the newest first, strongly consistent.
   * @param before the order (`orderOf`) after which they begin
   */
  newest(endpoint: string, before?: string): AsyncIterable<Job>;
}

/** Texts too large for the job itself, up to some KB, under the job and a name such as `output#2`. */
export interface Payloads {
  write(key: JobKey, name: string, text: string, removeAfter: number): Promise<void>;
  read(key: JobKey, name: string): Promise<string>;
}

/** Texts too large for the payload table, in UTF-8, by key. The bucket removes them when their days are over. */
export interface Objects {
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** @param reserve is called with the length before the content is loaded; it throws to prevent that */
  read(key: string, reserve?: (bytes: number) => void): Promise<Uint8Array>;
}

/** Texts that only the workers of a job's endpoint may read. */
export interface Secrets {
  /** @returns the sealed text, to be stored */
  seal(key: JobKey, text: string): Promise<string>;
  /** @throws if it was sealed for another job, or not at all */
  open(key: JobKey, sealed: string): Promise<string>;
}
