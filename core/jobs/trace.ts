/**
 * The header `traceparent` of W3C Trace Context, which a request passes to its job, its worker and its webhook. A job has
 * only its ids and flags, in base64, because each byte of the item counts.
 */

/** A later version than 00 may continue after the flags. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?<trace>[0-9a-f]{32})-(?<span>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?:-|$)/;

/** Form of the ids and flags, 25 bytes in base64. */
export const TRACE = /^[\w-]{34}$/;

const [TRACE_DIGITS, SPAN_DIGITS] = [32, 16];

const isZero = (digits = '') => /^0+$/.test(digits);

/** Returns the ids and flags of a header, or undefined if it is not valid: such a request is accepted without a trace. */
export function traceOf(traceparent: string | undefined): string | undefined {
  const { trace, span, flags } = TRACEPARENT.exec(traceparent ?? '')?.groups ?? {};
  if (isZero(trace) || isZero(span) || !flags) return undefined;
  return Buffer.from(`${trace}${span}${flags}`, 'hex').toString('base64url');
}

const digitsOf = (trace: string) => Buffer.from(trace, 'base64url').toString('hex');

/** Returns the id of the trace, 32 hexadecimal digits. */
export const traceIdOf = (trace: string): string => digitsOf(trace).slice(0, TRACE_DIGITS);

/** Returns the id of the span that sent the request, 16 hexadecimal digits. */
export const callerSpanIdOf = (trace: string): string =>
  digitsOf(trace).slice(TRACE_DIGITS, TRACE_DIGITS + SPAN_DIGITS);

/** Returns whether the caller records the trace. */
export const isSampled = (trace: string): boolean => Number.parseInt(digitsOf(trace).slice(-2), 16) % 2 === 1;

/** Returns the id of the trace of a header if its caller records the trace, for the log. */
export function recordedTraceId(traceparent: string | undefined): string | undefined {
  const trace = traceOf(traceparent);
  return trace !== undefined && isSampled(trace) ? traceIdOf(trace) : undefined;
}

/** Returns the header, in version 00. */
export function traceparentOf(trace: string): string {
  const digits = digitsOf(trace);
  const flagsAt = TRACE_DIGITS + SPAN_DIGITS;
  return `00-${traceIdOf(trace)}-${digits.slice(TRACE_DIGITS, flagsAt)}-${digits.slice(flagsAt)}`;
}
