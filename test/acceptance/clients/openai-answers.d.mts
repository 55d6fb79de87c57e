/** Types of the small OpenAI server. */
export interface Answer {
  readonly status: number;
  /** Body of an answer that is not streamed. */
  readonly json?: object;
  /** Strings of a stream. */
  readonly events?: AsyncGenerator<string>;
}

/**
 * @param route path that starts with `/v1`
 * @param body the parsed body
 * @param signal aborted when the client has disconnected
 * @param method of the request; by default, `POST`
 */
export declare function answer(route: string, body: unknown, signal: AbortSignal, method?: string): Promise<Answer>;
