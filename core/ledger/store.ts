/** The stores of what is counted of jobs, and of when they become due. */
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { ArrivalChange, QueueName } from './arrivals.ts';
import type { Counters, SequencedChange } from './counters.ts';
import type { Due, DueJobs } from './due.ts';

export interface Added {
  /** What was not added yet. */
  readonly left: readonly SequencedChange[];
  /** What the counts hold of `Arrivals` that were noted with them last: whoever added those may not have come to these. */
  readonly arrivals?: ArrivalChange;
}

/** The counters of all endpoints, kept up to date from the stream of the jobs table. */
export interface Ledger {
  /**
   * Adds what a batch of the stream changes in the counts of one partition, unless some of it was added before: then it
   * adds nothing, and says what is left. Calls that follow add all of it once, however the batches are cut.
   * @param changes in the order of the stream
   */
  add(partition: string, changes: readonly SequencedChange[]): Promise<Added>;
  /** Removes counters of an endpoint, if they are there. */
  forget(endpoint: string, counters: readonly string[]): Promise<void>;
  /** Adds to the counts what an audit found missing, unless there was another audit since. */
  correct(endpoint: Endpoint, missing: Counters, now: number): Promise<boolean>;
}

/** How many jobs wait, by when they came. */
export interface Arrivals {
  /** Adds a change that the ledger has noted; a second time it changes nothing. */
  add(partition: string, change: ArrivalChange): Promise<void>;
  /**
   * How many jobs wait in the queue that came in an earlier span than that of `time`, at most `ENDPOINT_CACHE` ms ago.
   * Its work does not depend on how many they are. Jobs that came more than the longest ttl ago are left out.
   */
  countBefore(queue: QueueName, time: number): Promise<number>;
}

/** When jobs become due: their wait ends, or their run. Kept by the minute, so that a sweep reads what is due alone. */
export interface Deadlines {
  /** @param batch names the entries: the same ones under the same name are stored once */
  note(endpoint: string, batch: string, dues: readonly Due[]): Promise<void>;
  /** All that is due by `now`, the earliest first. */
  due(endpoint: string, now: number): AsyncIterable<DueJobs>;
  forget(dueJobs: DueJobs): Promise<void>;
}
