/**
 * Builds the console into `dist/files` of this package if its sources have changed since the last build. Prints the hash of the
 * sources.
 *
 *     npm run build -w packages/console
 */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Built, LIST, writeFiles } from './files.ts';
import { sourcesHash } from './sources.ts';

const folder = dirname(import.meta.dirname);
const dist = join(folder, 'dist');
const target = join(dist, 'files');

function builtFrom(folder: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(folder, LIST), 'utf8')) as Built).sources;
  } catch {
    return undefined;
  }
}

/**
 * Builds into a temporary folder and then replaces the target, because other processes can read or build the
 * console at the same time.
 */
async function build(sources: string): Promise<void> {
  // With the `NODE_ENV` of a test or of the user's shell, React and Vite could build for development.
  process.env.NODE_ENV = 'production';
  // Importing Vite takes a fifth of a second, so an unchanged console does not import it.
  const { build: bundle } = await import('vite');
  mkdirSync(dist, { recursive: true });
  const temporary = mkdtempSync(join(dist, 'build-'));
  try {
    const outDir = join(temporary, 'raw');
    await bundle({ configFile: join(folder, 'vite.config.ts'), logLevel: 'warn', build: { outDir } });
    await writeFiles(outDir, join(temporary, 'files'), sources);
    if (builtFrom(target) === sources) return;
    rmSync(target, { recursive: true, force: true });
    renameSync(join(temporary, 'files'), target);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

const sources = sourcesHash(folder);
if (builtFrom(target) !== sources) await build(sources);
console.log(sources);
