/** A function threw, ran out of time, or returned more than a response may hold. The message is that of its error. */
export class FunctionError extends Error {}

/** The event has more bytes than a function takes. It was not called. */
export class EventTooLarge extends Error {}

/** The account runs as many executions as it may. The function was not called: Lambda answers 429. */
export class FunctionThrottled extends Error {
  /** As a state machine sees it. */
  override readonly name = 'Lambda.TooManyRequestsException';
}
