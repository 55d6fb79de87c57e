/** What was added to the history, possibly later than sums of its time. */
export interface LateFact {
  /** Time in whose sums it counts, in milliseconds since the epoch. */
  readonly at: number;
  /** Begin of its run, if a worker ran it. */
  readonly from?: number | undefined;
}
