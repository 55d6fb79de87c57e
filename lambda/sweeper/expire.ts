import { Logger } from '@aws-lambda-powertools/logger';
import { createPorts } from '../../aws/ports.ts';
import { type ExpiryTimer, expire } from '../../core/expiry/expire.ts';

const logger = new Logger();
const ports = createPorts();

/**
 * Ends the jobs of a timer after their `ttl` has passed, unless they were taken or have ended. The state machine
 * repeats a call that throws, and the sweeper ends the remaining jobs.
 */
export async function handler({ endpoint, jobs }: Pick<ExpiryTimer, 'endpoint' | 'jobs'>): Promise<void> {
  const ended = await expire(ports, { endpoint, jobs });
  logger.info('Ended the overdue jobs of a timer.', { endpoint, jobs: jobs.length, ended });
}
