import { Logger } from '@aws-lambda-powertools/logger';
import { createPorts } from '../../aws/ports.ts';
import { type ExpiryTimer, expire } from '../../core/expiry/expire.ts';

const logger = new Logger();
const ports = createPorts();

/**
 * Called by a timer: the `ttl` of its jobs has run out, unless they were taken or have ended. A call that throws is
 * repeated by the state machine, and what is left then is ended by the sweeper.
 */
export async function handler({ endpoint, jobs }: Pick<ExpiryTimer, 'endpoint' | 'jobs'>): Promise<void> {
  const ended = await expire(ports, { endpoint, jobs });
  logger.info('A timer has run out.', { endpoint, jobs: jobs.length, ended });
}
