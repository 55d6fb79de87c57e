/**
 * Compares the permissions of the roles with the calls of the whole service over npm start. See
 * docs/reference/permissions.md.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { synthesizeBoth } from './assemblies.ts';
import { exercise } from './exercise.ts';
import { findings } from './findings.ts';

describe('the permissions of the roles', () => {
  it('are sufficient, are used or explained, and are granted only once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-permissions-'));
    expect(findings(await exercise(synthesizeBoth(folder)))).toEqual([]);
  }, 600_000);
});
