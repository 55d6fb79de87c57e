/**
 * Every number of the job contract and of the data layer, once. Durations are milliseconds, sizes are bytes.
 * Source: the job contract ("Limits", "Policy object") and docs/architecture.md.
 */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Bounds and defaults of a job's `policy`; both bounds are allowed values. */
export const policyLimits = {
  executionTimeout: { default: 10 * MINUTE, min: 5_001, max: 7 * DAY },
  ttl: { default: DAY, min: 10 * SECOND, max: 7 * DAY },
} as const;

/** How long a finished job's result can be read, by the operation that submitted it. */
export const retention = { run: 30 * MINUTE, runsync: MINUTE } as const;

/** A worker may report this long after a job's execution deadline: its clock and the network are not exact. */
export const REPORT_GRACE = 2 * SECOND;

/** A job is started at most this often per submission or retry; then it ends FAILED with `WORKER_LOST`. */
export const MAX_ATTEMPTS = 3;

/** A worker proves that it lives every `BEAT`; without proof for `LEASE` its jobs go to another worker. */
export const BEAT = 10 * SECOND;
export const LEASE = 30 * SECOND;

export const payloadLimits = {
  /** Input, output and error stay in the hot item while each has at most this: the item must not pass 1 KB. */
  inline: 200,
  /** Largest text in an item of the payload table; DynamoDB's own bound is 400 KB with names and keys. */
  item: 380 * 1024,
  /** An error's text is cut at this many characters: a traceback fits, a dump does not. */
  error: 64 * 1024,
  /** Deepest nesting of a request body. */
  depth: 128,
} as const;

/** Items stay this long after their job is over, then DynamoDB's time-to-live removes them. */
export const TIDY_AFTER = DAY;

/** How long a process may use what it read of an endpoint, and of a client key. */
export const ENDPOINT_CACHE = 500;
export const KEY_CACHE = MINUTE;
