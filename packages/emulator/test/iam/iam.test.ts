/** Tests the documented rules of IAM, one row for each rule. */
import { describe, expect, it } from '@jest/globals';
import { type Access, type Caller, type Decision, evaluate } from '../../iam/evaluate.ts';
import { createPermissions, roleArn } from '../../iam/permissions.ts';
import { type DeclaredStatement, parsePolicy } from '../../iam/statement.ts';
import { createUsage } from '../../iam/usage.ts';

type Declared = DeclaredStatement | DeclaredStatement[];

const parsed = (statement: Declared, kind: 'identity' | 'resource', name: string = kind) =>
  parsePolicy({ Version: '2012-10-17', Statement: [statement].flat() }, name, kind);

const worker = { roleArn: roleArn('worker') };
const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/jobs';
const OTHER_TABLE = `${TABLE}-of-others`;
const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:jobs';
const get: Access = { action: 'dynamodb:GetItem', resource: TABLE };
const send: Access = { action: 'sqs:SendMessage', resource: QUEUE };

const allow = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: TABLE } as const;
const deny = { ...allow, Effect: 'Deny' } as const;

interface Policies {
  readonly identity?: Declared;
  readonly resource?: Declared;
}

function decide({ identity = [], resource = [] }: Policies, access: Access, caller: Caller): Decision {
  return evaluate(caller, access, { identity: parsed(identity, 'identity'), resource: parsed(resource, 'resource') });
}

type Row = readonly [rule: string, allowed: boolean, policies: Policies, access: Access, caller?: Caller];

const rows: readonly Row[] = [
  ['no action is allowed by default', false, {}, get],
  ['an identity policy allows', true, { identity: allow }, get],
  ['an explicit deny takes precedence', false, { identity: [allow, deny] }, get],
  ['a deny of another action does not count', true, { identity: [allow, { ...deny, Action: 'dynamodb:Scan' }] }, get],
  ['another action is not allowed', false, { identity: allow }, { ...get, action: 'dynamodb:PutItem' }],
  ['another resource is not allowed', false, { identity: allow }, { ...get, resource: `${TABLE}2` }],
  [
    'the name of a resource is case-sensitive',
    false,
    { identity: { ...allow, Resource: TABLE.replace('jobs', 'Jobs') } },
    get,
  ],
  ['the name of an action is not case-sensitive', true, { identity: { ...allow, Action: 'DynamoDB:getitem' } }, get],
  ['an action can have wildcards', true, { identity: { ...allow, Action: ['s3:*', 'dynamodb:?et*'] } }, get],
  [
    'an action without a wildcard matches only its whole name',
    false,
    { identity: { ...allow, Action: 'dynamodb:Get' } },
    get,
  ],
  ['a wildcard allows all actions', true, { identity: { ...allow, Action: '*' } }, get],
  [
    'NotAction allows all other actions',
    true,
    { identity: { Effect: 'Allow', NotAction: ['dynamodb:PutItem', 'sqs:*'], Resource: '*' } },
    get,
  ],
  [
    'NotAction does not allow its own actions',
    false,
    { identity: { Effect: 'Allow', NotAction: 'dynamodb:*', Resource: '*' } },
    get,
  ],
  ['a resource can have wildcards', true, { identity: { ...allow, Resource: 'arn:aws:dynamodb:*:table/j?bs' } }, get],
  ['? matches one character', false, { identity: { ...allow, Resource: TABLE.replace('jobs', 'j?s') } }, get],
  ['a dot matches only a dot', false, { identity: { ...allow, Resource: TABLE.replace('jobs', 'j.bs') } }, get],
  ['one of several resources is allowed', true, { identity: { ...allow, Resource: [QUEUE, TABLE] } }, get],
];

const forSend = { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: QUEUE } as const;
const refuseAll = { Effect: 'Deny', Principal: '*', Action: 'sqs:*', Resource: QUEUE } as const;
const named = (Principal: '*' | { AWS?: string | string[]; Service?: string }) => ({
  resource: { ...forSend, Principal },
});

