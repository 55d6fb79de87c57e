/** When jobs of low priority have to wait for others. */
import type { Endpoint } from '../endpoints/endpoint.ts';
import { LOW_PRIORITY_PATIENCE } from '../limits.ts';

/**
 * Whether a job of low priority leaves a worker to the normal jobs that wait. The counts may be wrong for a while, so it
 * never does so for longer than its patience.
 * @param since when its message was sent, in milliseconds
 */
export const standsBack = ({ counts }: Pick<Endpoint, 'counts'>, since: number, now: number): boolean =>
  now - since < LOW_PRIORITY_PATIENCE && counts.inQueue > counts.lowInQueue;
