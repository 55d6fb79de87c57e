/**
 * Keeps the bundles of functions from one `npm start` to the next, because bundling takes two thirds of a synthesis. A
 * deployment bundles every time.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { deserialize, serialize } from 'node:v8';

/** Code by the path of its source file in the repository, plus `.js`. */
export type Bundles = ReadonlyMap<string, Uint8Array>;

export interface Built {
  readonly bundles: Bundles;
  /** All files that the bundles were made of, relative to the repository. */
  readonly inputs: readonly string[];
}

interface Kept {
  /** Everything else that determines the bundles. */
  readonly settings: string;
  /** The hash of each input by its path, which is absolute outside the repository. */
  readonly inputs: ReadonlyMap<string, string>;
  readonly bundles: Bundles;
}

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Returns the kept bundles, or undefined if there are none or an input has changed. */
function read(file: string, settings: string, repository: string): Bundles | undefined {
  try {
    const kept = deserialize(readFileSync(file)) as Kept;
    const isCurrent = [...kept.inputs].every(([path, hash]) => hashOf(resolve(repository, path)) === hash);
    return kept.settings === settings && isCurrent ? kept.bundles : undefined;
  } catch {
    // The file is missing or damaged, or an input is missing.
    return undefined;
  }
}

/** Replaces the file, which another synthesis may be reading. */
function write(file: string, kept: Kept): void {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(draft, serialize(kept));
    renameSync(draft, file);
  } catch {
    // The folder is read-only or the disk is full: the next synthesis bundles again.
    rmSync(draft, { force: true });
  }
}

/**
 * Returns the kept bundles if all their inputs are unchanged. Otherwise builds and keeps them.
 * @param settings options and versions that determine the bundles beside their inputs
 */
export function keptBundles(file: string, settings: string, repository: string, build: () => Built): Bundles {
  const kept = read(file, settings, repository);
  if (kept) return kept;
  const { bundles, inputs } = build();
  const hashes = inputs.map((path): [string, string] => {
    const input = resolve(repository, path);
    const within = relative(repository, input);
    return [within.startsWith('..') || isAbsolute(within) ? input : within, hashOf(input)];
  });
  write(file, { settings, inputs: new Map(hashes), bundles });
  return bundles;
}
