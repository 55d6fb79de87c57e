/** Tests that the execution policy allows what CloudFormation's handlers need for the stacks, and no more. */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readHandlers } from '../../bin/execution-policy/handlers.ts';
import { covers, neededOf, policiesFor, scopeOf } from '../../bin/execution-policy/policies.ts';
import { scopes } from '../../bin/execution-policy/statements.ts';
import { unused } from '../../bin/execution-policy/unused.ts';
import { declarationsWith, sets } from '../lib/deployment/all-settings.ts';
import { list } from '../lib/permissions.ts';
import { synthesizeWith } from '../lib/synthesis.ts';

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

/** `boundary.test.ts` tests the boundary, which is no part of the execution policy. */
const files = globSync('docs/execution-policy/*.json').filter((file) => basename(file) !== 'boundary.json');
const policies = files.map((file) => readFileSync(file, 'utf8'));
const statements = policies.flatMap((text) => (JSON.parse(text) as { Statement: readonly Statement[] }).Statement);

const allowing = (action: string) =>
  statements.filter(({ Action }) => list(Action).some((pattern) => covers(pattern, action)));

const isAllowed = (action: string, arn?: string) =>
  allowing(action).some(
    ({ Resource: patterns }) => arn === undefined || list(patterns).some((pattern) => covers(pattern, arn)),
  );

const metadataUrl = 'https://login.example.com/metadata';
const identityProvider = { type: 'saml', name: 'Login', metadataUrl };
const login = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:ecr-pullthroughcache/docker-hub-AbCdEf';

// Every set of settings, and the other kind of identity provider, with every kind of capacity.
const variants = [...Object.values(sets), { identityProvider, reservedConcurrency: 'on' }].map((settings) =>
  synthesizeWith(...declarationsWith(settings)),
);

const declaredResources: readonly Resource[] = variants.flatMap((stacks) =>
  Object.entries(stacks).flatMap(([stack, { template }]) =>
    Object.entries(template.toJSON().Resources as Record<string, Omit<Resource, 'stack' | 'id'>>).map(([id, its]) => ({
      stack,
      id,
      ...its,
    })),
  ),
);
/** The resources, each once: most are the same with all settings. */
const resources = [...new Map(declaredResources.map((resource) => [JSON.stringify(resource), resource])).values()];
const types = [...new Set(resources.map(({ Type }) => Type))].filter((type) => type.startsWith('AWS::'));
const handlers = readHandlers();

/** Returns the calls that CloudFormation needs for resources of a type. */
function neededFor(type: string, given: readonly Resource[] = resources): string[] {
  const texts = given.filter(({ Type }) => Type === type).map((resource) => JSON.stringify(resource));
  return neededOf(type, handlers, ({ text }) => text === undefined || !texts.some((json) => json.includes(text)));
}

/** Returns the needed calls, each with the id of the statement that must allow it. */
const neededIn = (given: readonly Resource[] = resources) =>
  types.flatMap((type) => neededFor(type, given).map((action) => ({ type, action, sid: scopeOf(type, action).sid })));
const needed = neededIn();

/** Returns the needed calls that the statements do not allow. */
const missingIn = (given: readonly Statement[], calls = needed) =>
  calls.filter(({ action, sid }) => {
    const { Action = [] } = given.find(({ Sid }) => Sid === sid) ?? {};
    return !list(Action).some((pattern) => covers(pattern, action));
  });

/** Returns a JSON string that contains the text. */
const asJson = (text: string) => (text.startsWith('"') ? text : JSON.stringify(text));

