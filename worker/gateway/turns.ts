/**
 * Reads the calls about a job one after the other, in the order in which they arrive. Reading a large body pauses, so a
 * later call could otherwise overtake it, and chunks would be stored in another order.
 */
export interface Turns {
  /**
   * Runs the work after that of all earlier calls about the job.
   * @throws the error of the work
   */
  take<Result>(job: string, work: () => Promise<Result>): Promise<Result>;
}

export function createTurns(): Turns {
  /** The last turn of each job, which never rejects. */
  const last = new Map<string, Promise<unknown>>();
  return {
    take(job, work) {
      const result = (last.get(job) ?? Promise.resolve()).then(work);
      const over = () => {
        if (last.get(job) === turn) last.delete(job);
      };
      const turn = result.then(over, over);
      last.set(job, turn);
      return result;
    },
  };
}
