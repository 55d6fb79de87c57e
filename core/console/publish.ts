/**
 * Publishes a build of the console: writes its files, and removes files of earlier builds that a later build
 * replaced at least 30 days ago. Until then, an open page can still load these files.
 */
import { DAY } from '../limits.ts';

/** A built file, as stored and served. */
export interface ConsoleFile {
  /** Path below `/console/`. */
  readonly path: string;
  readonly contentType: string;
  readonly cacheControl: string;
  readonly encoding?: string | undefined;
  readonly content: Uint8Array;
}

/** Time at which a later build replaced a file, in milliseconds since the epoch, by path. */
export type Replaced = Readonly<Record<string, number>>;

/** The port to the storage of the files. */
export interface ConsoleStore {
  paths(): Promise<readonly string[]>;
  write(file: ConsoleFile): Promise<void>;
  remove(path: string): Promise<void>;
  readReplaced(): Promise<Replaced>;
  writeReplaced(replaced: Replaced): Promise<void>;
  /** Removes all files, and the list of replaced files. */
  clear(): Promise<void>;
}

/** Time for which a replaced file is retained, in milliseconds. */
export const KEPT = 30 * DAY;

/** The page of the console, which loads the other files. */
const PAGE = 'index.html';

/**
 * Uploads a build of the console, and removes files that another build replaced at least `KEPT` ago.
 * @param now milliseconds since the epoch
 */
export async function publish(store: ConsoleStore, files: readonly ConsoleFile[], now: number): Promise<void> {
  // Write the page last, so that the files that it links to already exist.
  const [page, others] = [files.filter(({ path }) => path === PAGE), files.filter(({ path }) => path !== PAGE)];
  await Promise.all(others.map((file) => store.write(file)));
  await Promise.all(page.map((file) => store.write(file)));

  const current = new Set(files.map(({ path }) => path));
  const before = await store.readReplaced();
  const stored = (await store.paths()).filter((path) => !current.has(path));
  const replacedAt = (path: string) => before[path] ?? now;
  const old = stored.filter((path) => now - replacedAt(path) >= KEPT);
  await Promise.all(old.map((path) => store.remove(path)));
  const kept = stored.filter((path) => !old.includes(path));
  await store.writeReplaced(Object.fromEntries(kept.map((path) => [path, replacedAt(path)])));
}
