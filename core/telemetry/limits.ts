/** Numbers of the telemetry that is sent. The limits of CloudWatch are 10,000 spans and 5 MB a request. */
import { SECOND } from '../limits.ts';

export const SPANS_PER_REQUEST = 1_000;

/** Endpoints whose metrics are in one request: about forty points each. */
export const ENDPOINTS_PER_REQUEST = 20;

/** Bytes of encoded spans that wait to be sent. More spans are dropped. */
export const MAX_WAITING_BYTES = 16 * 1_024 * 1_024;

/** A sweep sends for at most this time, and begins no request after it. */
export const SEND_TIME = 15 * SECOND;

/** Time for one request. */
export const REQUEST_TIME = 5 * SECOND;

/** Starts of workers that are read at the same time for the spans of an endpoint. */
export const STARTS_AT_ONCE = 5;
