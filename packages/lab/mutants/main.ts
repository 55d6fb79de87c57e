/**
 * `npm run mutants -w packages/lab`: applies each handwritten mutant to a copy of the product, and expects one of the
 * mutant's tests to fail. Exits with 1 if a mutant is not killed. `npm run mutation -w packages/lab` (`generate.ts`)
 * generates mutants with Stryker; handwritten are only those that its rules do not make, of guards that matter most.
 *
 *   npm run mutants -w packages/lab                 all mutants
 *   npm run mutants -w packages/lab -- NAME ...     the mutants whose name contains one of the words
 *
 * `npm test -w packages/lab` checks that their code and their tests exist (`fit.test.ts`).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyTree } from '../../../test/support/copied-tree.ts';
import { mutants } from './all.ts';
import { applyPatch, assertFits } from './copy.ts';
import type { Mutant } from './mutant.ts';

/** Time limit in ms for the tests of one mutant. A test can wait for an event that the mutant prevents. */
const LIMIT = 300_000;

interface Results {
  readonly testResults: readonly { readonly assertionResults: readonly { readonly status: string }[] }[];
}

/**
 * Returns the status of each test of the file; tests that the mutant does not name are pending. Returns undefined if
 * the tests end without a report, as after an unhandled rejection, which proves nothing about the named tests.
 */
function runTests(copy: string, { name, test, named }: Mutant): string[] | undefined {
  const output = join(copy, 'results.json');
  const [folder = '.'] = /^packages\/[^/]+/.exec(test) ?? [];
  const config = ['--config', join(folder, 'jest.config.mjs')];
  const jest = ['node_modules/jest/bin/jest.js', ...config, test, '--testNamePattern', named];
  const report = ['--json', '--outputFile', output];
  const { error } = spawnSync(process.execPath, [...jest, ...report], { cwd: copy, timeout: LIMIT, stdio: 'ignore' });
  if (error)
    throw new Error(`Mutant "${name}": its tests stopped with ${error.message}. They must finish within ${LIMIT} ms.`);
  if (!existsSync(output)) return undefined;
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Results;
  rmSync(output);
  const statuses = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  if (statuses.every((status) => status === 'pending'))
    throw new Error(`Mutant "${name}": no test of ${test} matches "${named}".`);
  return statuses;
}

/** Applies the patch, runs the tests, and reverts the patch. */
function resultOf(copy: string, mutant: Mutant): 'killed' | 'SURVIVED' | 'NO REPORT' {
  const undo = applyPatch(copy, mutant);
  try {
    const statuses = runTests(copy, mutant);
    if (!statuses) return 'NO REPORT';
    return statuses.includes('failed') ? 'killed' : 'SURVIVED';
  } finally {
    undo();
  }
}

const words = process.argv.slice(2);
const chosen = mutants.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
for (const mutant of chosen) assertFits(mutant.name, mutant);
const copy = copyTree();
let killed = 0;
try {
  for (const mutant of chosen) {
    const result = resultOf(copy, mutant);
    if (result === 'killed') killed += 1;
    console.log(`${result.padEnd(9)}  ${mutant.name}  (${mutant.test}: ${mutant.named})`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${killed} of ${chosen.length} mutants killed`);
process.exitCode = killed < chosen.length || chosen.length === 0 ? 1 : 0;
