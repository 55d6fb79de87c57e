/**
 * Builds the console into `dist/console-files` if its sources have changed since the last build. Prints the hash of the
 * sources.
 *
 *     npm run console:build
 */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Built, LIST, writeFiles } from './files.ts';
import { sourcesHash } from './sources.ts';

const repository = dirname(dirname(import.meta.dirname));
const dist = join(repository, 'dist');
const target = join(dist, 'console-files');

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
  const folder = mkdtempSync(join(dist, 'console-'));
  try {
    const outDir = join(folder, 'raw');
    await bundle({ configFile: join(repository, 'console/vite.config.ts'), logLevel: 'warn', build: { outDir } });
    await writeFiles(outDir, join(folder, 'files'), sources);
    if (builtFrom(target) === sources) return;
    rmSync(target, { recursive: true, force: true });
    renameSync(join(folder, 'files'), target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const sources = sourcesHash(repository);
if (builtFrom(target) !== sources) await build(sources);
console.log(sources);
