/** Marks by which one worker of an endpoint does what the others leave to it, such as to measure the volume. */

export interface WorkerMark {
  readonly worker: string;
  /** Until when no other worker does it, in milliseconds since the epoch. */
  readonly until: number;
}

/** The marks of one kind: each endpoint has at most one that holds. */
export interface WorkerMarks {
  /** Stores the mark, unless there is one that holds beyond `now`; all workers get the one that holds. */
  hold(endpoint: string, mark: WorkerMark, now: number): Promise<WorkerMark>;
  set(endpoint: string, mark: WorkerMark): Promise<void>;
}

/** Whether the mark that holds is the one that this worker wanted to set. */
export const isSame = (one: WorkerMark, other: WorkerMark): boolean =>
  one.worker === other.worker && one.until === other.until;
