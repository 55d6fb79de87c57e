/**
 * `npm run lock`: checks package-lock.json before anything is built from it.
 *
 *  - Every package that CI and the images install has an `integrity`, so that npm refuses a package with other
 * content. Three kinds of entry need no hash: a bundled package, which is part of its parent's archive, a binary of
 * another platform, which is never installed (bin/complete-lock.ts), and a package of this repository with its link.
 *  - Every production package has a licence that is in `ALLOWED`.
 *
 * Reads the lock file of the working directory. Prints one line for each problem, and exits with 1 if there is one.
 */
import { readFileSync } from 'node:fs';

/** One name, or several. */
type Names = string | readonly string[];

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly inBundle?: boolean;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: Names;
  readonly cpu?: Names;
  readonly libc?: Names;
}

/**
 * Licences as they are written in the lock file. Each permits use and redistribution without publishing the
 * source of this project.
 */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  '(MIT OR Apache-2.0)',
];

/** Platforms on which CI and the images of this repository install packages. */
const SUPPORTED = { os: ['linux'], cpu: ['x64', 'arm64'], libc: ['glibc'] };

const listed = (names: Names = []): readonly string[] => (typeof names === 'string' ? [names] : names);

/**
 * Returns whether npm may install the package on a platform that builds this project. A missing field, or a field
 * with an excluded platform such as `!win32`, counts as a match.
 */
const isForUs = (locked: LockedPackage) =>
  (['os', 'cpu', 'libc'] as const).every((field) => {
    const names = listed(locked[field]);
    return names.length === 0 || names.some((name) => name.startsWith('!') || SUPPORTED[field].includes(name));
  });

/** Returns whether the entry is a package of this repository, or the link to one. */
const isWorkspace = ([path, { link }]: [string, LockedPackage]) => link === true || !path.includes('node_modules/');

function* problemsOf([path, locked]: [string, LockedPackage]): Generator<string> {
  const name = `${path.split('node_modules/').at(-1)}@${locked.version}`;
  const isSkipped = locked.optional && !isForUs(locked);
  if (!locked.integrity && !locked.inBundle && !isSkipped)
    yield `${name} has no \`integrity\`: run \`npm install\` against a registry that has the package`;
  if (!locked.dev && !ALLOWED.includes(locked.license ?? ''))
    yield `${name} has the licence ${locked.license ?? '(none stated)'}; allowed are ${ALLOWED.join(', ')}`;
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockedPackage> };
const packages = Object.entries(lock.packages).filter((entry) => !isWorkspace(entry));
const problems = packages.flatMap((entry) => [...problemsOf(entry)]);
for (const problem of problems) console.error(`package-lock.json: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else console.log(`package-lock.json: ${packages.length} packages checked`);
