/**
 * Measures the volume of an endpoint. EFS neither limits nor measures a folder, so one of the endpoint's workers
 * measures the folder from time to time, while it has no job.
 */
import { lstat, opendir } from 'node:fs/promises';
import type { Clock } from '../../core/clock.ts';
import { VOLUME_MEASURE } from '../../core/limits.ts';
import { isSame, type WorkerMarks } from '../../core/workers/lease.ts';
import { type Measured, type SeenVolume, volumeFields } from '../../core/workers/volume-metrics.ts';
import type { AgentLog } from './ports.ts';

export interface VolumeWatchConfig {
  readonly endpoint: string;
  readonly worker: string;
  readonly volume: SeenVolume;
}

export interface VolumeWatchHost {
  readonly log: AgentLog;
  /** Whether the agent has no job and still takes jobs. */
  isFree(): boolean;
}

export interface VolumeWatch {
  /**
   * Measures the volume and logs its size, if a measurement is due, no other worker runs one, and the agent stays
   * free. Called every `WATCH`. Does nothing while another call measures.
   * @throws if the volume cannot be read; after a while one of the workers retries
   */
  measure(): Promise<void>;
}

export function createVolumeWatch(
  { clock, volumeMarks }: { readonly clock: Clock; readonly volumeMarks: WorkerMarks },
  { endpoint, worker, volume }: VolumeWatchConfig,
  { log, isFree }: VolumeWatchHost,
): VolumeWatch {
  /** Time before which, as far as this worker can tell, no measurement is due, in milliseconds since the epoch. */
  let markedUntil = 0;
  let isMeasuring = false;

  async function acquireMark(): Promise<boolean> {
    const now = clock.now();
    const own = { worker, until: now + VOLUME_MEASURE.maxTime };
    const held = await volumeMarks.hold(endpoint, own, now);
    markedUntil = held.until;
    return isSame(held, own);
  }

  async function measureMarked(): Promise<void> {
    const isInTime = () => clock.now() < markedUntil;
    const measured = await volumeSize(volume.path, {
      entries: VOLUME_MEASURE.entries,
      mayContinue: () => isFree() && isInTime(),
    });
    const now = clock.now();
    if (measured) log.info('The volume was measured.', { ...volumeFields(endpoint, measured, volume, now) });
    const until = now + (measured ? VOLUME_MEASURE.every : VOLUME_MEASURE.again);
    await volumeMarks.set(endpoint, { worker, until });
    markedUntil = until;
  }

  return {
    async measure() {
      if (isMeasuring || clock.now() < markedUntil || !isFree()) return;
      isMeasuring = true;
      try {
        if (await acquireMark()) await measureMarked();
      } finally {
        isMeasuring = false;
      }
    },
  };
}

/** Bytes of one block of `st_blocks`, on every file system. */
const BLOCK = 512;

/**
 * Names of files are bytes and need not be text. In this encoding each byte is a character, and is written back
 * unchanged.
 */
const BYTES = 'latin1';

const isGone = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

export interface SizeLimits {
  /** Maximum number of files and folders to read. */
  readonly entries: number;
  /**
   * Called before each file or folder is read.
   * @returns false to stop the measurement
   */
  mayContinue(): boolean;
}

/**
 * Measures the disk space of the files below a folder. The requests run one after the other and asynchronously,
 * so a network file system that hangs blocks only one thread of the process.
 * @returns undefined if `mayContinue` has returned false
 * @throws if the folder itself cannot be read
 */
export async function volumeSize(
  root: string,
  { entries: maxEntries, mayContinue }: SizeLimits,
): Promise<Measured | undefined> {
  const folders = [Buffer.from(root).toString(BYTES)];
  /** Counts files with several names only once. */
  const linked = new Set<number>();
  let [bytes, entries, unreadable] = [0, 0, 0];

  /** Counts a file or folder that cannot be read, unless it was removed during the measurement. */
  function missed(error: unknown): void {
    if (!isGone(error)) unreadable += 1;
  }

  async function add(path: string): Promise<void> {
    const status = await lstat(Buffer.from(path, BYTES));
    const isFolder = status.isDirectory();
    if (isFolder) folders.push(path);
    else if (status.nlink > 1 && linked.has(status.ino)) return;
    else if (status.nlink > 1) linked.add(status.ino);
    bytes += status.blocks * BLOCK;
  }

  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    try {
      for await (const { name } of await opendir(Buffer.from(folder, BYTES), { encoding: BYTES })) {
        if (!mayContinue()) return undefined;
        if (entries === maxEntries) return { bytes, entries, unreadable, complete: false };
        entries += 1;
        await add(`${folder}/${name}`).catch(missed);
      }
    } catch (error) {
      if (entries === 0) throw error;
      missed(error);
    }
  }
  return { bytes, entries, unreadable, complete: true };
}
