/** Copies the tree, and applies patches to the copy. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Copies the tree as git sees it, with uncommitted changes, and links the installed packages. The caller removes it. */
export function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'gpu-endpoints-mutants-'));
  const listing = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    encoding: 'utf8',
  });
  for (const file of listing.split('\0').filter(Boolean)) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    cpSync(file, join(copy, file));
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

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
