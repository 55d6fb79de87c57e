import pLimit from 'p-limit';
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../endpoints/store.ts';
import type { Deadlines } from '../expiry/due.ts';
import { type ExpiryTimers, endOverdue, startTimers } from '../expiry/expire.ts';
import type { Job } from '../jobs/job.ts';
import type { Jobs } from '../jobs/store.ts';
import { expiryTimer, MINUTE, SWEEP_AT_ONCE, SWEEP_JOBS } from '../limits.ts';
import { type RedrivePorts, redrive } from '../webhooks/redrive.ts';

export type DeadlinePorts = {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly endpoints: Endpoints;
  readonly jobs: Jobs;
} & RedrivePorts & { readonly expiryTimers: ExpiryTimers };

export interface SweptDeadlines {
  /** Number of jobs that the sweep ended. */
  readonly ended: number;
  /** Number of deliveries that were started again. */
  readonly redriven: number;
  /** Number of deliveries that failed because no attempt was possible for too long. */
  readonly givenUp: number;
}

/**
 * Ends overdue jobs, which otherwise end only when they are read. Restarts overdue deliveries. Starts timers for
 * waiting jobs whose `ttl` runs out before the next sweep.
 *
 * Input: endpoint, maximum number of jobs and deliveries. Output: counts of its effects. The next sweep checks
 * failed and remaining entries, and unfinished deliveries. A late check does no harm, because each reader of an
 * overdue job first stores its end.
 *
 * Reads entries up to a minute and `expiryTimer.ahead` before they are due, and removes entries without unfinished
 * jobs and deliveries. Most jobs have ended by then, so most entries are read only once.
 */
export async function sweepDeadlines(
  ports: DeadlinePorts,
  endpoint: Endpoint,
  max = SWEEP_JOBS,
): Promise<SweptDeadlines> {
  const now = ports.clock.now();
  const alive: Job[] = [];
  let [looked, ended, redriven, givenUp] = [0, 0, 0, 0];
  // An entry contains the jobs and deliveries that become due in the minute before the time in its name.
  for await (const due of ports.deadlines.due(endpoint.id, now + expiryTimer.ahead + MINUTE)) {
    const dueAt = due.minute * MINUTE;
    const checked = await endOverdue(ports, endpoint.id, due.jobs);
    ended += checked.ended;
    alive.push(...checked.alive);
    const fates = await pLimit(SWEEP_AT_ONCE).map(due.deliveries, (key) => redrive(ports, key, dueAt));
    redriven += fates.filter((fate) => fate === 'started').length;
    givenUp += fates.filter((fate) => fate === 'given up').length;
    const areOver = fates.every((fate) => fate === 'over' || fate === 'given up');
    // An unfinished job in an entry that is due has a later deadline in another entry.
    if (areOver && (dueAt <= now || checked.alive.length === 0)) await ports.deadlines.forget(due);
    looked += due.jobs.length + due.deliveries.length;
    if (looked >= max) break;
  }
  await startTimers(ports.expiryTimers, alive, now);
  return { ended, redriven, givenUp };
}
