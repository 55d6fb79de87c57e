/** Holds memory of the process for what a call collects, until its client has the response. */
export interface AnswerMemory {
  /**
   * Reserves memory for an answer, and waits until there is enough.
   * @throws TooManyRequests if the process has no memory for these bytes in time
   */
  hold(bytes: number): Promise<void>;
}
