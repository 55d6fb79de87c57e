/** `npm run package`: packs this repository as the npm package that teams install. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../lib/settings/package-files.ts';
import { readFlags, runCommand } from './flags.ts';
import { buildPrograms } from './package/built.ts';
import { compile } from './package/compile.ts';
import { copyFiles } from './package/files.ts';
import { writeManifest } from './package/manifest.ts';

const HELP = `Usage: npm run package -- [options]

Packs this repository as the npm package gpu-endpoints, which a team installs instead of a copy of the repository. The
package has JavaScript with declarations, the documentation, and functions, images and the console built already, so that a
synthesis needs no bundler. Prints the path of the tarball and its size. Exits with 1 if it is larger than its budget.

  --help   print this help
`;

const FOLDER = 'dist/package';
const MB = 1_024 * 1_024;
/** Maximum bytes of the tarball, and of the files in it. */
const BUDGET = { tarball: 11 * MB, unpacked: 45 * MB };

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly entryCount: number;
}

const inMb = (bytes: number) => `${(bytes / MB).toFixed(1)} MB`;

/** @returns the tarball that npm has made of the folder, in `dist` */
function pack(folder: string): Packed {
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', '..'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [packed] = JSON.parse(output) as Packed[];
  if (!packed) throw new Error('npm pack has made no tarball.');
  return packed;
}

async function main(): Promise<void> {
  const { help } = readFlags('package', { help: { type: 'boolean', default: false } }, process.argv.slice(2));
  if (help) return void console.log(HELP);
  const folder = join(packageFolder, FOLDER);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  compile(folder);
  copyFiles(folder);
  await buildPrograms(folder);
  writeManifest(folder);
  const { filename, unpackedSize, entryCount } = pack(folder);
  const tarball = join('dist', filename);
  const { size } = statSync(join(packageFolder, tarball));
  console.log(`${tarball}: ${inMb(size)} of ${inMb(BUDGET.tarball)} allowed`);
  console.log(`unpacked: ${entryCount} files, ${inMb(unpackedSize)} of ${inMb(BUDGET.unpacked)} allowed`);
  if (size > BUDGET.tarball || unpackedSize > BUDGET.unpacked)
    throw new Error('The package is larger than its budget.');
}

runCommand(main);
