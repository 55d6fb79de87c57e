/**
 * The code of functions: one minified CommonJS file for each function, with all dependencies. It is bundled at synthesis,
 * or built already in an installed package.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { IConstruct } from 'constructs';
import type Esbuild from 'esbuild';
import { builtFile, isBuilt, packageFolder } from '../settings/package-files.ts';
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
const KEPT_FILE = join(packageFolder, 'node_modules/.cache/bundles');
/** Files that affect how modules are found. */
const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json'];

/** An installed package has no bundler, so it is loaded only where functions are bundled. */
const bundler = () => createRequire(import.meta.url)('esbuild') as typeof Esbuild;

/** Bundles all functions. Bundling them one by one would take most of the time of a synthesis. */
function build(entries: readonly string[]): Built {
  const { outputFiles, metafile } = bundler().buildSync({
    entryPoints: entries.map((entry) => ({ in: join(packageFolder, entry), out: entry })),
    absWorkingDir: packageFolder,
    outdir: packageFolder,
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
  const bundles = outputFiles.map(({ path, contents }) => [relative(packageFolder, path), contents] as const);
  return { bundles: new Map(bundles), inputs: Object.keys(metafile.inputs) };
}

/** Returns everything beside the inputs that determines the bundles. */
function settingsOf(entries: readonly string[]): string {
  const files = [import.meta.filename, ...SETTINGS.map((name) => join(packageFolder, name))];
  return [bundler().version, ...entries, ...files.map((file) => readFileSync(file, 'utf8'))].join('\0');
}

/** Folder of an installed package with the bundles, each below the path of its source file. */
const BUILT = 'functions';

function readBuilt(): Bundles {
  const folder = builtFile(BUILT);
  const paths = globSync('lambda/*/*.js', { cwd: folder });
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path))]));
}

function bundleAll(keep: boolean): Bundles {
  const entries = globSync(SOURCES, { cwd: packageFolder }).sort();
  if (!keep) return build(entries).bundles;
  return keptBundles(KEPT_FILE, settingsOf(entries), packageFolder, () => build(entries));
}

let bundles: Bundles | undefined;

/**
 * Returns the bundles of all functions, by path of the source file plus `.js`. The first call
 * of a process decides whether they are kept.
 */
export function functionBundles(keep: boolean): Bundles {
  bundles ??= isBuilt ? readBuilt() : bundleAll(keep);
  return bundles;
}

/**
 * Returns the code of one function.
 * @param scope scope of the function
 * @param entry path of the source file, relative to the folder of the package
 * @param addFiles adds files to the folder of the code
 */
export function bundle(scope: IConstruct, entry: string, addFiles?: (folder: string) => void): Code {
  const keep = scope.node.getAllContext()[KEEP_BUNDLES] === true;
  const folder = isBuilt ? builtFile(BUILT, dirname(entry)) : join(packageFolder, dirname(entry));
  return Code.fromAsset(folder, {
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
