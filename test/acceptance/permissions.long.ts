/** What the roles of the stacks may do, against what the whole service does: over npm start, see docs/permissions.md. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { synthesizeBoth } from '../permissions/assemblies.ts';
import { exercise } from '../permissions/exercise.ts';
import { findings } from '../permissions/findings.ts';

describe('what the roles are granted', () => {
  it('is enough, and is used or explained, and is granted once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-permissions-'));
    expect(findings(await exercise(synthesizeBoth(folder)))).toEqual([]);
  }, 600_000);
});
