/**
 * Caches folders and strings that take long to create and depend only on the sources. The first test that needs
 * one creates it. Later tests, and later runs over the same sources, reuse it.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serialize } from 'node:v8';
import { inRunFolder, isInRun } from './run-folder.ts';

const CACHE = resolve('node_modules/.cache/gpu-endpoints-tests');
/** A folder is removed if it has not changed for this many milliseconds. */
const KEPT = 24 * 3_600_000;
/**
 * Milliseconds that another test file may need to create a folder on a busy machine, and milliseconds between two
 * polls.
 */
const LIMIT = 300_000;
const LOOK = 100;

/**
 * Returns a hash of the files' contents.
 * @param sources glob patterns
 */
function fingerprint(sources: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of globSync([...sources, 'package-lock.json', 'cdk.json']).sort())
    if (statSync(file).isFile()) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

function removeStale(): void {
  for (const name of readdirSync(CACHE)) {
    const folder = join(CACHE, name);
    // Another process may have finished and renamed its draft in the meantime.
    const { mtimeMs = Date.now() } = statSync(folder, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > KEPT) rmSync(folder, { recursive: true, force: true });
  }
}

const claimOf = (folder: string): string => inRunFolder(`making-${basename(folder)}`);

/**
 * Claims the creation of the folder. The claim is for one state of the sources, because they can change during a run.
 * @returns false if another process of the run has claimed it; a process outside a run gets every claim
 */
function claim(folder: string): boolean {
  if (!isInRun()) return true;
  try {
    mkdirSync(claimOf(folder));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Renames the draft. Another run over the same sources may have finished first. */
function place(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Creates the folder. After a failure, another process can claim the creation. */
async function create(folder: string, make: (folder: string) => Promise<void> | void): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  removeStale();
  try {
    await make(draft);
    place(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (isInRun()) rmSync(claimOf(folder), { recursive: true });
    throw error;
  }
}

/**
 * @param sources glob patterns of all files that determine the folder's content
 * @param make fills the folder, which exists and is empty
 * @returns the folder's absolute path; all tests share the folder, so it is read-only
 */
export async function prepared(
  name: string,
  sources: readonly string[],
  make: (folder: string) => Promise<void> | void,
): Promise<string> {
  const folder = join(CACHE, `${name}-${fingerprint(sources)}`);
  for (const deadline = Date.now() + LIMIT; !existsSync(folder); await delay(LOOK)) {
    if (claim(folder)) await create(folder, make);
    else if (Date.now() > deadline) throw new Error(`The test file that creates ${folder} has not finished in time.`);
  }
  return folder;
}

/** Folders of cached strings, by name: the sources do not change while a process runs tests. */
const folders = new Map<string, string>();

function folderOfTexts(name: string, sources: readonly string[]): string {
  const known = folders.get(name);
  if (known !== undefined) return known;
  const folder = join(CACHE, `${name}-${fingerprint(sources)}`);
  mkdirSync(folder, { recursive: true });
  // Updates the time of the folder, so that a folder in use is not removed.
  utimesSync(folder, new Date(), new Date());
  removeStale();
  folders.set(name, folder);
  return folder;
}

/**
 * Returns the cached string, or creates it. Does not wait for other processes: two processes that need a string at the same time both create it.
 * @param sources glob patterns of all files that determine the string
 * @param given everything else that determines the string
 */
export function preparedText(name: string, sources: readonly string[], given: unknown, make: () => string): string {
  const key = createHash('sha256').update(serialize(given)).digest('hex').slice(0, 16);
  const file = join(folderOfTexts(name, sources), key);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const text = make();
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
  return text;
}
