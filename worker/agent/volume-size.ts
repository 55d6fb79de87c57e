/** How much of a disk the files below a folder take. */
import { lstat, opendir } from 'node:fs/promises';
import type { Measured } from '../../core/workers/volume.ts';

/** Of `st_blocks`, whatever the file system. */
const BLOCK = 512;

/** Names are bytes, and not all of them are text: each byte is a character of this, and comes back as it was. */
const BYTES = 'latin1';

const isGone = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

export interface SizeLimits {
  /** How many files and folders are looked at. */
  readonly entries: number;
  /** Asked before each of them. */
  goOn(): boolean;
}

/**
 * One request after the other, each of which yields: a file system in a network that hangs keeps one thread of the process
 * waiting, and no more.
 * @returns nothing if it was not to go on
 * @throws if the folder itself cannot be read
 */
export async function volumeSize(root: string, { entries: most, goOn }: SizeLimits): Promise<Measured | undefined> {
  const folders = [Buffer.from(root).toString(BYTES)];
  /** Files that have several names count once. */
  const linked = new Set<number>();
  let [bytes, entries, unreadable] = [0, 0, 0];

  /** What goes while it is looked at was nothing. */
  function missed(error: unknown): void {
    if (!isGone(error)) unreadable += 1;
  }

  async function look(path: string): Promise<void> {
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
        if (!goOn()) return undefined;
        if (entries === most) return { bytes, entries, unreadable, complete: false };
        entries += 1;
        await look(`${folder}/${name}`).catch(missed);
      }
    } catch (error) {
      if (entries === 0) throw error;
      missed(error);
    }
  }
  return { bytes, entries, unreadable, complete: true };
}
