/** Runs once, before all test files. */
import { resolve } from 'node:path';
import type { Config } from '@jest/types';
import { declared } from '../support/declared.ts';
import { whenAllFilesHaveRun } from './after-all-files.ts';
import { startSharedEmulators } from './emulators.ts';
import { openRunFolder, RUN_FOLDER } from './run-folder.ts';
import { newSeed, PROPERTY_SEED } from './seed.ts';

export default async function beforeAllFiles({ maxWorkers }: Config.GlobalConfig): Promise<void> {
  const { path, ended } = openRunFolder();
  if (ended > 0) console.error(`Killed ${ended} processes that an aborted run of the tests had left running.`);
  Object.assign(process.env, {
    [RUN_FOLDER]: path,
    DECLARATIONS: declared,
    [PROPERTY_SEED]: process.env[PROPERTY_SEED] ?? String(newSeed()),
    TMPDIR: path,
    // CDK's validation of templates takes two thirds of a synthesis, so it is off. `npm run synth` validates the
    // real stacks.
    CDK_VALIDATION: 'false',
    // A compile cache: each service that a test starts compiles the same modules, which takes a fifth of its
    // start time.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? resolve('node_modules/.cache/compiled'),
    // The functions' logger writes to the console, which Jest prints only for failed files.
    POWERTOOLS_DEV: 'true',
  });
  whenAllFilesHaveRun(await startSharedEmulators(maxWorkers));
}
