/**
 * Gives each test file its own instances of the project's modules, and shares installed packages between the
 * files of a process. Loading the AWS SDK and the CDK takes longer than most test files, and neither has state
 * that a test could see.
 */
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** File of a project's folder, which all its packages share. */
const LOCK_FILE = 'package-lock.json';

/** Returns the nearest folder with a lock file, so that the runner can move to any folder of the project. */
function projectAbove(folder: string): string {
  if (existsSync(join(folder, LOCK_FILE))) return folder;
  const parent = dirname(folder);
  if (parent === folder)
    throw new Error(`No folder above ${import.meta.dirname} has a ${LOCK_FILE}: run \`npm install\`.`);
  return projectAbove(parent);
}

const RUNNER = new URL('.', import.meta.url).href;
const PROJECT = `${pathToFileURL(projectAbove(import.meta.dirname)).href}/`;
const GLOBALS = new URL('jest-globals.ts', import.meta.url).href;

/**
 * Number of test files and calls of `jest.resetModules` so far. It is part of the address of every module that is
 * loaded.
 */
let generation = 0;

/**
 * TypeScript without its types, by address. It is cached because stripping takes longer than running most
 * modules.
 */
const stripped = new Map<string, string>();

function sourceOf(url: string): string {
  const known = stripped.get(url);
  if (known !== undefined) return known;
  const file = fileURLToPath(url);
  // Stack traces contain the file, not the address with its generation.
  const source = `${stripTypeScriptTypes(readFileSync(file, 'utf8'))}\n//# sourceURL=${file}`;
  stripped.set(url, source);
  return source;
}

/** Returns whether a file is a module of the runner: those are directly in its folder, not in folders below it. */
const isOfRunner = (url: string) => url.startsWith(RUNNER) && !url.slice(RUNNER.length).includes('/');

/**
 * Returns whether a module belongs to the project. Node.js resolves the links in `node_modules` to packages of the
 * project, so the addresses of their modules have no `node_modules`.
 */
const isOfProject = (url: string) =>
  url.startsWith(PROJECT) && url.endsWith('.ts') && !isOfRunner(url) && !url.includes('/node_modules/');

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: GLOBALS, shortCircuit: true };
    const resolved = next(specifier, context);
    return isOfProject(resolved.url) ? { ...resolved, url: `${resolved.url}?generation=${generation}` } : resolved;
  },

  load(url, context, next) {
    const [address = url, query] = url.split('?');
    if (query === undefined || !isOfProject(address)) return next(url, context);
    return { format: 'module', source: sourceOf(address), shortCircuit: true };
  },
});

/** Starts a new generation: modules that are loaded from now on are new instances. */
export function resetModules(): void {
  generation += 1;
}

/**
 * Loads a test file with new instances of the project's modules.
 * @throws if the file is outside of the project, because its modules would be shared between files
 */
export async function importFresh(path: string): Promise<unknown> {
  const url = pathToFileURL(path).href;
  if (!url.startsWith(PROJECT))
    throw new Error(
      `${path} is outside of ${fileURLToPath(PROJECT)}, so its modules cannot be isolated. Move it inside.`,
    );
  resetModules();
  return import(url);
}
