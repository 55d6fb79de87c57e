/** Bundles the code of functions: one minified CommonJS file for each function, with all dependencies. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { IConstruct } from 'constructs';
import { buildSync, version } from 'esbuild';
import { repository } from '../settings/declared-files.ts';
import { type Built, type Bundles, keptBundles } from './kept-bundles.ts';

const SOURCES = 'lambda/*/*.ts';

/**
 * Modules with which the SDK finds credentials outside of the environment. Credentials of a function are always in
 * the environment. These modules would be a sixth of a bundle, and the Lambda runtime contains them.
 */
const OTHER_CREDENTIALS = [
  ...['http', 'ini', 'login', 'process', 'sso', 'web-identity'].map((kind) => `@aws-sdk/credential-provider-${kind}`),
  '@smithy/credential-provider-imds',
];

/** Context key that `npm start` sets: keeps the bundles for the next synthesis. */
const KEEP_BUNDLES = 'bundles:kept';
const KEPT_FILE = join(repository, 'node_modules/.cache/bundles');
/** Files that affect how modules are found. */
const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json'];

/** Bundles all functions. Bundling them one by one would take most of the time of a synthesis. */
function build(entries: readonly string[]): Built {
  const { outputFiles, metafile } = buildSync({
    entryPoints: entries.map((entry) => ({ in: join(repository, entry), out: entry })),
    absWorkingDir: repository,
    outdir: repository,
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    external: OTHER_CREDENTIALS,
    logLevel: 'warning',
  });
  const bundles = outputFiles.map(({ path, contents }) => [relative(repository, path), contents] as const);
  return { bundles: new Map(bundles), inputs: Object.keys(metafile.inputs) };
}

/** Returns everything beside the inputs that determines the bundles. */
function settingsOf(entries: readonly string[]): string {
  const files = [import.meta.filename, ...SETTINGS.map((name) => join(repository, name))];
  return [version, ...entries, ...files.map((file) => readFileSync(file, 'utf8'))].join('\0');
}

let built: Bundles | undefined;

/**
 * Returns the bundles of all functions, by path of the source file plus `.js`. The first call
 * of a process decides whether they are kept.
 */
export function functionBundles(keep: boolean): Bundles {
  if (built) return built;
  const entries = globSync(SOURCES, { cwd: repository }).sort();
  built = keep ? keptBundles(KEPT_FILE, settingsOf(entries), repository, () => build(entries)) : build(entries).bundles;
  return built;
}

/**
 * Returns the code of one function.
 * @param scope scope of the function
 * @param entry path of the source file in the repository
 * @param addFiles adds files to the folder of the code
 */
export function bundle(scope: IConstruct, entry: string, addFiles?: (folder: string) => void): Code {
  const keep = scope.node.getAllContext()[KEEP_BUNDLES] === true;
  return Code.fromAsset(join(repository, dirname(entry)), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // This image is never pulled, because the local bundling below always succeeds.
      image: DockerImage.fromRegistry('scratch'),
      // Distinguishes the assets that have the same folder.
      command: [entry],
      local: {
        tryBundle(folder) {
          const content = functionBundles(keep).get(`${entry}.js`);
          if (!content) throw new Error(`${entry} does not exist, or does not match ${SOURCES}.`);
          writeFileSync(join(folder, 'index.js'), content);
          addFiles?.(folder);
          return true;
        },
      },
    },
  });
}
