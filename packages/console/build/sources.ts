/** Hashes the sources of the console. If the hash has not changed, the last build is still valid. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The sources of the package, and the files at the root of the repository that change the build. */
const FILES = [
  '{*,!(dist|node_modules|test)/**/*}.{ts,tsx,css,html,json}',
  '../../package-lock.json',
  '../../tsconfig.json',
];

/** @param folder folder of the package */
export function sourcesHash(folder: string): string {
  const hash = createHash('sha256');
  for (const name of FILES.flatMap((pattern) => globSync(pattern, { cwd: folder })).sort())
    hash.update(`\0${name}\0`).update(readFileSync(join(folder, name)));
  return hash.digest('hex');
}
