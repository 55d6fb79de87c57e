/**
 * `npm run mutants`: applies each mutant to a copy of the product, and expects one of the mutant's tests to fail. Lists
 * the mutants that survive and the acceptance tests that no mutant makes fail. Exits with 1 if there are any.
 * `npm run mutation` (`generate.ts`) generates mutants by rules.
 *
 *   npm run mutants                 all mutants
 *   npm run mutants -- NAME ...     the mutants whose name contains one of the words
 *   npm run mutants -- --check      runs no mutants, and only checks that their code and tests exist
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { acceptanceMutants } from './acceptance.ts';
import { mutants } from './all.ts';
import { applyPatch, assertFits, copyTree } from './copy.ts';
import type { Mutant } from './mutant.ts';
import { withoutTests } from './titles.ts';

/** Time limit in ms for the tests of one mutant. Some tests wait four minutes for an event that the mutant prevents. */
const LIMIT = 1_200_000;

interface Results {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Runs only the tests of the mutant, in the copy. */
function runTests(copy: string, { name, test, named }: Mutant): Results['testResults'][number] {
  const output = join(copy, 'results.json');
  const config = test.endsWith('.long.ts') ? ['--config', 'jest.long.config.mjs'] : [];
  const jest = ['node_modules/jest/bin/jest.js', ...config, test, '--testNamePattern', named];
  const report = ['--json', '--outputFile', output];
  const { error } = spawnSync(process.execPath, [...jest, ...report], { cwd: copy, timeout: LIMIT, stdio: 'ignore' });
  if (error)
    throw new Error(`Mutant "${name}": its tests stopped with ${error.message}. They must finish within ${LIMIT} ms.`);
  const [result] = (JSON.parse(readFileSync(output, 'utf8')) as Results).testResults;
  rmSync(output);
  if (!result?.assertionResults.some(({ status }) => status !== 'pending'))
    throw new Error(`Mutant "${name}": no test of ${test} matches "${named}".`);
  // If the service does not start, all its tests fail, which proves nothing.
  if (result.message.includes('npm start exited'))
    throw new Error(`Mutant "${name}" prevents the start of the service.`);
  return result;
}

/** Applies the patch, runs the tests, and reverts the patch. */
function resultsWith(copy: string, mutant: Mutant): Results['testResults'][number]['assertionResults'] {
  const undo = applyPatch(copy, mutant);
  try {
    return runTests(copy, mutant).assertionResults;
  } finally {
    undo();
  }
}

const CHROMIUM = '/usr/bin/chromium';

/** Tests in a browser pass on a machine without a browser, so all their mutants would survive. */
const isTestable = ({ test }: Mutant) => !/^test\/console\/.*\.long\.ts$/.test(test) || existsSync(CHROMIUM);

const isCheck = process.argv.includes('--check');
const filters = process.argv.slice(2).filter((word) => word !== '--check');
const named = mutants.filter(({ name }) => filters.length === 0 || filters.some((word) => name.includes(word)));
const chosen = named.filter(isTestable);
for (const mutant of named)
  if (!chosen.includes(mutant)) console.log(`SKIPPED   ${mutant.name}  (${mutant.test} needs ${CHROMIUM})`);
for (const mutant of mutants) assertFits(mutant.name, mutant);
const untested = withoutTests(named);
for (const { name, test, named: tests } of untested) console.error(`"${name}": no test of ${test} matches "${tests}".`);
if (untested.length > 0 || isCheck) process.exit(untested.length > 0 ? 1 : 0);
const copy = copyTree();
const survivors: string[] = [];
/** Whether each acceptance test of the executed files has failed at least once. */
const seenToFail = new Map<string, boolean>();
try {
  for (const mutant of chosen) {
    const results = resultsWith(copy, mutant);
    const killed = results.some(({ status }) => status === 'failed');
    if (!killed) survivors.push(mutant.name);
    console.log(`${killed ? 'killed  ' : 'SURVIVED'}  ${mutant.name}  (${mutant.test}: ${mutant.named})`);
    if (!acceptanceMutants.includes(mutant)) continue;
    for (const { fullName, status } of results)
      seenToFail.set(fullName, status === 'failed' || seenToFail.get(fullName) === true);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${chosen.length - survivors.length} of ${chosen.length} mutants killed`);

/** Only a run of all mutants makes every acceptance test fail. */
const neverFailed = filters.length > 0 ? [] : [...seenToFail.keys()].filter((name) => !seenToFail.get(name));
for (const name of neverFailed) console.log(`NEVER SEEN TO FAIL  ${name}`);
console.log(`${[...seenToFail.values()].filter(Boolean).length} of ${seenToFail.size} acceptance tests seen to fail`);
process.exitCode = survivors.length + neverFailed.length > 0 || chosen.length === 0 ? 1 : 0;
