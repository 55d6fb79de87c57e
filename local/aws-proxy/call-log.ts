/** The call log: one line of JSON per call, to be counted and searched. */
import type { ItemKey } from './described.ts';
import type { LineLog } from './line-log.ts';
import type { Measured } from './measure.ts';

export interface LoggedCall extends Measured {
  /** ISO 8601, of the start. */
  readonly time: string;
  /** Absent if the caller is unknown. */
  readonly role?: string;
  readonly service?: string;
  readonly operation?: string;
  /** ARNs, each once. */
  readonly resources?: readonly string[];
  /** Items that the request names. */
  readonly keys?: readonly ItemKey[];
  /** HTTP status of the answer; 0 if the caller closed the connection before. */
  readonly status: number;
  readonly ms: number;
  /** Bytes of the bodies. */
  readonly requestBytes: number;
  readonly responseBytes: number;
}

export type CallLog = LineLog<LoggedCall>;
