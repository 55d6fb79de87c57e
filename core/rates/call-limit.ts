/**
 * Enforces exact limits with an item per endpoint and operation, which counts calls and has the slots of running
 * calls. A token bucket would admit up to twice its size in 10 seconds, which is too much for operations with low
 * limits.
 */
import type { Clock } from '../clock.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { RATE_WINDOW, SECOND } from '../limits.ts';
import type { CallerKind, Operation } from '../operations/routes.ts';
import { callTimeouts } from '../operations/table.ts';
import { TooManyRequests } from '../requests/errors.ts';
import { limitFor } from './throttle.ts';

/** `Retry-After` if all slots of such an operation are in use: its calls take milliseconds. */
const SLOTS_FULL_RETRY = SECOND;

/** The item that counts a call. */
export interface CallCounter {
  readonly endpoint: string;
  readonly operation: Operation;
  /** Kind of the caller: keys and users of the console are counted separately. */
  readonly caller: CallerKind;
}

export interface CountedCall extends CallCounter {
  /** Maximum number of calls in a window. */
  readonly max: number;
  /**
   * Slots of concurrent calls.
   * @default - the number of concurrent calls is not limited
   */
  readonly slots?:
    | {
        readonly max: number;
        /** Milliseconds after which the slot of a crashed call is free. */
        readonly lease: number;
      }
    | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A call that was counted. Its slot is opaque to the caller. */
export interface AdmittedCall {
  readonly slot?: string | undefined;
}

/** The limit that a refused call has reached. */
export type ReachedLimit = { readonly of: 'window'; readonly endsAt: number } | { readonly of: 'slots' };

/**
 * Counts calls in windows. A window begins with a call and lasts `RATE_WINDOW`. The next call begins another
 * window.
 */
export interface CallCounts {
  /** Counts the call and takes a slot, unless the window or the slots are full. A refused call changes nothing. */
  count(call: CountedCall): Promise<AdmittedCall | ReachedLimit>;
  /** Releases the slot of a call. */
  release(counter: CallCounter, slot: string): Promise<void>;
}

const leases: Readonly<Partial<Record<Operation, number>>> = callTimeouts;

function refusalOf({ endpoint, operation, max, slots, now }: CountedCall, reached: ReachedLimit): TooManyRequests {
  const isWindow = reached.of === 'window';
  const retry = isWindow ? reached.endsAt - now : SLOTS_FULL_RETRY;
  const seconds = Math.max(1, Math.ceil(retry / SECOND));
  const limit = isWindow
    ? `${max} \`${operation}\` requests per ${RATE_WINDOW / SECOND} seconds`
    : `${slots?.max} \`${operation}\` requests at the same time`;
  return new TooManyRequests(`Endpoint \`${endpoint}\` allows ${limit}. Try again in ${seconds} s.`, seconds);
}

/**
 * Runs the work of a call of an operation with exact limits. Clients within the limits are never refused: a full
 * window means that they made too many calls within 10 seconds, and full slots that too many of them still run.
 * @throws EndpointNotFound, TooManyRequests with the time until the next call is admitted, and as `work`
 */
export async function withCallLimit<Result>(
  ports: { readonly callCounts: CallCounts; readonly clock: Clock; readonly endpoints: Endpoints },
  operation: Operation,
  { endpoint, caller }: { readonly endpoint: string; readonly caller: CallerKind },
  work: () => Promise<Result>,
): Promise<Result> {
  // Refuse unknown endpoints, because their counters would never be removed.
  await deployed(ports, endpoint);
  const { per10Seconds: max, concurrent } = limitFor(caller, operation);
  const counter = { endpoint, operation, caller };
  const lease = leases[operation];
  const slots = concurrent === undefined || lease === undefined ? undefined : { max: concurrent, lease };
  const call = { ...counter, max, slots, now: ports.clock.now() };
  const counted = await ports.callCounts.count(call);
  if ('of' in counted) throw refusalOf(call, counted);
  const { slot } = counted;
  try {
    return await work();
  } finally {
    // Ignore a failure: it does not affect the answer, and the slot expires.
    if (slot !== undefined) await ports.callCounts.release(counter, slot).catch(() => undefined);
  }
}
