/** Copies the files of the package that need no build: data, scripts, documents, and what `init` writes. */
import { cpSync, globSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageFolder } from '../../lib/settings/package-files.ts';

/** Patterns, relative to the repository. */
export const FILES = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'cdk.json',
  'lib/**/*.{yaml,sh,js}',
  'bin/{doctor,execution-policy,job-calls,saturation}/*.{yaml,json}',
  'bin/start/gpu-endpoints.mjs',
  'bin/init/files/**/*',
  'docs/execution-policy/*.json',
  // Errors, comments and README name these pages. `verify` reads the contract, and a program of the guide for clients.
  'docs/README.md',
  'docs/{explanation,guides,reference,tutorials}/**/*.md',
  'docs/reference/*.schema.json',
  'docs/reference/openapi/*.json',
  // The declarations and examples of this repository are those that `init` writes.
  'images.yaml',
  '{endpoints,capacity,templates,environments}/**/*.yaml',
  'examples/{echo,http}/*',
];

export function copyFiles(folder: string): void {
  const files = globSync(FILES, { cwd: packageFolder, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) {
    const from = join(parentPath, name);
    const to = join(folder, from.slice(packageFolder.length));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to);
  }
}
