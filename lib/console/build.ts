/**
 * The built files of the console. They are built in a separate process, because synthesis is synchronous and the build is
 * not, or built already in an installed package.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { builtFile, isBuilt, packageFolder } from '../settings/package-files.ts';

/** The package of the console, which contains the program that builds it and the built files. */
const PACKAGE = join(packageFolder, 'packages/console');
const PROGRAM = 'build/main.ts';
const FILES = 'dist/files';

/** Folder of an installed package with the built files. Their list, `files.json`, has the hash of the sources. */
const BUILT = 'console';

/** Set by `npm start`, which builds the console at the first request, so that the build does not delay the start. */
const BUILT_LATER = 'console:built-later';

/** Value of `sources` for a console that is built later, also in lambda/console/upload.ts. */
const LATER = 'later';

/**
 * Builds the console unless the build is up to date.
 * @returns the hash of its sources
 */
function build(): string {
  const output = execFileSync(process.execPath, [PROGRAM], {
    cwd: PACKAGE,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return output.trim();
}

export interface ConsoleBuild {
  /** Hash of the sources, or `later` or `not built` if there are no files. */
  readonly sources: string;
  /** Copies the built files into the folder of a function. */
  addFiles(folder: string): void;
}

function readBuilt(): string {
  const { sources } = JSON.parse(readFileSync(builtFile(BUILT, 'files.json'), 'utf8')) as { readonly sources: string };
  return sources;
}

const withoutFiles = (sources: string): ConsoleBuild => ({ sources, addFiles: () => undefined });

/**
 * Returns the console to deploy. A synthesis that bundles no functions, such as in tests, does not build the console.
 */
export function consoleBuildFor(scope: IConstruct): ConsoleBuild {
  if (scope.node.getAllContext()[BUILT_LATER]) return withoutFiles(LATER);
  if (!Stack.of(scope).bundlingRequired) return withoutFiles('not built');
  const [sources, files] = isBuilt ? [readBuilt(), builtFile(BUILT)] : [build(), join(PACKAGE, FILES)];
  return { sources, addFiles: (folder) => cpSync(files, join(folder, 'files'), { recursive: true }) };
}