/** The prefixes of the roles and profiles of the stacks, and of the roles that AWS creates for its services. */
const OWN_RESOURCES = [
  'arn:aws:iam::*:role/gpu-endpoints-',
  'arn:aws:iam::*:role/gpu-endpoints/',
  'arn:aws:iam::*:role/aws-service-role/',
  'arn:aws:iam::*:instance-profile/gpu-endpoints-',
];

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
    case 'AWS::ECR::RepositoryCreationTemplate':
      return `arn:aws:ecr:eu-west-1:${account}:repository/${Properties.Prefix}/docker.io/team/worker`;
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
  it('is generated from the calls that are recorded for each type of the stacks, and for no other type', () => {
    expect(new Set(Object.keys(handlers))).toEqual(new Set(types));
    const written = files.map((file, n) => [basename(file, '.json'), JSON.parse(policies[n] ?? '')] as const);
    expect(Object.fromEntries(written)).toEqual(JSON.parse(JSON.stringify(policiesFor(handlers))));
  });

  it('allows all calls that CloudFormation needs for the resources of the stacks', () => {
    expect(missingIn(statements)).toEqual([]);
  });

  it('allows no other calls: without any of them, a needed call is missing', () => {
    for (const statement of statements) {
      const { also = [] } = scopes.find(({ sid }) => sid === statement.Sid) ?? {};
      for (const action of list(statement.Action).filter((one) => !also.includes(one))) {
        const others = { ...statement, Action: list(statement.Action).filter((one) => one !== action) };
        const calls = needed.filter(({ sid }) => sid === statement.Sid);
        expect([statement.Sid, action, missingIn([others], calls).length > 0]).toEqual([statement.Sid, action, true]);
      }
    }
  });

  it('does not allow the calls for a property that no resource has, and is incomplete as soon as one has it', () => {
    for (const [type, rows] of Object.entries(unused)) {
      expect(types).toContain(type);
      for (const { text, actions } of rows) {
        // Each pattern is for at least one call, so that no row is out of date.
        for (const pattern of actions) expect((handlers[type] ?? []).some((one) => covers(pattern, one))).toBe(true);
        if (text === undefined) continue;
        const using = {
          stack: 'Platform',
          id: 'More',
          Type: type,
          Properties: { text: JSON.parse(`[${asJson(text)}]`) as unknown },
        };
        expect(neededFor(type, [...resources, using]).length).toBeGreaterThan(neededFor(type).length);
      }
    }
    const table = { stack: 'Storage', id: 'More', Type: 'AWS::DynamoDB::Table', Properties: { ResourcePolicy: {} } };
    expect(missingIn(statements, neededIn([...resources, table])).map(({ action }) => action)).toEqual([
      'dynamodb:DeleteResourcePolicy',
      'dynamodb:PutResourcePolicy',
    ]);
  });

  it('covers each resource whose name begins with the name of its stack', () => {
    const named = resources.flatMap((one) => ({ one, arn: arnOf(one) })).filter(({ arn }) => arn !== undefined);
    expect(named.length).toBeGreaterThan(50);
    const neededByType = new Map(types.map((type) => [type, neededFor(type)]));
    // Another test is about passing roles.
    const own = ({ Type }: Resource, arn: string) =>
      (neededByType.get(Type) ?? []).filter(
        (action) => action.split(':')[0] === arn.split(':')[2] && action !== 'iam:PassRole',
      );
    const refused = named.filter(({ one, arn = '' }) => !own(one, arn).every((action) => isAllowed(action, arn)));
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
    for (const { Action, Resource } of statements.filter(({ Action }) => list(Action).some((one) => /^iam:/.test(one))))
      for (const pattern of list(Resource)) {
        expect(list(Action).join()).not.toContain('*');
        expect(OWN_RESOURCES.some((own) => pattern.startsWith(own))).toBe(true);
      }
    for (const action of ['iam:CreateUser', 'iam:CreateAccessKey', 'iam:CreatePolicyVersion', 'iam:PutUserPolicy'])
      expect([action, isAllowed(action)]).toEqual([action, false]);
  });

  it('does not allow all actions of any service', () => {
    const wide = statements.flatMap(({ Action }) => list(Action)).filter((action) => /^[^:]*\*|:\*$/.test(action));
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
    'logs:GetLogEvents',
    'elasticfilesystem:ClientMount',
    'ecs:ExecuteCommand',
    'ecs:RunTask',
  ])('does not allow access to data and workers by %s', (action) => {
    expect(isAllowed(action)).toBe(false);
  });

  it('allows reading only the secrets with the logins of image caches', () => {
    expect(isAllowed('secretsmanager:GetSecretValue', login)).toBe(true);
    const [read] = allowing('secretsmanager:GetSecretValue');
    expect(read?.Resource).toBe('arn:aws:secretsmanager:*:*:secret:ecr-pullthroughcache/*');
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
