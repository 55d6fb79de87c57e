/** Types of the small OpenAI server. */
export interface Answer {
  readonly status: number;
  /** Of an answer that is not streamed. */
  readonly json?: object;
  /** Texts of a stream. */
  readonly events?: AsyncGenerator<string>;
}

/**
 * @param route path from `/v1` on
 * @param body parsed
 * @param signal aborted when the client has left
 */
export declare function answer(route: string, body: unknown, signal: AbortSignal): Promise<Answer>;
