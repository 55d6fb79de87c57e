/** Tests the permissions boundary of the roles, and that the execution policy cannot be used to leave it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { covers } from '../../bin/execution-policy/policies.ts';
import { evaluate } from '../../packages/emulator/iam/evaluate.ts';
import { parsePolicy, policyDocument } from '../../packages/emulator/iam/statement.ts';
import { sets } from '../lib/deployment/all-settings.ts';
import { list } from '../lib/permissions.ts';
import { declare, declarePool, type SynthesizedStack, synthesizeWith } from '../lib/synthesis.ts';
import { accessesIn, type RoleAccess } from './role-statements.ts';

const read = (name: string) => JSON.parse(readFileSync(`docs/execution-policy/${name}.json`, 'utf8')) as unknown;
const boundary = policyDocument.parse(read('boundary'));
const statements = parsePolicy(boundary, 'the boundary', 'identity');
const execution = ['data', 'services', 'front-door'].flatMap((name) => policyDocument.parse(read(name)).Statement);

const pools = [
  declarePool('nvidia', { warmInstances: 1 }),
  declarePool('amd', { kind: 'amd', instanceTypes: ['g4ad.xlarge'], image: 'ami-0123456789abcdef0' }),
];
const endpoints = [
  declare('echo'),
  declare('llm', { capacity: 'nvidia', protocol: 'http' }),
  declare('other', { capacity: 'amd' }),
];
const templates = [{ id: 'official', name: 'Official', imageName: 'team/worker:1.2' }];

const NAME = 'gpu-endpoints-boundary';
/** Without the ingress, functions serve the calls that wait, and one reads the quota of Lambda. */
const variants = [{ permissionsBoundary: NAME }, ...Object.values(sets)].map((settings) =>
  synthesizeWith(settings, endpoints, pools, templates),
);

