/**
 * A worker that always has work would be protected for ever, and a release or a scale-in would wait for it for ever. Now
 * and then it takes no job, ends those that it has, and goes without protection for as long as ECS needs to stop it. If
 * ECS does not want to, it goes on.
 */
import type { Clock } from '../core/clock.ts';
import { BREATHER, OUTDATED_BREATHER } from '../core/limits.ts';
import type { AgentLog } from './agent.ts';
import type { Occupancy } from './occupancy.ts';
import type { Protection } from './protection.ts';
import type { sleep } from './sleep.ts';

export interface BreatherHost {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: AgentLog;
  readonly occupancy: Pick<Occupancy, 'free'>;
  readonly protection: Pick<Protection, 'keep' | 'since'>;
  /** Whether the endpoint is to run something else than this worker: then it is due sooner. */
  isOutdated(): boolean;
  readonly pause: typeof sleep;
}

/** @returns what whoever looks for a job waits for first: at once, unless a breather is due or on */
export function createBreather({ clock, log, occupancy, protection, isOutdated, pause }: BreatherHost) {
  let present: Promise<void> | undefined;

  async function breathe(signal: AbortSignal): Promise<void> {
    await occupancy.free();
    log.info('The worker goes without protection for a moment, in which ECS may stop it.', {});
    await protection.keep(false);
    await pause(BREATHER.length, signal);
  }

  return async (signal: AbortSignal): Promise<void> => {
    const every = isOutdated() ? OUTDATED_BREATHER : BREATHER.every;
    const isDue = clock.now() - (protection.since() ?? clock.now()) >= every;
    if (isDue)
      present ??= breathe(signal).finally(() => {
        present = undefined;
      });
    await present;
  };
}
