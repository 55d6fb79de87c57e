import { someAtOnce } from '../at-once.ts';
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Deadlines } from '../expiry/due.ts';
import { type ExpiryTimers, endOverdue, startTimers } from '../expiry/expire.ts';
import type { Job } from '../jobs/job.ts';
import type { Jobs } from '../jobs/store.ts';
import { expiryTimer, MINUTE, SWEEP_AT_ONCE, SWEEP_JOBS } from '../limits.ts';
import { type RedrivePorts, redrive } from '../webhooks/redrive.ts';

export type DeadlinePorts = {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly jobs: Jobs;
} & RedrivePorts & { readonly expiryTimers: ExpiryTimers };

export interface SweptDeadlines {
  /** Jobs whose end the sweep stored. */
  readonly ended: number;
  /** Deliveries that were started again. */
  readonly redriven: number;
  /** Deliveries that failed, because no attempt was possible for too long. */
  readonly givenUp: number;
}

/**
 * Stores the end of jobs whose wait or run is over, because no client may be reading them. Restarts deliveries that
 * should be over and are not. Starts timers for waiting jobs whose `ttl` runs out before the next sweep.
 *
 * Input: endpoint; after how many jobs and deliveries to stop. Output: counts of its effects. The next sweep checks
 * entries that failed or are left, and deliveries that are still not over. A late check does no harm, because each
 * reader of such a job stores its end first.
 *
 * It reads entries a minute or two before they are due, and removes those without unfinished jobs and deliveries. Most
 * jobs have ended by then, so their entry is read once, as it would be later.
 */
export async function sweepDeadlines(
  ports: DeadlinePorts,
  endpoint: Endpoint,
  most = SWEEP_JOBS,
): Promise<SweptDeadlines> {
  const now = ports.clock.now();
  const alive: Job[] = [];
  let [looked, ended, redriven, givenUp] = [0, 0, 0, 0];
  // An entry holds what becomes due in the minute before the time that names it.
  for await (const due of ports.deadlines.due(endpoint.id, now + expiryTimer.ahead + MINUTE)) {
    const dueAt = due.minute * MINUTE;
    const checked = await endOverdue(ports, endpoint, due.jobs);
    ended += checked.ended;
    alive.push(...checked.alive);
    const fates = await someAtOnce(due.deliveries, SWEEP_AT_ONCE, (key) => redrive(ports, key, dueAt));
    redriven += fates.filter((fate) => fate === 'started').length;
    givenUp += fates.filter((fate) => fate === 'given up').length;
    const areOver = fates.every((fate) => fate === 'over' || fate === 'given up');
    // A job that is alive although its entry is due has a later deadline, in another entry.
    if (areOver && (dueAt <= now || checked.alive.length === 0)) await ports.deadlines.forget(due);
    looked += due.jobs.length + due.deliveries.length;
    if (looked >= most) break;
  }
  await startTimers(ports.expiryTimers, alive, now);
  return { ended, redriven, givenUp };
}
