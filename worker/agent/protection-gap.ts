/**
 * Gives ECS a moment to stop a worker that always has jobs. Such a worker is always protected, so a release or a scale-in
 * would never end. In a protection gap the worker takes no job, finishes those that it has, and removes its protection for
 * `PROTECTION_GAP.length`. If ECS does not stop it, it takes jobs again.
 */
import type { Clock } from '../../core/clock.ts';
import { PROTECTION_GAP, STALE_PROTECTION_GAP } from '../../core/limits.ts';
import type { sleep } from '../sleep.ts';
import type { AgentLog } from './agent.ts';
import type { IdleTracker } from './idle-tracker.ts';
import type { Protection } from './protection.ts';

export interface ProtectionGapHost {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: AgentLog;
  readonly idleTracker: Pick<IdleTracker, 'whenIdle'>;
  readonly protection: Pick<Protection, 'keep' | 'since'>;
  /** Whether the worker's revision is stale: its gaps come sooner. */
  isStale(): boolean;
  readonly pause: typeof sleep;
}

/** @returns a function to await before each take: it resolves at once unless a gap is due or under way */
export function createProtectionGap({ clock, log, idleTracker, protection, isStale, pause }: ProtectionGapHost) {
  let present: Promise<void> | undefined;

  async function pauseUnprotected(signal: AbortSignal): Promise<void> {
    await idleTracker.whenIdle();
    log.info('The worker goes without protection for a moment, in which ECS may stop it.', {});
    await protection.keep(false);
    await pause(PROTECTION_GAP.length, signal);
  }

  return async (signal: AbortSignal): Promise<void> => {
    const every = isStale() ? STALE_PROTECTION_GAP : PROTECTION_GAP.every;
    const isDue = clock.now() - (protection.since() ?? clock.now()) >= every;
    if (isDue)
      present ??= pauseUnprotected(signal).finally(() => {
        present = undefined;
      });
    await present;
  };
}
