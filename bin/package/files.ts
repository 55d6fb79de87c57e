/** Copies the files of the package that need no build: data, scripts, documents, and what `init` writes. */
import { cpSync, globSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageFolder } from '../../lib/settings/package-files.ts';

/** Patterns, relative to the repository. */
const FILES = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'cdk.json',
  'lib/**/*.{yaml,sh,js}',
  'bin/{doctor,execution-policy,job-calls,saturation}/*.{yaml,json}',
  'bin/start/gpu-endpoints.mjs',
  'bin/init/files/**/*',
  'docs/execution-policy/*.json',
  // What `verify` compares responses with, and the program for clients that it runs.
  'docs/reference/{contract.md,verify.schema.json}',
  'docs/reference/openapi/*.json',
  'docs/guides/calling.md',
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
