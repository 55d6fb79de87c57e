/**
 * Builds what an installed package has built already: functions, the images of agent and ingress, the console, and the
 * tests of `verify`.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { functionBundles } from '../../lib/constructs/bundle.ts';
import { packageFolder } from '../../lib/settings/package-files.ts';

const run = (program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { cwd: packageFolder, stdio: ['ignore', 'ignore', 'inherit'] });

function write(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Programs of images, by name of the image: the folder with their Dockerfile. */
const programs = { agent: 'worker', ingress: 'ingress' } as const;

/** Returns the last stage of a Dockerfile, which copies the program from its folder instead of an earlier stage. */
function lastStage(dockerfile: string): string {
  const [, stage = ''] = dockerfile.split(/^(?=FROM )/m).slice(-2);
  return stage.replace(/^COPY --from=build \/build\/dist\/\w+\//m, 'COPY ');
}

/** Returns the list of images that run on a laptop, with the programs in one file each. */
function builtImages(list: string): string {
  return Object.entries(programs).reduce(
    (text, [name, folder]) => text.replace(`${folder}/main.ts`, `built/images/${name}/${name}.cjs`),
    list,
  );
}

/** What packages in CommonJS need and a module lacks. */
const COMMONJS =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url), __dirname = import.meta.dirname;";

/** Bundles the tests of the contract's rows, so that an installation needs no package for tests. */
function buildVerify(outdir: string): void {
  buildSync({
    entryPoints: ['rows', 'reporter'].map((name) => join(packageFolder, `bin/verify/${name}.ts`)),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: { js: COMMONJS },
    logLevel: 'error',
  });
}

/** @param folder folder of the package */
export async function buildPrograms(folder: string): Promise<void> {
  const built = join(folder, 'built');
  for (const [path, code] of functionBundles(false)) write(join(built, 'functions', path), code);
  for (const [name, source] of Object.entries(programs)) {
    run('npm', 'run', '--silent', `${name}:bundle`);
    const image = join(built, 'images', name);
    mkdirSync(image, { recursive: true });
    cpSync(join(packageFolder, `dist/${name}/${name}.cjs`), join(image, `${name}.cjs`));
    write(join(image, 'Dockerfile'), lastStage(readFileSync(join(packageFolder, source, 'Dockerfile'), 'utf8')));
  }
  run('npm', 'run', '--silent', 'build', '-w', 'packages/console');
  cpSync(join(packageFolder, 'packages/console/dist/files'), join(built, 'console'), { recursive: true });
  buildVerify(join(built, 'verify'));
  const images = 'bin/start/images.yaml';
  write(join(folder, images), builtImages(readFileSync(join(packageFolder, images), 'utf8')));
}
