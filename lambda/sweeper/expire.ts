import { Logger } from '@aws-lambda-powertools/logger';
import { createWorld } from '../../aws/world.ts';
import { expire } from '../../core/expiry/expire.ts';
import type { ExpiryTimer } from '../../core/expiry/timers.ts';

const logger = new Logger();
const world = createWorld();

/**
 * Called by a timer: the `ttl` of its jobs has run out, unless they were taken or have ended. A call that throws is
 * repeated by the state machine, and what is left then is ended by the sweeper.
 */
export async function handler({ endpoint, jobs }: Pick<ExpiryTimer, 'endpoint' | 'jobs'>): Promise<void> {
  const ended = await expire(world, { endpoint, jobs });
  logger.info('A timer has run out.', { endpoint, jobs: jobs.length, ended });
}
