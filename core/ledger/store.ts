import type { Counters } from '../endpoints/counts.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { ArrivalChange, ArrivalDelta, QueueName } from './arrivals.ts';

export interface Added {
  /** Changes that were not added yet. */
  readonly left: readonly SequencedChange[];
  /** Arrivals of the last batch that is stored with the counts: its writer may not have added them to `Arrivals`. */
  readonly arrivals?: ArrivalChange;
}

/** The counters of all endpoints, kept up to date from the stream of the jobs table. */
export interface Ledger {
  /**
   * Adds a batch of the stream to the counts of one partition, unless some of it was added before: then it adds
   * nothing, and returns the changes that are left. Repeated calls add each change once, however the batches are cut.
   * @param changes in the order of the stream
   */
  add(partition: string, changes: readonly SequencedChange[]): Promise<Added>;
  /** Removes counters of an endpoint, if they exist. */
  forget(endpoint: string, counters: readonly string[]): Promise<void>;
  /** Adds a missing difference to the counts, unless they were reconciled again since `endpoint` was read. */
  correct(endpoint: Endpoint, missing: Counters, now: number): Promise<boolean>;
}

/** The numbers of waiting jobs, by their arrival. */
export interface Arrivals {
  /** Adds a change that the ledger has stored; a second call changes nothing. */
  add(partition: string, change: ArrivalChange): Promise<void>;
  /**
   * Returns how many waiting jobs of the queue arrived in an earlier span than that of `time`, as of at most
   * `ENDPOINT_CACHE` ms ago. Its work does not depend on their number. It ignores jobs that arrived more than the
   * longest ttl ago.
   */
  countBefore(queue: QueueName, time: number): Promise<number>;
}

/** A change, and its place in the stream: a text that sorts as the stream does. */
export interface SequencedChange {
  readonly sequence: string;
  readonly delta: Counters;
  readonly arrivals: ArrivalDelta;
}
