/** Hashes the sources of the console. If the hash has not changed, the last build is still valid. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES = ['console/**/*.{ts,tsx,css,html,json}', 'package-lock.json', 'tsconfig.json'];

/** @param repository folder that holds `console/` */
export function sourcesHash(repository: string): string {
  const hash = createHash('sha256');
  for (const name of FILES.flatMap((pattern) => globSync(pattern, { cwd: repository })).sort())
    hash.update(`\0${name}\0`).update(readFileSync(join(repository, name)));
  return hash.digest('hex');
}
