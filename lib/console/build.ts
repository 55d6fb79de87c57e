/** Builds the console in a process of its own, because synthesis is synchronous and the build is not. */
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { repository } from '../settings/declared-files.ts';

const PROGRAM = 'console/build/main.ts';
const FILES = 'dist/console-files';

/** Set by `npm start`, which builds the console at the first request for it: the start does not wait for it. */
const BUILT_LATER = 'console:built-later';

/** Name that lambda/console/upload.ts knows. */
const LATER = 'later';

/** Builds the console unless it is up to date. @returns the hash of its sources */
function build(): string {
  const output = execFileSync(process.execPath, [PROGRAM], {
    cwd: repository,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return output.trim();
}

export interface ConsoleBuild {
  /** Changes with the files. */
  readonly sources: string;
  /** Puts the built files into the folder of a function. */
  addFiles(folder: string): void;
}

const withoutFiles = (sources: string): ConsoleBuild => ({ sources, addFiles: () => undefined });

/**
 * Returns the console as it is deployed. Syntheses that bundle no functions, such as those of tests, do not build it.
 */
export function consoleBuildFor(scope: IConstruct): ConsoleBuild {
  if (scope.node.getAllContext()[BUILT_LATER]) return withoutFiles(LATER);
  if (!Stack.of(scope).bundlingRequired) return withoutFiles('not built');
  const sources = build();
  return { sources, addFiles: (folder) => cpSync(join(repository, FILES), join(folder, 'files'), { recursive: true }) };
}
