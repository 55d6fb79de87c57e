/** `npm run sdk:pack`: packs the worker SDK as an npm package, for workers in other repositories. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const repository = dirname(import.meta.dirname);
const DESTINATION = 'dist';
const SDK = 'worker/sdk/serve.ts';
/** The declarations that the exports of the SDK refer to. */
const DECLARATIONS = ['worker/sdk/serve.d.ts', 'worker/sdk/handler.d.ts', 'aws/environment.d.ts'];

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: repository, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const runPackage = (name: string, ...args: string[]) => run(join(repository, 'node_modules/.bin', name), ...args);

/** Writes the declarations of the SDK below the folder. */
function writeDeclarations(folder: string): void {
  const made = `${folder}-declarations`;
  const options = ['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--allowImportingTsExtensions'];
  const language = ['--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,esnext.array', '--types', 'node'];
  runPackage('tsc', ...options, ...language, '--skipLibCheck', '--rootDir', '.', '--outDir', made, SDK);
  for (const name of DECLARATIONS) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(join(made, name), join(folder, name));
  }
  rmSync(made, { recursive: true });
}

/**
 * Packs the SDK.
 * @returns path of the package, relative to the repository
 */
function pack(): string {
  const { name, version, license } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    readonly [field: string]: string;
  };
  const folder = resolve(repository, DESTINATION, 'sdk');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const bundle = ['--bundle', '--platform=node', '--target=node24', '--format=esm', '--log-level=warning'];
  runPackage('esbuild', SDK, ...bundle, `--outfile=${join(folder, 'worker.js')}`);
  writeDeclarations(folder);
  copyFileSync(join(repository, 'LICENSE'), join(folder, 'LICENSE'));
  const manifest = {
    name,
    version,
    license,
    description: 'The worker SDK of gpu-endpoints.',
    type: 'module',
    engines: { node: '>=24' },
    exports: { './worker': { types: `./${DECLARATIONS[0]}`, default: './worker.js' } },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, undefined, 2));
  return join(DESTINATION, run('npm', 'pack', folder, '--silent', '--pack-destination', DESTINATION).trim());
}

console.log(pack());
