import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { findings } from './findings.ts';
import { type Grant, mergedGrants } from './grants.ts';
import { resourceNamed, roleNamed } from './names.ts';
import { PAGE, page } from './page.ts';
import { type ExplainedGrant, reasons } from './reasons.ts';
import { roles } from './roles.ts';

const role = 'Platform/JobsRun';
const read: Grant = { role, action: 'dynamodb:GetItem', resource: 'jobs table', used: 2, indispensable: true };
const log: Grant = { ...read, action: 'logs:PutLogEvents', resource: 'its log group', used: 0, indispensable: false };

const reason = 'It must.';
const reading: ExplainedGrant = { role, action: read.action, resource: read.resource, reason };
const logging: ExplainedGrant = { role, action: log.action, resource: log.resource, reason, unused: 'Files.' };
const given = [reading, logging];

describe('the comparison of grants and reasons', () => {
  it('finds nothing if every grant is used or explained', () => {
    expect(findings([read, log], given)).toEqual([]);
  });

  it.each<[string, Grant[], ExplainedGrant[]]>([
    ['was not used', [{ ...read, used: 0 }, log], given],
    ['is also granted by something else', [{ ...read, indispensable: false }, log], given],
    ['is granted without a reason', [read, log], [logging]],
    ['has several reasons', [read, log], [...given, reading]],
  ])('reports a grant that %s', (finding, grants, reasons) => {
    expect(findings(grants, reasons)).toEqual([`${role} dynamodb:GetItem jobs table: ${finding}`]);
  });

  it.each<[string, Grant[]]>([
    ['is used, although its reason states that it is not', [read, { ...log, used: 1, indispensable: true }]],
    ['has a reason, but is not granted', [read]],
  ])('reports a grant that %s', (finding, grants) => {
    expect(findings(grants, given)).toEqual([`${role} logs:PutLogEvents its log group: ${finding}`]);
  });
});

describe('a grant that not every run uses', () => {
  const sometimes: ExplainedGrant = { ...reading, sometimes: 'only if a call fails.' };

  it.each([0, 1])('can have been used %i times', (used) => {
    expect(findings([{ ...read, used }], [sometimes])).toEqual([]);
  });

  it('must be granted', () => {
    expect(findings([], [sometimes])).toEqual([expect.stringContaining('is not granted')]);
  });
});

describe('the use of permissions', () => {
  const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/Storage-WorkersTable76A38F27';
  const leases = (endpoint: string, used: number) => ({
    [`Endpoint-${endpoint}-WorkersTaskTaskRoleFDA52EC1`]: [
      { policy: 'p', statement: 5, actions: { 'dynamodb:GetItem': { [table]: { used, indispensable: used > 0 } } } },
    ],
  });

  it('is the sum of all runs and all endpoints', () => {
    const merged = mergedGrants({ ...leases('echo', 0), ...leases('other-one', 0) }, leases('echo', 3));
    const whose = { role: 'Endpoint/WorkersTaskTask', action: 'dynamodb:GetItem', resource: 'workers table' };
    expect(merged).toEqual([{ ...whose, used: 3, indispensable: true }]);
  });

  it('keeps the name of an unknown role or resource', () => {
    expect([roleNamed('Other-Role'), resourceNamed('arn:aws:sns:us-east-1:1:topic')]).toEqual([
      '/Other-Role',
      'arn:aws:sns:us-east-1:1:topic',
    ]);
  });
});

describe(PAGE, () => {
  it('has a section for each role of the stacks, which `roles.ts` describes', () => {
    expect(new Set(reasons().map((grant) => grant.role))).toEqual(new Set(Object.keys(roles)));
  });

  it('is generated from the reasons (npm run permissions -w packages/lab -- --page)', () => {
    expect(readFileSync(PAGE, 'utf8')).toBe(page());
  });
});
