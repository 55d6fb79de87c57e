/** Applies patches to a copy of the tree. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A string that occurs once in a file, and its replacement. */
export interface Patch {
  readonly file: string;
  readonly replace: string;
  readonly by: string;
}

/** @throws if the patch does not fit, because the tests would then prove nothing */
export function assertFits(name: string, { file, replace }: Patch): void {
  const occurrences = readFileSync(file, 'utf8').split(replace).length - 1;
  if (occurrences !== 1)
    throw new Error(`Mutant "${name}": its string occurs ${occurrences} times in ${file}, but must occur once.`);
}

/** @returns a function that reverts the patch */
export function applyPatch(copy: string, { file, replace, by }: Patch): () => void {
  const path = join(copy, file);
  const original = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    original.replace(replace, () => by),
  );
  return () => writeFileSync(path, original);
}
