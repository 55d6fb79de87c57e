import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { folderOfFile } from './run-folder.ts';

describe('the folder of a test file', () => {
  it.each([
    ['test/jobs/claim.test.ts', 'jobs-claim'],
    ['packages/emulator/test/options.test.ts', 'emulator-options'],
    ['packages/console/test/first-job.long.ts', 'console-first-job'],
  ])('has a short name for %s', (file, name) => {
    expect(basename(folderOfFile(file))).toBe(name);
  });
});
