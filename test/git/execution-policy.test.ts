import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { declare, declarePool, synthesizeWith } from '../lib/synthesis.ts';
import { needed, OURS } from './needed-actions.ts';

type OneOrMore = string | readonly string[];

interface Statement {
  readonly Sid: string;
  readonly Effect: string;
  readonly Action: OneOrMore;
  readonly Resource: OneOrMore;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, OneOrMore>>>>;
}

interface Resource {
  readonly stack: string;
  readonly id: string;
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

const policies = globSync('docs/execution-policy/*.json').map((file) => readFileSync(file, 'utf8'));
const statements = policies.flatMap((text) => (JSON.parse(text) as { Statement: readonly Statement[] }).Statement);
const listed = (values: OneOrMore) => (typeof values === 'string' ? [values] : values);

/** Returns whether an IAM pattern, in which `*` matches any string, covers a value. */
function covers(pattern: string, value: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(value);
}

const allowing = (action: string) =>
  statements.filter(({ Action }) => listed(Action).some((pattern) => covers(pattern, action)));

const isAllowed = (action: string, arn?: string) =>
  allowing(action).some(
    ({ Resource: patterns }) => arn === undefined || listed(patterns).some((pattern) => covers(pattern, arn)),
  );

const metadataUrl = 'https://login.example.com/metadata';
const identityProvider = { type: 'saml', name: 'Login', metadataUrl };

// Enables every setting that adds resources, and uses every kind of capacity.
const stacks = synthesizeWith(
  { webAclRate: 2_000, accessLogDays: 30, reservedConcurrency: 'on', identityProvider },
  [declare('echo'), declare('llm', { capacity: 'nvidia' })],
  [declarePool('nvidia', { warmInstances: 1 })],
  [{ id: 'official', name: 'Official', imageName: 'team/worker:1.2' }],
);

const resources: readonly Resource[] = Object.entries(stacks).flatMap(([stack, { template }]) =>
  Object.entries(template.toJSON().Resources as Record<string, Omit<Resource, 'stack' | 'id'>>).map(([id, its]) => ({
    stack,
    id,
    ...its,
  })),
);
const types = [...new Set(resources.map(({ Type }) => (Type.startsWith('Custom::') ? 'Custom::*' : Type)))];

/** Returns the path of a role in a Region. */
function pathOf({ Path = '/' }: Readonly<Record<string, unknown>>): string {
  if (typeof Path === 'string') return Path;
  const [, parts] = (Path as { 'Fn::Join': [string, (string | object)[]] })['Fn::Join'];
  return parts.map((part) => (typeof part === 'string' ? part : 'eu-west-1')).join('');
}

/** Returns the name that CloudFormation generates for a resource, shortened if the service requires it. */
function arnOf({ stack, id, Type, Properties = {} }: Resource): string | undefined {
  const name = `${`gpu-endpoints-${stack}`.slice(0, 24)}-${id.slice(0, 24)}-1ABCDEFGHIJK`;
  const account = '123456789012';
  switch (Type) {
    case 'AWS::DynamoDB::Table':
      return `arn:aws:dynamodb:eu-west-1:${account}:table/${name}`;
    case 'AWS::IAM::InstanceProfile':
      return `arn:aws:iam::${account}:instance-profile/${name}`;
    case 'AWS::IAM::Role':
      return `arn:aws:iam::${account}:role${pathOf(Properties)}${name}`;
    case 'AWS::Lambda::Function':
      return `arn:aws:lambda:eu-west-1:${account}:function:${name}`;
    case 'AWS::S3::Bucket':
      return `arn:aws:s3:::${name.toLowerCase()}`;
    case 'AWS::SSM::Parameter':
      return `arn:aws:ssm:eu-west-1:${account}:parameter${Properties.Name}`;
    case 'AWS::SQS::Queue':
      return `arn:aws:sqs:eu-west-1:${account}:${name}`;
    default:
      return undefined;
  }
}

describe('the execution policy', () => {
  it('has a row in this test for each type of resource in the stacks', () => {
    expect(types.filter((type) => !(type in needed))).toEqual([]);
    expect(Object.keys(needed).filter((type) => !types.includes(type))).toEqual([]);
  });

  it.each(types)('allows creation, change and removal of each %s', (type) => {
    for (const action of needed[type] ?? []) expect([action, isAllowed(action)]).toEqual([action, true]);
  });

  it('covers each resource whose name begins with the name of its stack', () => {
    const named = resources.flatMap((one) => ({ one, arn: arnOf(one) })).filter(({ arn }) => arn !== undefined);
    expect(named.length).toBeGreaterThan(50);
    const refused = named.filter(({ one, arn }) => !(needed[one.Type] ?? []).every((action) => isAllowed(action, arn)));
    expect(refused.map(({ arn }) => arn)).toEqual([]);
  });

  it('allows passing roles of the stacks only to the services that assume them', () => {
    const roles = resources.filter(({ Type }) => Type === 'AWS::IAM::Role');
    const trusted = roles.flatMap(({ Properties }) =>
      [...JSON.stringify(Properties?.AssumeRolePolicyDocument).matchAll(/"Service":"([^"]+)"/g)].map(
        ([, name]) => name,
      ),
    );
    const [passing, ...others] = allowing('iam:PassRole');
    expect(others).toEqual([]);
    expect(new Set(passing?.Condition?.StringEquals?.['iam:PassedToService'])).toEqual(new Set(trusted));
  });

  it('does not allow attaching AWS managed policies, because no role of the stacks has one', () => {
    expect(isAllowed('iam:AttachRolePolicy')).toBe(false);
    for (const { Type, Properties = {} } of resources)
      if (Type === 'AWS::IAM::Role') expect(Properties).not.toHaveProperty('ManagedPolicyArns');
  });

  it('allows only roles and profiles of the stacks in IAM', () => {
    for (const { Action, Resource } of statements.filter(({ Action }) =>
      listed(Action).some((one) => /^iam:/.test(one)),
    ))
      for (const pattern of listed(Resource)) {
        expect(listed(Action).join()).not.toContain('*');
        expect(OURS.some((ours) => pattern.startsWith(ours))).toBe(true);
      }
    for (const action of ['iam:CreateUser', 'iam:CreateAccessKey', 'iam:CreatePolicyVersion', 'iam:PutUserPolicy'])
      expect([action, isAllowed(action)]).toEqual([action, false]);
  });

  it('does not allow all actions of any service', () => {
    const wide = statements.flatMap(({ Action }) => listed(Action)).filter((action) => /^[^:]*\*|:\*$/.test(action));
    expect(wide).toEqual([]);
    expect(statements.map(({ Effect }) => Effect)).toEqual(statements.map(() => 'Allow'));
  });

  it.each([
    'dynamodb:GetItem',
    'dynamodb:Query',
    'dynamodb:PutItem',
    'sqs:ReceiveMessage',
    'sqs:SendMessage',
    's3:PutObject',
    'kms:Decrypt',
    'secretsmanager:GetSecretValue',
    'logs:GetLogEvents',
    'elasticfilesystem:ClientMount',
    'ecs:ExecuteCommand',
    'ecs:RunTask',
  ])('does not allow access to data and workers by %s', (action) => {
    expect(isAllowed(action)).toBe(false);
  });

  it('allows reading only objects of the bootstrap bucket', () => {
    expect(isAllowed('s3:GetObject', 'arn:aws:s3:::cdk-hnb659fds-assets-123456789012-eu-west-1/code.zip')).toBe(true);
    expect(isAllowed('s3:GetObject', 'arn:aws:s3:::storage-payloads-1abc/job')).toBe(false);
  });

  it('fits in managed policies of AWS, each at most 6,144 characters', () => {
    for (const text of policies) expect(JSON.stringify(JSON.parse(text)).length).toBeLessThanOrEqual(6_144);
    expect(policies.length).toBeLessThanOrEqual(10);
  });
});
