/** The programs of the peers: their packages, which the command installs, and the servers of this machine. */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { report } from '../command.ts';

/** Folder of the peers' own programs. */
export const PROGRAMS = join(import.meta.dirname, 'programs');

const LOCK = ['package.json', 'package-lock.json'];
const run = promisify(execFile);

let installing: Promise<string> | undefined;

async function install(): Promise<string> {
  const digest = createHash('sha256');
  for (const name of LOCK) digest.update(readFileSync(join(import.meta.dirname, name)));
  const folder = resolve('node_modules/.cache', `peers-${digest.digest('hex').slice(0, 16)}`);
  if (!existsSync(folder)) {
    report(`Installing the packages of packages/lab/bench/peers/package.json into ${folder} ...`);
    const made = `${folder}.${process.pid}`;
    mkdirSync(made, { recursive: true });
    try {
      for (const name of LOCK) cpSync(join(import.meta.dirname, name), join(made, name));
      await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev'], { cwd: made });
      renameSync(made, folder);
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  }
  // Node.js looks for packages in the folders above a program.
  cpSync(PROGRAMS, join(folder, 'programs'), { recursive: true });
  return join(folder, 'programs');
}

/**
 * Installs the packages of the peers at its first use.
 * @returns the folder of the programs that use them
 */
export function programsWithPackages(): Promise<string> {
  installing ??= install();
  return installing;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the path of the first program that is installed. Debian keeps those of PostgreSQL outside of PATH. */
export function findProgram(...names: readonly string[]): string | undefined {
  const folders = [
    ...(process.env.PATH ?? '').split(':'),
    ...globSync('/usr/lib/postgresql/*/bin').toSorted().reverse(),
  ];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/** @throws Error if the program is not installed */
export function programNamed(...names: readonly string[]): string {
  const found = findProgram(...names);
  if (found === undefined) throw new Error(`${names.join(' or ')} is not installed.`);
  return found;
}

/** Returns the first version number that the program prints for `--version`. */
export const versionOf = (program: string): string =>
  /\d+(?:\.\d+)+/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[0] ?? 'of unknown version';

const versions = (): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')).dependencies;

/** Returns the package with its version, such as `bullmq 6.7.0`. */
export const packageVersion = (name: string): string => `${name} ${versions()[name]}`;
