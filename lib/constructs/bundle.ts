/** Bundles the code of functions: one minified CommonJS file for each function, with all dependencies. */
import { globSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';
import { repository } from '../settings/declared-files.ts';

const SOURCES = 'lambda/*/*.ts';

/**
 * Modules with which the SDK finds credentials outside of the environment. Credentials of a function are always in
 * the environment. These modules would be a seventh of a bundle, and are also part of the runtime.
 */
const OTHER_CREDENTIALS = ['ini', 'login', 'process', 'sso', 'web-identity'].map(
  (kind) => `@aws-sdk/credential-provider-${kind}`,
);

let built: ReadonlyMap<string, Uint8Array> | undefined;

/**
 * Returns the bundles of all functions by source file. Bundling them one by one would take most of the time of a
 * synthesis.
 */
function bundles(): ReadonlyMap<string, Uint8Array> {
  if (built) return built;
  const entries = globSync(SOURCES, { cwd: repository });
  const { outputFiles } = buildSync({
    entryPoints: entries.map((entry) => ({ in: join(repository, entry), out: entry })),
    absWorkingDir: repository,
    outdir: repository,
    write: false,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    external: OTHER_CREDENTIALS,
    logLevel: 'warning',
  });
  built = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
  return built;
}

/**
 * Returns the code of one function.
 * @param entry path of the source file in the repository
 * @param addFiles adds files to the folder of the code
 */
export function bundle(entry: string, addFiles?: (folder: string) => void): Code {
  return Code.fromAsset(join(repository, dirname(entry)), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // This image is never pulled, because the local bundling below always succeeds.
      image: DockerImage.fromRegistry('scratch'),
      // Distinguishes the assets that have the same folder.
      command: [entry],
      local: {
        tryBundle(folder) {
          const content = bundles().get(join(repository, `${entry}.js`));
          if (!content) throw new Error(`${entry} does not match ${SOURCES}.`);
          writeFileSync(join(folder, 'index.js'), content);
          addFiles?.(folder);
          return true;
        },
      },
    },
  });
}
