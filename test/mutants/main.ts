/**
 * `npm run mutants`: applies each handwritten mutant to a copy of the product, and expects one of the mutant's tests to
 * fail. Lists the mutants that survive, and exits with 1 if there are any. `npm run mutation` (`generate.ts`) generates
 * mutants with Stryker; handwritten are only those that its rules do not make, of guards that matter most.
 *
 *   npm run mutants                 all mutants
 *   npm run mutants -- NAME ...     the mutants whose name contains one of the words
 *
 * `npm test` checks that their code and their tests exist (`fit.test.ts`).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyTree } from '../support/copied-tree.ts';
import { mutants } from './all.ts';
import { applyPatch, assertFits } from './copy.ts';
import type { Mutant } from './mutant.ts';

/** Time limit in ms for the tests of one mutant. A test can wait for an event that the mutant prevents. */
const LIMIT = 300_000;

interface Results {
  readonly testResults: readonly { readonly assertionResults: readonly { readonly status: string }[] }[];
}

/** Returns the status of each test of the file; tests that the mutant does not name are pending. */
function runTests(copy: string, { name, test, named }: Mutant): string[] {
  const output = join(copy, 'results.json');
  const jest = ['node_modules/jest/bin/jest.js', test, '--testNamePattern', named];
  const report = ['--json', '--outputFile', output];
  const { error } = spawnSync(process.execPath, [...jest, ...report], { cwd: copy, timeout: LIMIT, stdio: 'ignore' });
  if (error)
    throw new Error(`Mutant "${name}": its tests stopped with ${error.message}. They must finish within ${LIMIT} ms.`);
  // An unhandled rejection ends the process, which proves nothing about the named tests.
  if (!existsSync(output)) throw new Error(`Mutant "${name}": its tests ended without a report.`);
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Results;
  rmSync(output);
  const statuses = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  if (statuses.every((status) => status === 'pending'))
    throw new Error(`Mutant "${name}": no test of ${test} matches "${named}".`);
  return statuses;
}

/** Applies the patch, runs the tests, and reverts the patch. */
function kills(copy: string, mutant: Mutant): boolean {
  const undo = applyPatch(copy, mutant);
  try {
    return runTests(copy, mutant).includes('failed');
  } finally {
    undo();
  }
}

const words = process.argv.slice(2);
const chosen = mutants.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
for (const mutant of chosen) assertFits(mutant.name, mutant);
const copy = copyTree();
const survivors: string[] = [];
try {
  for (const mutant of chosen) {
    const killed = kills(copy, mutant);
    if (!killed) survivors.push(mutant.name);
    console.log(`${killed ? 'killed  ' : 'SURVIVED'}  ${mutant.name}  (${mutant.test}: ${mutant.named})`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${chosen.length - survivors.length} of ${chosen.length} mutants killed`);
process.exitCode = survivors.length > 0 || chosen.length === 0 ? 1 : 0;
