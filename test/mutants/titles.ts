/** Finds mutants whose tests do not exist, for example because a test was renamed. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutant } from './mutant.ts';

interface Listed {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string }[];
  }[];
}

/**
 * Loads the files without running their tests.
 * @returns the tests' full names, by file
 */
function listTests(files: readonly string[], config: string): [string, string[]][] {
  if (files.length === 0) return [];
  const output = join(tmpdir(), `mutants-${process.pid}.json`);
  const jest = ['node_modules/jest/bin/jest.js', '--config', config, '--runTestsByPath', ...files];
  const report = ['--json', '--outputFile', output];
  spawnSync(process.execPath, [...jest, '--testNamePattern', '^$', ...report], { stdio: 'ignore' });
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Listed;
  rmSync(output);
  return testResults.map(({ name, assertionResults }) => [name, assertionResults.map(({ fullName }) => fullName)]);
}

/** @returns the mutants whose tests do not exist */
export function withoutTests(mutants: readonly Mutant[]): Mutant[] {
  const files = [...new Set(mutants.map(({ test }) => test))];
  const isLong = (file: string) => file.endsWith('.long.ts');
  const names = new Map([
    ...listTests(
      files.filter((file) => !isLong(file)),
      'jest.config.mjs',
    ),
    ...listTests(files.filter(isLong), 'jest.long.config.mjs'),
  ]);
  return mutants.filter(({ test, named }) => {
    const pattern = new RegExp(named, 'i');
    return !names.get(join(process.cwd(), test))?.some((name) => pattern.test(name));
  });
}
