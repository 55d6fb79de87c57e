import type { Clock } from '../clock.ts';
import type { DeliveryKey } from '../jobs/delivery-key.ts';
import { REMOVE_AFTER, SECOND } from '../limits.ts';
import { notAttempted } from './delivery.ts';
import type { Deliveries, DeliveryStarts } from './store.ts';

export type RedrivePorts = {
  readonly clock: Clock;
  readonly deliveries: Deliveries;
  readonly deliveryStarts: DeliveryStarts;
};

const TOO_LATE = 'No attempt could be made for half a day, and the result of the job expires soon.';

/**
 * Restarts an overdue delivery, whose execution, pipe or stream record is lost.
 *
 * Input: the delivery, and its deadline in milliseconds since the epoch. Output: whether the delivery is finished,
 * was started, was given up as too late, or is in progress. Before the deadline it is only read. Starting a
 * delivery twice does no harm, because each attempt is claimed.
 */
export async function redrive(
  { clock, deliveries, deliveryStarts }: RedrivePorts,
  key: DeliveryKey,
  due: number,
): Promise<'over' | 'started' | 'given up' | 'under way'> {
  const now = clock.now();
  const { state, leaseEnds = 0 } = (await deliveries.read(key, 'now')) ?? notAttempted;
  if (state !== 'PENDING') return 'over';
  if (now < Math.max(due, leaseEnds)) return 'under way';
  // After this time, the job can be removed at any moment.
  if (now - due < REMOVE_AFTER / 2) {
    await deliveryStarts.start(key);
    return 'started';
  }
  const failed = await deliveries.giveUp(key, TOO_LATE, now, Math.ceil((now + REMOVE_AFTER) / SECOND));
  return failed ? 'given up' : 'over';
}
