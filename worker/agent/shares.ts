/** Divides the time of a worker among the jobs that it holds: while it holds n jobs, each has one nth of the time. */

export interface Shares {
  begin(id: string): void;
  /** Returns the job's share until now, in milliseconds, or undefined if it has not begun or has ended. */
  of(id: string): number | undefined;
  end(id: string): void;
}

/**
 * Creates the shares of a worker without jobs.
 * @param elapsed a monotonic clock in milliseconds
 */
export function createShares(elapsed: () => number): Shares {
  // The share that one job would have that began first and has not ended. A job's share is the increase since its begin.
  let sum = 0;
  let countedTo = elapsed();
  const begun = new Map<string, number>();

  function count(): number {
    const now = elapsed();
    if (begun.size > 0) sum += (now - countedTo) / begun.size;
    countedTo = now;
    return sum;
  }

  return {
    begin: (id) => void begun.set(id, count()),
    of(id) {
      const from = begun.get(id);
      return from === undefined ? undefined : count() - from;
    },
    end(id) {
      count();
      begun.delete(id);
    },
  };
}
