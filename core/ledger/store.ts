import type { Counters } from '../endpoints/counts.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { ArrivalChange, ArrivalDelta, QueueName } from './arrivals.ts';

export interface Added {
  /** Changes that have not been added yet. */
  readonly left: readonly SequencedChange[];
  /**
   * Arrivals of the last batch, stored with the counts, because its writer might not have added them to
   * `Arrivals`.
   */
  readonly arrivals?: ArrivalChange | undefined;
}

/** The counters of all endpoints, kept up to date from the stream of the jobs table. */
export interface Ledger {
  /**
   * Adds a batch of the stream to the counts of one partition. If part of it was added before, adds nothing and
   * returns the remaining changes. Repeated calls add each change once, for any batch boundaries.
   * @param changes in the order of the stream
   */
  add(partition: string, changes: readonly SequencedChange[]): Promise<Added>;
  /** Removes counters of an endpoint, if they exist. */
  forget(endpoint: string, counters: readonly string[]): Promise<void>;
  /** Adds a difference to the counts, unless they have been reconciled since `endpoint` was read. */
  correct(endpoint: Endpoint, missing: Counters, now: number): Promise<boolean>;
}

/** The numbers of waiting jobs by their arrival. */
export interface Arrivals {
  /**
   * Adds changes that the ledger has stored, by partition; a second call changes nothing, also with the changes of
   * other partitions.
   */
  add(endpoint: string, changes: ReadonlyMap<string, ArrivalChange>): Promise<void>;
  /**
   * Returns how many waiting jobs of the queue arrived in an earlier span than that of `time`, as of at most
   * `ENDPOINT_CACHE` ms ago. The cost does not depend on the number of jobs. Jobs that arrived more than the
   * longest ttl ago are ignored.
   */
  countBefore(queue: QueueName, time: number): Promise<number>;
  /**
   * Returns the time at which the span of the earliest waiting job of the queue began, as of at most `ENDPOINT_CACHE`
   * ms ago, or undefined if no job waits. The cost does not depend on the number of jobs. Jobs that arrived more than
   * the longest ttl ago are ignored.
   */
  earliest(queue: QueueName): Promise<number | undefined>;
}

/** A change and its sequence, a string that sorts in the order of the stream. */
export interface SequencedChange {
  readonly sequence: string;
  readonly delta: Counters;
  readonly arrivals: ArrivalDelta;
}
