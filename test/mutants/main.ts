/**
 * `npm run mutants`: breaks the product in small named ways, one at a time in a copy, and expects the test that guards
 * each to fail. A mutant that survives names a test that cannot fail, and the command ends with 1.
 *
 *   npm run mutants                 all of them
 *   npm run mutants -- NAME ...     those whose name contains a word
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { acceptanceMutants } from './acceptance.ts';
import type { Mutant } from './mutant.ts';
import { unitMutants } from './units.ts';

const LIMIT = 300_000;
const root = process.cwd();

/** The tree as git sees it, with today's changes, beside the installed packages. */
function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'gpu-endpoints-mutants-'));
  const listing = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    encoding: 'utf8',
  });
  for (const file of listing.split('\0').filter(Boolean)) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    cpSync(file, join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Whether the guarding tests pass in the copy. `--testNamePattern` picks them, so other tests cost nothing. */
function passes(copy: string, { test, named }: Mutant): boolean {
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', test, '--testNamePattern', named];
  const { status, stderr } = spawnSync(process.execPath, jest, { cwd: copy, encoding: 'utf8', timeout: LIMIT });
  const [, ran = '0'] = /Tests:.* (\d+) (?:passed|failed)/.exec(stderr) ?? [];
  if (ran === '0' && !stderr.includes('Test suite failed to run'))
    throw new Error(`No test of ${test} matches "${named}":\n${stderr}`);
  return status === 0;
}

/** A patch that no longer fits says nothing about its test. */
function assertFits({ name, file, replace }: Mutant): void {
  const occurrences = readFileSync(file, 'utf8').split(replace).length - 1;
  if (occurrences !== 1) throw new Error(`Mutant "${name}": its text occurs ${occurrences} times in ${file}.`);
}

/** Applies the patch, asks the tests, takes the patch back. */
function survives(copy: string, mutant: Mutant): boolean {
  const file = join(copy, mutant.file);
  const original = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    original.replace(mutant.replace, () => mutant.by),
  );
  try {
    return passes(copy, mutant);
  } finally {
    writeFileSync(file, original);
  }
}

const mutants = [...acceptanceMutants, ...unitMutants];
const words = process.argv.slice(2);
const chosen = mutants.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
mutants.forEach(assertFits);
const copy = copyTree();
let survivors = 0;
try {
  for (const mutant of chosen) {
    const alive = survives(copy, mutant);
    if (alive) survivors += 1;
    console.log(`${alive ? 'SURVIVED' : 'killed  '}  ${mutant.name}  (${mutant.test}: ${mutant.named})`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${chosen.length - survivors} of ${chosen.length} mutants killed`);
process.exitCode = survivors > 0 || chosen.length === 0 ? 1 : 0;
