/** Timers for the expiry of jobs: Express executions that wait. They cost nothing while no job is about to expire. */
import type { ExpiryTimers } from '../../core/expiry/expire.ts';
import { createExecutions } from '../executions.ts';

export interface WarningLog {
  warn(message: string, details: { readonly endpoint: string; readonly error: unknown }): void;
}

/**
 * Starts timers that end jobs whose `ttl` is over, as executions of a state machine.
 * @param log receives a report of each timer that could not be started
 */
export function createExpiryTimers(log: WarningLog): ExpiryTimers {
  const executions = createExecutions('EXPIRY_MACHINE');
  return {
    async start({ endpoint, jobs, at }) {
      try {
        await executions.start({ endpoint, jobs, at: new Date(at).toISOString() });
      } catch (error) {
        log.warn('A timer was not started. The sweeper ends its jobs, up to a minute later.', { endpoint, error });
      }
    },
  };
}
