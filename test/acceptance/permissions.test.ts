/** What the roles of the stacks may do, against what the whole service does: over npm start, see docs/permissions.md. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Assemblies, synthesizeBoth } from '../permissions/assemblies.ts';
import { exercise } from '../permissions/exercise.ts';
import { findings } from '../permissions/findings.ts';
import { removalsFrom } from '../permissions/removals.ts';
import { call, eventually, type LocalService, startService, stopService } from './local-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-acceptance-'));
let assemblies: Assemblies;

beforeAll(() => {
  assemblies = synthesizeBoth(folder);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('what the roles are granted', () => {
  it('is enough, and is used or explained, and is granted once', async () => {
    expect(findings(await exercise(assemblies))).toEqual([]);
  }, 400_000);
});

describe('what a role is not granted', () => {
  let service: LocalService;
  afterAll(() => stopService(service));

  it('is told by npm start, once, with the role and the action', async () => {
    const removals = removalsFrom(assemblies, 'statement').filter(({ isUnused }) => !isUnused);
    const removal = removals.find(({ role }) => role === 'Platform/JobsHealth');
    const changed = removal?.apply(assemblies, join(folder, 'changed')) ?? assemblies;
    service = await startService(join(folder, 'state'), { args: ['--assembly', changed.without] });
    const url = `${service.JobApiUrl}/echo/health`;
    for (const _ of [1, 2])
      expect(await call(service, 'GET', url)).toMatchObject({ status: 500, json: { code: 'INTERNAL' } });
    const line =
      /AccessDenied: role Platform-JobsHealthRole\w{8} may not dynamodb:Query on arn:aws:dynamodb:\S+EndpointsTable\w{8}\n/g;
    await eventually('it is told', () => service.printed().match(line) ?? undefined);
    expect(service.printed().match(line)).toHaveLength(1);
  }, 120_000);
});