const resourceRows: readonly Row[] = [
  ['a resource policy allows its principal', true, named({ AWS: worker.roleArn }), send],
  ['one of several principals is allowed', true, named({ AWS: [roleArn('other'), worker.roleArn] }), send],
  ['a resource policy does not allow other principals', false, named({ AWS: roleArn('other') }), send],
  ['a principal can be any caller', true, named('*'), send],
  ['a principal can be any AWS caller', true, named({ AWS: '*' }), send],
  ['a service is not a role', false, named({ Service: 'events.amazonaws.com' }), send],
  ['a service is allowed', true, named({ Service: 'events.amazonaws.com' }), send, { service: 'events.amazonaws.com' }],
  [
    'another service is not allowed',
    false,
    named({ Service: 'events.amazonaws.com' }),
    send,
    { service: 'sns.amazonaws.com' },
  ],
  ['a resource policy denies what an identity policy allows', false, { identity: forSend, resource: refuseAll }, send],
  [
    'an identity policy denies what a resource policy allows',
    false,
    { identity: { ...forSend, Effect: 'Deny' }, ...named('*') },
    send,
  ],
  [
    'loopback counts as TLS',
    true,
    { identity: forSend, resource: { ...refuseAll, Condition: { Bool: { 'aws:SecureTransport': 'false' } } } },
    send,
  ],
];

const on = (Condition: DeclaredStatement['Condition']) => ({ identity: { ...allow, Condition } });
const keyed = (...keys: string[]): Access => ({ ...get, context: { 'dynamodb:leadingkeys': keys } });
const inCluster = (cluster: string): Access => ({ ...get, context: { 'ecs:cluster': [cluster] } });
const CLUSTER = 'arn:aws:ecs:us-east-1:000000000000:cluster/fleet';
const sealedFor = (endpoint: string): Access => ({
  ...get,
  context: { 'kms:encryptioncontext:endpoint': [endpoint], 'kms:encryptioncontext:job': ['a'] },
});
const opens = on({ StringEquals: { 'kms:EncryptionContext:endpoint': 'echo' } });
const leading = (operator: string, ...values: string[]) => on({ [operator]: { 'dynamodb:LeadingKeys': values } });

const conditionRows: readonly Row[] = [
  ['a pair of the encryption context must match', true, opens, sealedFor('echo')],
  ['another value of the pair does not match', false, opens, sealedFor('other')],
  ['a missing encryption context does not match', false, opens, get],
  [
    'another pair does not match',
    false,
    on({ StringEquals: { 'kms:EncryptionContext:stage': 'echo' } }),
    sealedFor('echo'),
  ],
  [
    'StringEquals matches one of its values',
    true,
    on({ StringEquals: { 'aws:PrincipalArn': [roleArn('other'), worker.roleArn] } }),
    get,
  ],
  [
    'StringEquals is case-sensitive',
    false,
    on({ StringEquals: { 'aws:PrincipalArn': worker.roleArn.toUpperCase() } }),
    get,
  ],
  ['StringEquals has no wildcards', false, on({ StringEquals: { 'aws:PrincipalArn': '*' } }), get],
  ['StringEquals fails for an absent key', false, on({ StringEquals: { 'ecs:cluster': '' } }), get],
  ['StringLike has wildcards', true, on({ StringLike: { 'aws:PrincipalArn': 'arn:*/work?r' } }), get],
  ['keys are not case-sensitive', true, on({ StringLike: { 'AWS:principalARN': '*' } }), get],
  [
    'StringNotEquals fails for one of its values',
    false,
    on({ StringNotEquals: { 'aws:PrincipalArn': ['x', worker.roleArn] } }),
    get,
  ],
  ['StringNotEquals holds for an absent key', true, on({ StringNotEquals: { 'ecs:cluster': CLUSTER } }), get],
  [
    'ArnEquals also has wildcards',
    true,
    on({ ArnEquals: { 'ecs:cluster': CLUSTER.replace('fleet', 'f*') } }),
    inCluster(CLUSTER),
  ],
  ['ArnLike has wildcards', true, on({ ArnLike: { 'ecs:cluster': 'arn:aws:ecs:*:*:cluster/*' } }), inCluster(CLUSTER)],
  [
    'ArnLike compares the parts of an ARN separately',
    false,
    on({ ArnLike: { 'ecs:cluster': 'arn:aws:*:cluster/fleet' } }),
    inCluster(CLUSTER),
  ],
  [
    'tags of the resource match',
    true,
    on({ StringEquals: { 'aws:ResourceTag/Endpoint': 'echo' } }),
    { ...get, context: { 'aws:resourcetag/endpoint': ['echo'] } },
  ],
  [
    'tags do not match a resource without tags',
    false,
    on({ StringEquals: { 'aws:ResourceTag/Endpoint': 'echo' } }),
    get,
  ],
  ['Bool matches a boolean', true, on({ Bool: { 'aws:SecureTransport': true } }), get],
  [
    'several keys must all hold',
    false,
    on({ StringEquals: { 'aws:PrincipalArn': worker.roleArn, 'ecs:cluster': 'x' } }),
    get,
  ],
  [
    'several operators must all hold',
    false,
    on({ Bool: { 'aws:SecureTransport': 'true' }, StringEquals: { 'ecs:cluster': 'x' } }),
    get,
  ],
  ['Null holds for an absent key', true, on({ Null: { 'ecs:cluster': 'true' } }), get],
  ['Null fails for a present key', false, on({ Null: { 'ecs:cluster': 'true' } }), inCluster(CLUSTER)],
  ['Null of false fails for an absent key', false, on({ Null: { 'ecs:cluster': 'false' } }), get],
  [
    'ForAllValues requires that each value matches',
    false,
    leading('ForAllValues:StringEquals', 'a', 'b'),
    keyed('a', 'c'),
  ],
  [
    'ForAllValues accepts values that each match',
    true,
    leading('ForAllValues:StringEquals', 'a', 'b'),
    keyed('a', 'b'),
  ],
  ['ForAllValues holds for an absent key', true, leading('ForAllValues:StringEquals', 'a'), get],
  [
    'ForAllValues:StringNotEquals fails if one value is equal',
    false,
    leading('ForAllValues:StringNotEquals', 'a'),
    keyed('a', 'b'),
  ],
  ['ForAnyValue requires that one value matches', true, leading('ForAnyValue:StringLike', 'a*'), keyed('b', 'ab')],
  ['ForAnyValue fails if no value matches', false, leading('ForAnyValue:StringLike', 'a*'), keyed('b')],
  ['ForAnyValue fails for an absent key', false, leading('ForAnyValue:StringLike', '*'), get],
];

