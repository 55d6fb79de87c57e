/**
 * Gives ECS a chance to stop a worker that always has jobs. Such a worker is always protected, so a release or a
 * scale-in would never finish. In a protection gap, the worker takes no job, finishes its jobs, and removes its
 * protection for `PROTECTION_GAP.length`. If ECS does not stop it, it takes jobs again.
 */
import type { Clock, Pause } from '../../core/clock.ts';
import { PROTECTION_GAP, STALE_PROTECTION_GAP } from '../../core/limits.ts';
import type { IdleTracker } from './idle-tracker.ts';
import type { AgentLog } from './ports.ts';
import type { Protection } from './protection.ts';
import type { RevisionWatcher } from './revision-watcher.ts';

export interface ProtectionGapHost {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: AgentLog;
  readonly idleTracker: Pick<IdleTracker, 'whenIdle'>;
  readonly protection: Pick<Protection, 'keep' | 'since'>;
  /** A worker of a stale revision has its protection gaps sooner. */
  readonly watcher: Pick<RevisionWatcher, 'isStale'>;
  readonly pause: Pause;
}

/** Resolves immediately, unless a gap is due or in progress. Awaited before each take. */
export type ProtectionGap = (signal: AbortSignal) => Promise<void>;

export function createProtectionGap(host: ProtectionGapHost): ProtectionGap {
  const { clock, log, idleTracker, protection, watcher, pause } = host;
  let present: Promise<void> | undefined;

  async function pauseUnprotected(signal: AbortSignal): Promise<void> {
    await idleTracker.whenIdle();
    log.info('The worker goes without protection for a moment, so that ECS can stop it.', {});
    await protection.keep(false);
    await pause(PROTECTION_GAP.length, signal);
  }

  return async (signal) => {
    const every = watcher.isStale() ? STALE_PROTECTION_GAP : PROTECTION_GAP.every;
    const isDue = clock.now() - (protection.since() ?? clock.now()) >= every;
    if (isDue)
      present ??= pauseUnprotected(signal).finally(() => {
        present = undefined;
      });
    await present;
  };
}
