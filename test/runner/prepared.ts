/**
 * Caches folders and texts that take long to make and depend only on the sources. The first test that needs one makes
 * it; later tests, and later runs over the same sources, reuse it.
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
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serialize } from 'node:v8';
import { inRunFolder, isInRun } from './run-folder.ts';

const CACHE = resolve('node_modules/.cache/gpu-endpoints-tests');
/** Milliseconds after which a folder of older sources is removed. */
const KEPT = 24 * 3_600_000;
/** Milliseconds that another test file may take to make a folder on a busy machine, and between two polls. */
const LIMIT = 300_000;
const LOOK = 100;

/** Returns a hash of the files' contents. @param sources glob patterns */
function fingerprint(sources: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of globSync([...sources, 'package-lock.json', 'cdk.json']).sort())
    if (statSync(file).isFile()) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

function removeOutdated(): void {
  for (const name of readdirSync(CACHE)) {
    const folder = join(CACHE, name);
    // A draft that another process has just finished has a new name.
    const { mtimeMs = Date.now() } = statSync(folder, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > KEPT) rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether this is the one process of the run that makes the folder; a separate command has no others. */
function isFirst(name: string): boolean {
  if (!isInRun()) return true;
  try {
    mkdirSync(inRunFolder(`making-${name}`));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Another run over the same sources may have finished first. */
function place(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * @param sources glob patterns of all files that determine the folder's content
 * @param make fills the folder, which exists and is empty
 * @returns the folder's absolute path; all tests share it, so it is read only
 */
export async function prepared(
  name: string,
  sources: readonly string[],
  make: (folder: string) => Promise<void> | void,
): Promise<string> {
  const folder = join(CACHE, `${name}-${fingerprint(sources)}`);
  if (existsSync(folder)) return folder;
  if (isFirst(name)) {
    mkdirSync(CACHE, { recursive: true });
    removeOutdated();
    const draft = `${folder}.${process.pid}`;
    mkdirSync(draft);
    await make(draft);
    place(draft, folder);
  }
  for (const deadline = Date.now() + LIMIT; !existsSync(folder); await delay(LOOK))
    if (Date.now() > deadline) throw new Error(`The test file that was to make ${folder} has not done so.`);
  return folder;
}

/** Folders of texts, by name: the sources stay as they are while a process runs tests. */
const folders = new Map<string, string>();

function folderOfTexts(name: string, sources: readonly string[]): string {
  const known = folders.get(name);
  if (known !== undefined) return known;
  const folder = join(CACHE, `${name}-${fingerprint(sources)}`);
  mkdirSync(folder, { recursive: true });
  // A folder in use is not outdated.
  utimesSync(folder, new Date(), new Date());
  removeOutdated();
  folders.set(name, folder);
  return folder;
}

/**
 * Waits for no other process: two that need a text at the same time both make it.
 * @param sources glob patterns of all files that determine the text
 * @param given everything else that determines it
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
