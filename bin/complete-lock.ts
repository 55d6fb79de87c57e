/**
 * `npm run lock`: completes package-lock.json after `npm install`.
 *
 * A registry mirror may lack the optional binaries of other platforms (biome, swc and jest have dozens). npm then
 * omits them from the lock file, and `npm ci` refuses that file: "Missing: @swc/core-darwin-arm64@… from lock file".
 * An entry with `os` and `cpu` but without an address is enough, because npm skips it on all other platforms. The
 * entry has no `integrity` either. To install the binary on its own platform, run `npm install` against a registry
 * that has the binary. `--check` changes nothing and fails if an entry is missing.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface LockedPackage {
  version?: string;
  license?: string;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
}

const LOCK = 'package-lock.json';
const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];

/**
 * Returns whether the lock file has `name` where Node.js resolves it from `path`: in the folder of `path` or of a
 * parent.
 */
function isLocked(packages: Record<string, LockedPackage>, path: string, name: string): boolean {
  for (let from = path; ; from = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')))) {
    if (packages[`${from ? `${from}/` : ''}node_modules/${name}`]) return true;
    if (!from) return false;
  }
}

/**
 * Returns the entry of a binary without an address. It has the licence of the package that depends on the binary.
 */
function stub(name: string, version: string, { license, dev }: LockedPackage): LockedPackage {
  const parts = name.split(/[/-]/);
  const os = SYSTEMS.filter((system) => parts.includes(system));
  const cpu = PROCESSORS.filter((processor) => parts.includes(processor));
  if (os.length === 0) throw new Error(`${name} has no known platform in its name: add its entry to ${LOCK} manually`);
  // Without `libc`, npm installs the binary for musl beside the one for glibc.
  const libc = parts.includes('musl') && { libc: ['musl'] };
  return { version, cpu, ...(dev && { dev }), ...libc, ...(license && { license }), optional: true, os };
}

const lock = JSON.parse(readFileSync(LOCK, 'utf8')) as { packages: Record<string, LockedPackage> };
const missing = Object.entries(lock.packages).flatMap(([path, locked]) =>
  Object.entries(locked.optionalDependencies ?? {})
    .filter(([name]) => !isLocked(lock.packages, path, name))
    .map(([name, version]) => ({ name, entry: stub(name, version, locked) })),
);

if (process.argv.includes('--check')) {
  for (const { name } of missing) console.error(`${LOCK} lacks ${name}: run \`npm run lock\``);
  process.exitCode = missing.length > 0 ? 1 : 0;
} else {
  for (const { name, entry } of missing) lock.packages[`node_modules/${name}`] = entry;
  const [root, ...rest] = Object.entries(lock.packages);
  rest.sort(([a], [b]) => a.localeCompare(b, 'en'));
  lock.packages = Object.fromEntries(root ? [root, ...rest] : rest);
  writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${LOCK}: ${missing.length} entries added`);
}
