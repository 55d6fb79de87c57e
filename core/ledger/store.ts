import type { Counters } from '../endpoints/counts.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { ArrivalChange, ArrivalDelta, QueueName } from './arrivals.ts';

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

/** A change, and the place of its record in the stream: texts that sort as the stream does. */
export interface SequencedChange {
  readonly sequence: string;
  readonly delta: Counters;
  readonly arrivals: ArrivalDelta;
}
