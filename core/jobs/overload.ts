import type { Endpoint } from '../endpoints/endpoint.ts';
import { QueueFull } from '../errors.ts';
import { queueLimits } from '../limits.ts';

/**
 * Refuses another job while too many wait. Jobs of low priority count as all others, and are refused as all others.
 * The ledger counts about a second behind, so that a burst may fill the queue a little further.
 * @throws QueueFull
 */
export function assertNotFull({ id, maxWorkers, counts }: Pick<Endpoint, 'id' | 'maxWorkers' | 'counts'>): void {
  const most = Math.max(queueLimits.few, maxWorkers * queueLimits.perWorker);
  if (counts.inQueue > most) throw new QueueFull(id, { waiting: counts.inQueue, most });
}
