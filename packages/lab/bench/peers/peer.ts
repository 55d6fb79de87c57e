/** What the benchmark needs of a peer. Each peer has its own file, which names its settings. */

/** `waiting` until the job has ended. `unknown` if the peer does not know the job. */
export type Outcome = 'waiting' | 'done' | 'failed' | 'unknown';

export interface Running {
  /** Returns the ids of the peer's processes. Their descendants also belong to the peer. */
  pids(): readonly number[];
  /**
   * Submits a job that takes `ms` milliseconds, and returns its id. With `isSync`, the promise resolves when the job
   * has ended.
   * @throws Error unless the peer acknowledges the job
   */
  submit(ms: number): Promise<string>;
  outcome(id: string): Promise<Outcome>;
  readonly isSync?: boolean;
  /** Functions that kill a part with SIGKILL and start it again, by the name of the part. */
  readonly parts: Readonly<Record<string, () => Promise<void>>>;
  stop(): Promise<void>;
}

export interface Peer {
  /** Name for `--only`. */
  readonly name: string;
  readonly title: string;
  /** The settings that decide what a kill loses, a phrase each. */
  readonly settings: readonly string[];
  /** Returns a sentence that names the missing program and its package; undefined if all programs are installed. */
  missing(): string | undefined;
  /** @param folder folder of all data, which a further start continues with. It contains the log of executions. */
  start(folder: string): Promise<Running>;
  /** Returns the price of a million jobs with 3 polls each, in dollars. Called after a measured run has stopped. */
  dollars?(folder: string): number;
}

/** Name of the log of executions in the folder of a peer. */
export const EXECUTIONS = 'executions.jsonl';

/** Number of jobs that a peer runs at the same time. */
export const CONCURRENCY = 3;
/** Number of polls of a job whose price is stated. */
export const PRICED_POLLS = 3;
