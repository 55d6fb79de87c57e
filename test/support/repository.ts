/**
 * Copies this repository with the declarations of the tests, so that the rehearsal can change them. A team has other
 * declarations in the repository.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

/** Files and folders that are not deployed or are large. */
const NOT_COPIED = new Set(['node_modules', 'cdk.out', 'coverage', 'dist', 'outputs.json', 'cdk.context.json']);

/** The declarations of the tests. */
const DECLARED = 'test/declared';
const ENDPOINTS = 'endpoints';
const SUFFIX = '.yaml';

/**
 * Copies `.npmrc` and all files except installed, built and hidden ones. The copy uses the installed packages of
 * the repository.
 */
export function copyRepository(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from))
    if (!name.startsWith('.') && !NOT_COPIED.has(name)) cpSync(join(from, name), join(to, name), { recursive: true });
  for (const folder of readdirSync(join(from, DECLARED))) {
    rmSync(join(to, folder), { recursive: true, force: true });
    cpSync(join(from, DECLARED, folder), join(to, folder), { recursive: true });
  }
  cpSync(join(from, '.npmrc'), join(to, '.npmrc'));
  symlinkSync(join(from, 'node_modules'), join(to, 'node_modules'));
}

const fileOf = (repository: string, endpoint: string) => join(repository, ENDPOINTS, `${endpoint}${SUFFIX}`);

/** Returns the ids of the declared endpoints, in their order. */
export const declaredEndpoints = (repository: string): string[] =>
  readdirSync(join(repository, ENDPOINTS))
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => name.slice(0, -SUFFIX.length))
    .sort();

/** Sets a field of an endpoint's declaration. */
export function declare(repository: string, endpoint: string, field: string, value: unknown): void {
  const file = fileOf(repository, endpoint);
  const declaration = parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, stringify({ ...declaration, [field]: value }));
}

export const removeDeclaration = (repository: string, endpoint: string): void => rmSync(fileOf(repository, endpoint));