describe('IAM', () => {
  it.each([...rows, ...resourceRows, ...conditionRows])('%s: %s', (_, allowed, policies, access, caller = worker) => {
    expect(decide(policies, access, caller).allowed).toBe(allowed);
  });

  it('reports the policy that denied an access, or the unmet condition keys', () => {
    expect(decide({ identity: [allow, deny] }, get, worker)).toEqual({
      allowed: false,
      deniedBy: 'identity-based',
      unmet: [],
    });
    const resource = { ...refuseAll, Principal: { AWS: '*' } };
    expect(decide({ identity: forSend, resource }, send, worker)).toMatchObject({ deniedBy: 'resource-based' });
    const unmet = decide(leading('ForAnyValue:StringLike', 'a'), keyed('b'), worker);
    expect(unmet).toEqual({ allowed: false, unmet: ['dynamodb:LeadingKeys'] });
  });
});

describe('a policy that cannot be evaluated', () => {
  const where = 'Statement 0 of identity';

  it.each<[string, Declared, string]>([
    [
      'an unknown operator',
      on({ NumericLessThan: { 'ecs:cluster': '1' } }).identity,
      `${where} has the condition operator NumericLessThan`,
    ],
    [
      'an operator with IfExists',
      on({ StringLikeIfExists: { 'ecs:cluster': '1' } }).identity,
      'StringLikeIfExists, which is not known here.',
    ],
    ['an unknown set operator', on({ 'ForSome:StringLike': { 'ecs:cluster': '1' } }).identity, 'ForSome:StringLike'],
    ['a set operator with Null', on({ 'ForAllValues:Null': { 'ecs:cluster': '1' } }).identity, 'ForAllValues:Null'],
    [
      'an unknown condition key',
      on({ StringLike: { 'aws:SourceIp': '1' } }).identity,
      `${where} has a condition on aws:SourceIp, a key that is not known here.`,
    ],
    [
      'several values without a set operator',
      leading('StringLike', 'a').identity,
      'without ForAllValues or ForAnyValue',
    ],
    ['a policy variable', { ...allow, Resource: `${TABLE}/\${aws:username}` }, `${where} has a policy variable`],
    ['both kinds of actions', { ...allow, NotAction: '*' }, `${where} must have either Action or NotAction.`],
    ['an identity policy with a principal', { ...allow, Principal: '*' }, `${where} must not have a principal.`],
  ])('is refused with an error that describes the problem: %s', (_, statement, sentence) => {
    expect(() => parsed(statement, 'identity')).toThrow(sentence);
  });

  it('is refused for a principal that is not a role, or a missing principal', () => {
    const user = { ...allow, Principal: { AWS: 'arn:aws:iam::000000000000:user/me' } };
    expect(() => parsed(user, 'resource')).toThrow('names arn:aws:iam::000000000000:user/me, which is not a role');
    expect(() => parsed(allow, 'resource')).toThrow('Statement 0 of resource must have a principal.');
  });

  it('is refused if it is a managed policy of AWS that is not in the list', () => {
    const permissions = createPermissions();
    const arn = (name: string) => `arn:aws:iam::aws:policy/${name}`;
    permissions.attachManaged('worker', arn('service-role/AWSLambdaBasicExecutionRole'), 'Role');
    expect(permissions.decide(worker, { action: 'logs:PutLogEvents', resource: '*' }).allowed).toBe(false);
    expect(() => permissions.attachManaged('worker', arn('AdministratorAccess'), 'Role')).toThrow(
      'Role cannot run here: the policy arn:aws:iam::aws:policy/AdministratorAccess is unknown.',
    );
  });
});

