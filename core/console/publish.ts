/**
 * Publishes a build of the console: writes its files, and removes those of earlier builds 30 days after a later build
 * replaced them. Until then an open page can load its remaining files.
 */
import { DAY } from '../limits.ts';

/** A built file as it is stored and served. */
export interface ConsoleFile {
  /** Below `/console/`. */
  readonly path: string;
  readonly contentType: string;
  readonly cacheControl: string;
  readonly encoding?: string | undefined;
  readonly content: Uint8Array;
}

/** When a later build replaced a file, in milliseconds since the epoch, by path. */
export type Replaced = Readonly<Record<string, number>>;

/** The port to the storage of the files. */
export interface ConsoleStore {
  paths(): Promise<readonly string[]>;
  write(file: ConsoleFile): Promise<void>;
  remove(path: string): Promise<void>;
  readReplaced(): Promise<Replaced>;
  writeReplaced(replaced: Replaced): Promise<void>;
  /** Removes all files, and the list of replaced ones. */
  clear(): Promise<void>;
}

/** Milliseconds that a replaced file stays. */
export const KEPT = 30 * DAY;

/** The page, which names the other files. */
const PAGE = 'index.html';

/** @param now milliseconds since the epoch */
export async function publish(store: ConsoleStore, files: readonly ConsoleFile[], now: number): Promise<void> {
  // The page comes last: the files that it names exist by then.
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
