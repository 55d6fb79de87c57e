import { describe, expect, it } from '@jest/globals';
import { commandFor } from './report-failure.ts';

describe('the command that repeats a test file', () => {
  it.each([
    ['test/jobs/claim.test.ts', 'npm test -- test/jobs/claim.test.ts'],
    ['test/acceptance/bursts.long.ts', 'npm run test:long -- test/acceptance/bursts.long.ts'],
    ['packages/console/test/scan.test.ts', 'npm test -w packages/console -- packages/console/test/scan.test.ts'],
    ['packages/console/test/axe.long.ts', 'npm run test:long -w packages/console -- packages/console/test/axe.long.ts'],
  ])('is known for %s', (file, command) => {
    expect(commandFor(file)).toBe(command);
  });
});
