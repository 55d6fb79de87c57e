import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'console-types-'));
execFileSync(process.execPath, ['bin/console-types.ts', folder]);

describe("the console's types of requests and responses", () => {
  it.each(['job-types.ts', 'management-types.ts'])('match the OpenAPI description: %s', (file) => {
    // If they differ, run npm run generate.
    expect(readFileSync(join('packages/console/api', file), 'utf8')).toBe(readFileSync(join(folder, file), 'utf8'));
  });
});
