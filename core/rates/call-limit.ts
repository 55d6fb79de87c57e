/**
 * Enforces exact rate limits with a counter per endpoint and operation. A token bucket would admit up to twice its
 * size in 10 seconds, which is too much for operations with low limits.
 */
import type { Clock } from '../clock.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { TooManyRequests } from '../errors.ts';
import { RATE_WINDOW, SECOND } from '../limits.ts';
import type { CallerKind, Operation } from '../routes.ts';
import { limitFor } from './throttle.ts';

export interface CountedCall {
  readonly endpoint: string;
  readonly operation: Operation;
  /** Kind of the caller: keys and users of the console have separate windows. */
  readonly caller: CallerKind;
  /** Maximum number of calls in a window. */
  readonly most: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Counts calls in windows. A window begins with a call and lasts `RATE_WINDOW`. The next call begins another
 * window.
 */
export interface CallCounts {
  /**
   * Counts the call, unless the window is full. @returns when the full window ends; undefined if the call was
   * counted
   */
  count(call: CountedCall): Promise<number | undefined>;
}

/**
 * Counts a call of an operation with an exact limit. Clients within the limit are never refused, because a full
 * window means that they made too many calls within 10 seconds.
 * @throws EndpointNotFound, or TooManyRequests with the time until the next window
 */
export async function admitCall(
  ports: { readonly callCounts: CallCounts; readonly clock: Clock; readonly endpoints: Endpoints },
  operation: Operation,
  { endpoint, caller }: { readonly endpoint: string; readonly caller: CallerKind },
): Promise<void> {
  // Refuse unknown endpoints, because their counters would never be removed.
  await deployed(ports, endpoint);
  const { per10Seconds: most } = limitFor(caller, operation);
  const now = ports.clock.now();
  const end = await ports.callCounts.count({ endpoint, operation, caller, most, now });
  if (end === undefined) return;
  const seconds = Math.max(1, Math.ceil((end - now) / SECOND));
  throw new TooManyRequests(
    `Endpoint \`${endpoint}\` allows ${most} \`${operation}\` requests per ${RATE_WINDOW / SECOND} seconds. Try again in ${seconds} s.`,
    seconds,
  );
}
