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
 * Restarts a delivery that is overdue: its execution, the pipe, or the change in the stream is lost.
 *
 * Input: the delivery, and when it should be over, in milliseconds since the epoch. Output: whether it is over, was
 * started, was given up as too late, or is under way. Before that time it is only read. Starting it twice does no harm,
 * because each attempt is claimed.
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
  // The job is kept at least until then; afterwards it may be removed at any time.
  if (now - due < REMOVE_AFTER / 2) {
    await deliveryStarts.start(key);
    return 'started';
  }
  const failed = await deliveries.giveUp(key, TOO_LATE, now, Math.ceil((now + REMOVE_AFTER) / SECOND));
  return failed ? 'given up' : 'over';
}
