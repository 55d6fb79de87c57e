/**
 * Builds the console into `dist/console-files`, unless its sources have not changed since it was built, and prints the
 * hash of the sources.
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

/** Builds beside the target, and puts the whole in its place: other processes may read or build at the same time. */
async function build(sources: string): Promise<void> {
  // React and Vite read it: with a test's value, or that of the user's shell, they would build for development.
  process.env.NODE_ENV = 'production';
  // Its import takes a fifth of a second, which an unchanged console saves.
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