describe('the report of used permissions', () => {
  function used(...accesses: Access[]) {
    const permissions = createPermissions();
    permissions.addRole('worker', worker.roleArn);
    const both = { Action: ['dynamodb:GetItem', 'dynamodb:Query'], Resource: [TABLE, OTHER_TABLE] };
    permissions.attach('worker', parsed({ ...allow, ...both }, 'identity', 'first'));
    permissions.attach('worker', parsed({ ...allow, Action: 'dynamodb:Query' }, 'identity', 'second'));
    permissions.protect(QUEUE, parsed({ ...forSend, Principal: { AWS: worker.roleArn } }, 'resource', 'third'));
    const usage = createUsage(permissions);
    for (const access of accesses) {
      const decision = permissions.decide(worker, access);
      if (decision.allowed) usage.count('worker', access, decision.by);
    }
    return usage;
  }
  const query: Access = { ...get, action: 'dynamodb:Query' };

  it('names the callers that a resource policy allows by the path of their roles', () => {
    const permissions = createPermissions();
    permissions.addRole('run', roleArn('callers/run'));
    permissions.addRole('worker', worker.roleArn);
    const ofPath = { ...forSend, Condition: { ArnLike: { 'aws:PrincipalArn': roleArn('callers/*') } } };
    permissions.protect(QUEUE, parsed({ ...ofPath, Principal: '*' }, 'resource', 'path'));
    const usage = createUsage(permissions);
    const decision = permissions.decide({ roleArn: roleArn('callers/run') }, send);
    expect(decision).toMatchObject({ allowed: true });
    expect(permissions.decide(worker, send)).toEqual({ allowed: false, unmet: ['aws:PrincipalArn'] });
    if (decision.allowed) usage.count('run', send, decision.by);
    expect(usage.report()).toEqual({
      run: [
        {
          policy: 'path',
          statement: 0,
          actions: { 'sqs:SendMessage': { [QUEUE]: { used: 1, indispensable: true } } },
        },
      ],
    });
  });

  it('counts the uses of each action on each resource, and marks the only statement that allowed a use', () => {
    const elsewhere = { ...query, resource: OTHER_TABLE };
    expect(used(get, get, query, elsewhere, send).report()).toEqual({
      worker: [
        {
          policy: 'first',
          statement: 0,
          actions: {
            'dynamodb:GetItem': {
              [TABLE]: { used: 2, indispensable: true },
              [OTHER_TABLE]: { used: 0, indispensable: false },
            },
            'dynamodb:Query': {
              [TABLE]: { used: 1, indispensable: false },
              [OTHER_TABLE]: { used: 1, indispensable: true },
            },
          },
        },
        {
          policy: 'second',
          statement: 0,
          actions: { 'dynamodb:Query': { [TABLE]: { used: 1, indispensable: false } } },
        },
        {
          policy: 'third',
          statement: 0,
          actions: { 'sqs:SendMessage': { [QUEUE]: { used: 1, indispensable: true } } },
        },
      ],
    });
  });

  it('lists actions that were never used', () => {
    const [first] = used(send).report().worker ?? [];
    expect(first?.actions['dynamodb:GetItem']?.[TABLE]).toEqual({ used: 0, indispensable: false });
  });

  it('reports a change only one time', () => {
    const usage = used(get);
    expect([usage.hasChanged(), usage.hasChanged()]).toEqual([true, false]);
  });
});
