/** Tests how a permissions boundary limits a role, one row for each documented rule of IAM. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { declareAccountPolicies } from '../../iam/account-policies.ts';
import { createPermissions, roleArn } from '../../iam/permissions.ts';
import { type DeclaredStatement, parsePolicy } from '../../iam/statement.ts';
import type { Stack } from '../../synthesis/assembly.ts';
import { newFolder } from '../small-service.ts';

const parsed = (statement: DeclaredStatement, kind: 'identity' | 'resource') =>
  parsePolicy({ Version: '2012-10-17', Statement: [statement] }, kind, kind);

const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:jobs';
const send = { action: 'sqs:SendMessage', resource: QUEUE };
const allow: DeclaredStatement = { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: QUEUE };
const other: DeclaredStatement = { ...allow, Action: 'sqs:ReceiveMessage' };
const worker = { roleArn: roleArn('worker') };
const POLICY = 'arn:aws:iam::000000000000:policy/boundary';

interface Policies {
  readonly identity?: DeclaredStatement;
  readonly boundary?: DeclaredStatement;
  readonly resource?: DeclaredStatement;
}

function decide({ identity, boundary, resource }: Policies) {
  const permissions = createPermissions();
  permissions.addRole('worker', worker.roleArn);
  if (identity) permissions.attach('worker', parsed(identity, 'identity'));
  if (boundary) {
    permissions.addManagedPolicy(POLICY, parsed(boundary, 'identity'));
    permissions.limit('worker', POLICY, 'Role');
  }
  if (resource) permissions.protect(QUEUE, parsed(resource, 'resource'));
  return permissions.decide(worker, send);
}

const toRole = { ...allow, Principal: { AWS: worker.roleArn } };
const toAll = { ...allow, Principal: '*' as const };
const deny = { ...allow, Effect: 'Deny' as const };

describe('a permissions boundary', () => {
  it.each<[rule: string, allowed: boolean, policies: Policies]>([
    ['an action that the role and the boundary allow is allowed', true, { identity: allow, boundary: allow }],
    ['an action that only the role allows is not allowed', false, { identity: allow, boundary: other }],
    ['the boundary alone allows nothing', false, { boundary: allow }],
    ['a deny of the boundary takes precedence', false, { identity: allow, boundary: deny }],
    ['a policy of the resource that names the role is limited', false, { resource: toRole, boundary: other }],
    ['a policy of the resource can name a role within its boundary', true, { resource: toRole, boundary: allow }],
    ['a policy of the resource for all principals is not limited', true, { resource: toAll, boundary: other }],
    ['a deny of the boundary also counts for all principals', false, { resource: toAll, boundary: deny }],
    ['a role without a boundary is not limited', true, { identity: allow }],
  ])('%s', (_, allowed, policies) => {
    expect(decide(policies).allowed).toBe(allowed);
  });

  it('explains a refusal by itself, with the conditions that it demands', () => {
    expect(decide({ identity: allow, boundary: other })).toEqual({
      allowed: false,
      isBeyondBoundary: true,
      unmet: [],
    });
    const tagged = { ...allow, Condition: { StringEquals: { 'aws:ResourceTag/team': 'a' } } };
    expect(decide({ identity: allow, boundary: tagged })).toMatchObject({ unmet: ['aws:ResourceTag/team'] });
    expect(decide({ boundary: other })).toEqual({ allowed: false, unmet: [] });
    expect(decide({ identity: allow, boundary: deny })).toMatchObject({ deniedBy: 'permissions boundary' });
  });

  it('must be a policy of the account', () => {
    expect(() => createPermissions().limit('worker', POLICY, 'Platform/Role (AWS::IAM::Role)')).toThrow(
      `Platform/Role (AWS::IAM::Role) cannot run here: its permissions boundary ${POLICY} is not one of the account's policies (none).`,
    );
  });

  it('applies to resources by their names in AWS and by their names on this machine', () => {
    const permissions = createPermissions();
    const folder = newFolder();
    const Resource = ['arn:aws:dynamodb:*:*:table/app-*', 'arn:aws:s3:::app-*'];
    const document = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource }] };
    writeFileSync(join(folder, 'boundary.json'), JSON.stringify(document));
    const policies = { documents: { 'app-boundary': 'boundary.json' }, prefix: 'app-' };
    declareAccountPolicies(permissions, { folder, policies }, [{ id: 'Storage' } as Stack]);
    permissions.addRole('worker', worker.roleArn);
    permissions.attach('worker', parsed({ ...allow, Action: '*', Resource: '*' }, 'identity'));
    permissions.limit('worker', 'arn:aws:iam::000000000000:policy/app-boundary', 'Role');
    const get = (resource: string) => permissions.decide(worker, { action: 's3:GetObject', resource }).allowed;
    const query = (table: string) =>
      permissions.decide(worker, {
        action: 'dynamodb:Query',
        resource: `arn:aws:dynamodb:us-east-1:000000000000:table/${table}`,
      }).allowed;
    expect(['app-Storage-Jobs-1A', 'Storage-Jobs', 'Other-Jobs'].map(query)).toEqual([true, true, false]);
    expect(['app-storage-1a/k', 'storage-files/k', 'Storage/k'].map((key) => get(`arn:aws:s3:::${key}`))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
