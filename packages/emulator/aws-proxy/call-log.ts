/** The call log: one line of JSON for each call, for counting and searching. */
import type { ItemKey } from './described.ts';
import type { LineLog } from './line-log.ts';
import type { Measured } from './measure.ts';

export interface LoggedCall extends Measured {
  /** Time when the call began, in ISO 8601. */
  readonly time: string;
  /** Role of the caller; absent if the caller is unknown. */
  readonly role?: string;
  readonly service?: string;
  readonly operation?: string;
  /** ARNs, without duplicates. */
  readonly resources?: readonly string[];
  /** Items that the request names. */
  readonly keys?: readonly ItemKey[];
  /** HTTP status of the response; 0 if the connection was closed before the response was complete. */
  readonly status: number;
  readonly ms: number;
  /** Number of bytes in the bodies. */
  readonly requestBytes: number;
  readonly responseBytes: number;
}

export type CallLog = LineLog<LoggedCall>;
