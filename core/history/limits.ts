/** Numbers of the history. */
import { DAY } from '../limits.ts';

export const historyLimits = {
  /** Maximum bytes of the line of an error. */
  error: 200,
  /** Maximum bytes of the messages about the stop of a worker. */
  stopReason: 400,
  /** Maximum bytes of the sentence of an event, and of the name of its caller. */
  eventDetail: 300,
  callerName: 100,
  /** Hexadecimal digits of a fingerprint. */
  fingerprint: 12,
  /** Jobs per page of a list. */
  page: { min: 1, max: 500, default: 100 },
  /** Jobs that one request reads from the history at most, of all endpoints together. */
  read: 2_000,
  /** Jobs that one request reads of each endpoint at least. */
  readOfEach: 20,
  /** Where a list begins without a time. */
  since: DAY,
  /** Failures of a page of groups are counted among this number of jobs. */
  grouped: 10_000,
  /** Workers, releases and keys that a group of failures names at most. */
  workers: 10,
  releases: 10,
  keys: 10,
} as const;

/** Retention of the history in days: bounds and default. 0 turns it off. */
export const historyDays = { min: 0, max: 365, default: 30 } as const;

/** Rows that the ledger writes in one call, the maximum of DynamoDB. */
export const ROWS_PER_WRITE = 25;

/** Events of endpoints that a change of their template adds at the same time. */
export const EVENTS_AT_ONCE = 10;

/** Jobs that the ledger reads the error of at the same time. */
export const ERRORS_AT_ONCE = 10;
