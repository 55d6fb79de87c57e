/** A function threw, ran out of time, or returned more than a response may hold. The message is that of its error. */
export class FunctionError extends Error {}

/** The event has more bytes than a function takes. It was not called. */
export class EventTooLarge extends Error {}
