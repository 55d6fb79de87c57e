/**
 * Limits the number of waiting calls. Each waiting call holds a connection and memory of an ingress task or,
 * without the ingress, one of the account's concurrent Lambda executions, which all endpoints share. A call
 * therefore takes a slot before it waits, and releases the slot when it ends.
 */
import type { Clock } from '../clock.ts';
import { SECOND, WAITS_FULL_RETRY, waitsLimits } from '../limits.ts';
import { limitOf, type Operation } from '../operations/routes.ts';
import { TooManyRequests } from '../requests/errors.ts';

/**
 * Returns the number of slots of a deployment without the ingress and without the setting `waits`: half of the
 * account's concurrent executions, so that the other half is left for other calls.
 */
export const slotsOf = (concurrentExecutions: number): number =>
  Math.min(Math.max(Math.floor(concurrentExecutions / 2), waitsLimits.min), waitsLimits.max);

export interface Waiter {
  readonly endpoint: string;
  readonly operation: Operation;
}

export interface SlotRequest extends Waiter {
  /** Number of slots of the endpoint and operation. */
  readonly max: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A slot that a call holds, opaque to the caller. It expires after `WAIT_LEASE`. */
export interface WaitSlot extends Waiter {
  readonly item: string;
  readonly lease: string;
  /** The item that counts the slot for the deployment, if it is a different item. */
  readonly countedIn?: string;
}

/** The limit that a refused call has reached. */
export interface WaitsFull {
  readonly of: 'endpoint' | 'deployment';
  /** Number of slots of the endpoint and operation, or of the deployment. */
  readonly max: number;
}

export interface WaitSlots {
  /** Takes a slot if the endpoint and the deployment each have a free slot. */
  take(request: SlotRequest): Promise<WaitSlot | WaitsFull>;
  release(slot: WaitSlot): Promise<void>;
}

export type WaitSlotPorts = { readonly clock: Clock; readonly waitSlots: WaitSlots };

function refusalOf({ endpoint, operation }: Waiter, { of, max }: WaitsFull): TooManyRequests {
  const retryAfter = WAITS_FULL_RETRY / SECOND;
  const bound =
    of === 'endpoint'
      ? `Endpoint \`${endpoint}\` allows ${max} \`${operation}\` requests to wait at the same time`
      : `This deployment allows ${max} requests to wait at the same time`;
  return new TooManyRequests(`${bound}, and no slot is free. Try again in ${retryAfter} s.`, retryAfter);
}

/** The slot of one call. */
export interface HeldSlot {
  /**
   * Takes a slot if the call has none yet.
   * @throws TooManyRequests if no slot is free
   */
  readonly hold: () => Promise<void>;
  /** Releases the slot, if the call has one. */
  readonly release: () => Promise<void>;
}

/** Returns the slot of a call that begins and ends in different functions. The caller must release the slot. */
export function openWaitSlot({ clock, waitSlots }: WaitSlotPorts, waiter: Waiter): HeldSlot {
  const { concurrent: max } = limitOf(waiter.operation);
  if (max === undefined) throw new Error(`The route \`${waiter.operation}\` has no limit of concurrent requests.`);
  let held: WaitSlot | undefined;
  return {
    async hold() {
      if (held) return;
      const taken = await waitSlots.take({ ...waiter, max, now: clock.now() });
      if ('of' in taken) throw refusalOf(waiter, taken);
      held = taken;
    },
    async release() {
      const slot = held;
      held = undefined;
      // Ignore a failure: it does not affect the answer, and the slot expires.
      if (slot) await waitSlots.release(slot).catch(() => undefined);
    },
  };
}

/**
 * Runs the work of a call that can wait.
 * @param work calls `hold` before each wait; `hold` throws TooManyRequests if no slot is free
 */
export async function withWaitSlot<Result>(
  ports: WaitSlotPorts,
  waiter: Waiter,
  work: (hold: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const { hold, release } = openWaitSlot(ports, waiter);
  try {
    return await work(hold);
  } finally {
    await release();
  }
}
