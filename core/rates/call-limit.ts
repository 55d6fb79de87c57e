/**
 * Enforces exact rate limits, by a counter per endpoint and operation. A token bucket admits up to twice its size in 10
 * seconds, which matters for operations with few calls.
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
  /** Keys and users of the console have separate windows. */
  readonly caller: CallerKind;
  /** Calls that a window admits. */
  readonly most: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Counts calls in windows. A window begins with a call and lasts `RATE_WINDOW`; the first call after it begins another.
 */
export interface CallCounts {
  /** Counts the call, unless the window is full. @returns when the full window ends, or undefined if the call counts */
  count(call: CountedCall): Promise<number | undefined>;
}

/**
 * Counts a call of an operation whose limit is exact. A client that stays within the limit is never refused: a window
 * with more calls than the limit has more calls within 10 seconds.
 * @throws EndpointNotFound, and TooManyRequests with the time until the next window
 */
export async function admitCall(
  ports: { readonly callCounts: CallCounts; readonly clock: Clock; readonly endpoints: Endpoints },
  operation: Operation,
  { endpoint, caller }: { readonly endpoint: string; readonly caller: CallerKind },
): Promise<void> {
  // Counters of endpoints that do not exist would never be removed.
  await deployed(ports, endpoint);
  const { per10Seconds: most } = limitFor(caller, operation);
  const now = ports.clock.now();
  const end = await ports.callCounts.count({ endpoint, operation, caller, most, now });
  if (end === undefined) return;
  const seconds = Math.max(1, Math.ceil((end - now) / SECOND));
  throw new TooManyRequests(
    `Endpoint \`${endpoint}\` admits ${most} \`${operation}\` requests per ${RATE_WINDOW / SECOND} seconds. Send the next one in ${seconds} s.`,
    seconds,
  );
}
