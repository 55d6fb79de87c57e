import type { Clock } from '../clock.ts';
import type { DeliveryKey } from '../jobs/delivery-key.ts';
import { REMOVE_AFTER, SECOND } from '../limits.ts';
import { notTried } from './delivery.ts';
import type { Deliveries, DeliveryStarts } from './store.ts';

export type RedrivePorts = { readonly clock: Clock; readonly deliveries: Deliveries } & {
  readonly deliveryStarts: DeliveryStarts;
};

const TOO_LATE = 'It could not be tried for half a day; what it tells is not kept for much longer.';

/**
 * Starts a delivery again that should be over: its execution, the pipe, or the record of the stream is lost.
 *
 * Input: the delivery, and when it should be over, in milliseconds since the epoch. Output: whether it is over, was
 * started, was given up as too late, or somebody is at it. Before that time it is only read. To start it twice does no
 * harm, because each try is claimed.
 */
export async function redrive(
  { clock, deliveries, deliveryStarts }: RedrivePorts,
  key: DeliveryKey,
  due: number,
): Promise<'over' | 'started' | 'given up' | 'under way'> {
  const now = clock.now();
  const { state, leaseEnds = 0 } = (await deliveries.read(key, 'now')) ?? notTried;
  if (state !== 'PENDING') return 'over';
  if (now < Math.max(due, leaseEnds)) return 'under way';
  // What it tells is not removed before this; from then on nothing is certain.
  if (now - due < REMOVE_AFTER / 2) {
    await deliveryStarts.start(key);
    return 'started';
  }
  const failed = await deliveries.giveUp(key, TOO_LATE, now, Math.ceil((now + REMOVE_AFTER) / SECOND));
  return failed ? 'given up' : 'over';
}
