/**
 * EFS bounds no folder and measures none, so a worker does that now and then: one of those of the endpoint, while it has
 * nothing to do.
 */
import type { Clock } from '../../core/clock.ts';
import { VOLUME_MEASURE } from '../../core/limits.ts';
import { isSame, type WorkerMarks } from '../../core/workers/mark.ts';
import { type SeenVolume, volumeFields } from '../../core/workers/volume.ts';
import type { Agent, AgentLog } from './agent.ts';
import { volumeSize } from './volume-size.ts';

export interface VolumeWatchConfig {
  readonly endpoint: string;
  readonly worker: string;
  readonly volume: SeenVolume;
}

export interface VolumeWatchHost extends Pick<Agent, 'isFree'> {
  readonly log: AgentLog;
}

export interface VolumeWatch {
  /**
   * Measures the volume and logs what it holds, if that is due, nobody else does, and the agent is free and stays so.
   * Called every `WATCH`; a call while another one is at it does nothing.
   * @throws if the volume cannot be read; it is tried again by whoever is first after a while
   */
  measure(): Promise<void>;
}

export function createVolumeWatch(
  { clock, volumeMarks }: { readonly clock: Clock; readonly volumeMarks: WorkerMarks },
  { endpoint, worker, volume }: VolumeWatchConfig,
  { log, isFree }: VolumeWatchHost,
): VolumeWatch {
  /** Until when the volume need not be measured, as far as is known here; in milliseconds since the epoch. */
  let settledUntil = 0;
  let isMeasuring = false;

  async function isMine(): Promise<boolean> {
    const now = clock.now();
    const own = { worker, until: now + VOLUME_MEASURE.longest };
    const held = await volumeMarks.hold(endpoint, own, now);
    settledUntil = held.until;
    return isSame(held, own);
  }

  async function measureMine(): Promise<void> {
    const isInTime = () => clock.now() < settledUntil;
    const measured = await volumeSize(volume.path, {
      entries: VOLUME_MEASURE.entries,
      goOn: () => isFree() && isInTime(),
    });
    const now = clock.now();
    if (measured) log.info('The volume was measured.', { ...volumeFields(endpoint, measured, volume, now) });
    const until = now + (measured ? VOLUME_MEASURE.every : VOLUME_MEASURE.again);
    await volumeMarks.set(endpoint, { worker, until });
    settledUntil = until;
  }

  return {
    async measure() {
      if (isMeasuring || clock.now() < settledUntil || !isFree()) return;
      isMeasuring = true;
      try {
        if (await isMine()) await measureMine();
      } finally {
        isMeasuring = false;
      }
    },
  };
}