interface Role {
  readonly where: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

const rolesIn = (stacks: Readonly<Record<string, SynthesizedStack>>): Role[] =>
  Object.entries(stacks).flatMap(([stack, { template }]) =>
    Object.entries(template.findResources('AWS::IAM::Role')).map(([id, { Properties }]) => ({
      where: `${stack}/${id}`,
      properties: Properties as Role['properties'],
    })),
  );

/** The tag by which the boundary knows the keys of the deployment. */
const tagged = { 'aws:resourcetag/gpu-endpoints:deployment': ['gpu-endpoints'] };

const accesses = variants.flatMap(accessesIn);

function isWithin({ action, resource, context }: RoleAccess): boolean {
  const access = { action, resource, context: { ...context, ...(action.startsWith('kms:') && tagged) } };
  return evaluate({ roleArn: 'role' }, access, { identity: statements, resource: [] }).allowed;
}

describe('the permissions boundary', () => {
  it('is on every role of every stack, if the setting names it', () => {
    const parts = ['arn:', { Ref: 'AWS::Partition' }, ':iam::', { Ref: 'AWS::AccountId' }, `:policy/${NAME}`];
    const roles = variants.flatMap(rolesIn);
    expect(roles.length).toBeGreaterThan(100);
    for (const { where, properties } of roles)
      expect([where, properties.PermissionsBoundary]).toEqual([where, { 'Fn::Join': ['', parts] }]);
  });

  it('allows everything that the policies of the roles allow, with all settings and all kinds of capacity', () => {
    expect(accesses.length).toBeGreaterThan(500);
    const beyond = accesses.filter((access) => !isWithin(access));
    expect(beyond.map(({ policy, action, resource }) => `${policy} ${action} on ${resource}`)).toEqual([]);
  });

  it('allows no action that no role uses', () => {
    const used = new Set(accesses.map(({ action }) => action));
    expect(boundary.Statement.flatMap(({ Action = [] }) => list(Action)).filter((action) => !used.has(action))).toEqual(
      [],
    );
  });

  it('knows the keys of the deployment by their tag', () => {
    const keys = variants.flatMap((stacks) =>
      Object.values(stacks).flatMap(({ template }) => Object.values(template.findResources('AWS::KMS::Key'))),
    );
    expect(keys.length).toBeGreaterThan(0);
    for (const { Properties } of keys)
      expect(Properties.Tags).toContainEqual({
        Key: 'gpu-endpoints:deployment',
        Value: expect.stringMatching(/^gpu-endpoints/),
      });
    const decrypt = { action: 'kms:Decrypt', resource: 'arn:aws:kms:us-east-1:000000000000:key/1' };
    const decided = (context: object) =>
      evaluate({ roleArn: 'role' }, { ...decrypt, context: { ...context } }, { identity: statements, resource: [] });
    expect([decided(tagged).allowed, decided({}).allowed]).toEqual([true, false]);
  });

  it('limits each resource that has a name to those of the stacks', () => {
    const open = boundary.Statement.filter(({ Resource }) =>
      list(Resource).some((one) => !/gpu-endpoints[-/]/.test(one)),
    );
    expect(open.map(({ Sid }) => Sid)).toEqual([
      ...[
        'Keys',
        'Volumes',
        'KeysOfUsagePlans',
        'StateMachines',
        'TasksOfTheCluster',
        'Images',
        'EventBuses',
        'WithoutNames',
      ],
    ]);
  });

  it('allows passing roles of workers to tasks, and nothing else of IAM', () => {
    const ofIam = boundary.Statement.filter(({ Action = [] }) => list(Action).some((one) => /^iam:/i.test(one)));
    expect(ofIam).toEqual([
      expect.objectContaining({
        Action: 'iam:PassRole',
        Resource: ['arn:aws:iam::*:role/gpu-endpoints-*/workers/*', 'arn:aws:iam::*:role/gpu-endpoints/*/workers/*'],
        Condition: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
      }),
    ]);
  });

  it('names each action, and fits in a managed policy of at most 6,144 characters', () => {
    for (const { Effect, Action = [], NotAction } of boundary.Statement) {
      expect([Effect, NotAction]).toEqual(['Allow', undefined]);
      expect(list(Action).filter((action) => action.includes('*'))).toEqual([]);
    }
    expect(JSON.stringify(read('boundary')).length).toBeLessThanOrEqual(6_144);
  });
});

describe('the execution policy', () => {
  const allowing = (action: string) =>
    execution.filter(({ Action = [] }) => list(Action).some((pattern) => covers(pattern, action)));

  it.each(['iam:CreateRole', 'iam:PutRolePolicy', 'iam:DeleteRolePolicy', 'iam:PutRolePermissionsBoundary'])(
    'allows %s only for roles with the boundary',
    (action) => {
      const found = allowing(action);
      expect(found.length).toBe(1);
      for (const { Condition } of found)
        expect(Condition).toEqual({
          StringLike: { 'iam:PermissionsBoundary': 'arn:aws:iam::*:policy/gpu-endpoints-boundary' },
        });
    },
  );

  it.each([
    'iam:DeleteRolePermissionsBoundary',
    'iam:AttachRolePolicy',
    'iam:CreatePolicy',
    'iam:CreatePolicyVersion',
    'iam:DeletePolicy',
    'iam:DeletePolicyVersion',
    'iam:SetDefaultPolicyVersion',
  ])('does not allow %s, by which a role or its boundary could change', (action) => {
    expect(allowing(action)).toEqual([]);
  });

  it('changes and passes only roles with the names of the stacks', () => {
    const ownRoles = ['arn:aws:iam::*:role/gpu-endpoints-*', 'arn:aws:iam::*:role/gpu-endpoints/*'];
    for (const action of ['iam:CreateRole', 'iam:PassRole', 'iam:PutRolePolicy', 'iam:UpdateAssumeRolePolicy'])
      for (const { Resource } of allowing(action)) expect([action, list(Resource)]).toEqual([action, ownRoles]);
  });
});
