/**
 * `npm run mutation -w packages/lab`: generates mutants of product files with Stryker, runs the tests with each, and
 * lists the mutants that survive. `main.ts` runs the handwritten mutants.
 *
 *   npm run mutation -w packages/lab -- ARGUMENTS
 *
 *   core/templates                    one room
 *   core/fleet/observe.ts             one file
 *   core/submission/submit.ts:20-31   some lines of a file
 *   core/http test/lambda             one room, with only the tests of the named folders or files
 */
import { statSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import afterAllFiles from '../../../test/runner/after-all-files.ts';
import beforeAllFiles from '../../../test/runner/before-all-files.ts';
import { inRunFolder } from '../../../test/runner/run-folder.ts';
import { testsOf } from './rooms.ts';

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const paths = process.argv.slice(2);
const named = paths.filter((path) => /^(?:test|packages\/(?:lab|\w+\/test))\//.test(path));
const products = paths.filter((path) => !named.includes(path));
if (products.length === 0)
  throw new Error('Add a product folder or file to the command: `npm run mutation -w packages/lab -- core/templates`.');
const tests = named.length > 0 ? named : [...new Set(products.flatMap(testsOf))];

const run = { maxWorkers: 1, watch: false, watchAll: false } as Parameters<typeof beforeAllFiles>[0];
await beforeAllFiles(run);
try {
  const stryker = new Stryker({
    mutate: products.map((path) => (isFolder(path) ? `${path}/**/*.ts` : path)),
    plugins: ['@stryker-mutator/jest-runner'],
    testRunner: 'jest',
    jest: {
      projectType: 'custom',
      enableFindRelatedTests: false,
      config: {
        roots: ['<rootDir>/test', '<rootDir>/packages'],
        testEnvironment: './test/runner/environment.ts',
        testMatch: tests.map((path) => `<rootDir>/${isFolder(path) ? `${path}/**/*.test.ts` : path}`),
        // The emulators are started once, above, instead of for each mutant.
        globalSetup: null,
        globalTeardown: null,
      },
    },
    coverageAnalysis: 'perTest',
    // Jest runs in Stryker's process, which has one set of emulators.
    concurrency: 1,
    // Each run loads the project's modules again, and Node.js never frees the previous instances.
    maxTestRunnerReuse: 20,
    // Stryker reads this file with the API of TypeScript 6. Node.js strips types without it.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    ignorePatterns: ['cdk.out', 'dist', 'docs/pictures'],
    tempDirName: inRunFolder('mutation'),
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { logTests: false, reportTests: false },
    // A multiple of the time of the first run, because a busy machine can be slower later.
    timeoutFactor: 4,
    timeoutMS: 20_000,
  });
  const results = await stryker.runMutationTest();
  process.exitCode = results.some(({ status }) => status === 'Survived' || status === 'NoCoverage') ? 1 : 0;
} finally {
  await afterAllFiles(run);
}
