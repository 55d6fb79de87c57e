/** Tests policies that templates declare, and the permissions of roles after the deployment. */
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Template } from '../../cloudformation/template.ts';
import { roleArn } from '../../iam/permissions.ts';
import { type SmallService, startSmallService } from '../small-service.ts';

let service: SmallService | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

const deploy = async (Resources: Template['Resources']) => {
  service = await startSmallService({ Only: { Resources } }, '');
  const { permissions } = service;
  return {
    permissions,
    may: (role: string, action: string, resource = 'arn:aws:s3:::files/a') =>
      permissions.decide({ roleArn: roleArn(role) }, { action, resource }).allowed,
  };
};

const document = (Action: string, rest: object = {}) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action, Resource: '*', ...rest }],
});
const role = (Properties: Record<string, unknown> = {}) => ({
  Type: 'AWS::IAM::Role',
  Properties: { AssumeRolePolicyDocument: {}, ...Properties },
});
const policy = (PolicyDocument: object) => ({
  Type: 'AWS::IAM::Policy',
  Properties: { PolicyName: 'policy', PolicyDocument, Roles: [{ Ref: 'Role' }] },
});

describe('a role', () => {
  it('has the policies that reference it', async () => {
    const { may, permissions } = await deploy({
      Role: role(),
      Other: role({ RoleName: 'named' }),
      Policy: policy(document('s3:GetObject')),
    });
    expect([may('Only-Role', 's3:GetObject'), may('Only-Role', 's3:PutObject')]).toEqual([true, false]);
    expect([may('named', 's3:GetObject'), permissions.roleNamed('named')]).toEqual([false, roleArn('named')]);
    expect(permissions.roleNamed('Only-Other')).toBeUndefined();
  });

  it('has its path in its ARN, but not in its name', async () => {
    const { permissions } = await deploy({ Role: role({ RoleName: 'named', Path: '/workers/us-east-1/' }) });
    expect(permissions.roleNamed('named')).toBe('arn:aws:iam::000000000000:role/workers/us-east-1/named');
  });

  it('has its own policies, its managed policies, and the policies that name it', async () => {
    const managed = (Action: string, rest: object) => ({
      Type: 'AWS::IAM::ManagedPolicy',
      Properties: { PolicyDocument: document(Action), Path: '/', Description: '', ...rest },
    });
    const { may } = await deploy({
      Role: role({
        Policies: [{ PolicyName: 'own', PolicyDocument: document('s3:GetObject') }],
        ManagedPolicyArns: [{ Ref: 'Managed' }],
      }),
      Managed: managed('s3:PutObject', { ManagedPolicyName: 'managed' }),
      Naming: managed('s3:DeleteObject', { Roles: [{ Ref: 'Role' }] }),
    });
    const actions = ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:ListBucket'];
    expect(actions.map((action) => may('Only-Role', action))).toEqual([true, true, true, false]);
  });
});

describe('a resource policy', () => {
  const toRole = { Principal: { AWS: { 'Fn::GetAtt': ['Role', 'Arn'] } } };

  it('applies only to its queue', async () => {
    const { may } = await deploy({
      Role: role(),
      Policy: {
        Type: 'AWS::SQS::QueuePolicy',
        Properties: {
          Queues: ['http://127.0.0.1:1/000000000000/jobs'],
          PolicyDocument: document('sqs:SendMessage', toRole),
        },
      },
    });
    const queue = (name: string) => `arn:aws:sqs:us-east-1:000000000000:${name}`;
    expect(['jobs', 'others'].map((name) => may('Only-Role', 'sqs:SendMessage', queue(name)))).toEqual([true, false]);
  });

  it('applies only to its bucket and the objects in it', async () => {
    const { may } = await deploy({
      Role: role(),
      Policy: {
        Type: 'AWS::S3::BucketPolicy',
        Properties: { Bucket: 'files', PolicyDocument: document('s3:*', toRole) },
      },
    });
    expect(may('Only-Role', 's3:GetObject')).toBe(true);
    expect(may('Only-Role', 's3:ListBucket', 'arn:aws:s3:::files')).toBe(true);
    expect(may('Only-Role', 's3:GetObject', 'arn:aws:s3:::files2/a')).toBe(false);
  });
});

describe('a policy that cannot be evaluated', () => {
  it.each<[string, Template['Resources'], string]>([
    [
      'an unknown condition key',
      { Role: role(), Policy: policy(document('s3:*', { Condition: { StringLike: { 's3:prefix': 'a' } } })) },
      'Statement 0 of Only/Policy (AWS::IAM::Policy) has a condition on s3:prefix, a key that is not known here.',
    ],
    [
      'an unsupported element of a statement',
      { Role: role(), Policy: policy(document('s3:*', { NotResource: '*' })) },
      'Only/Policy (AWS::IAM::Policy) cannot run here: the property PolicyDocument.Statement.0.NotResource is not supported',
    ],
    [
      'an unknown permissions boundary',
      { Role: role({ PermissionsBoundary: 'arn:aws:iam::000000000000:policy/boundary' }) },
      "Only/Role (AWS::IAM::Role) cannot run here: its permissions boundary arn:aws:iam::000000000000:policy/boundary is not one of the account's policies (none).",
    ],
    [
      'an unknown policy of AWS',
      { Role: role({ ManagedPolicyArns: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] }) },
      'Only/Role (AWS::IAM::Role) cannot run here: the policy arn:aws:iam::aws:policy/ReadOnlyAccess is unknown.',
    ],
  ])('stops the start: %s', async (_, resources, sentence) => {
    await expect(deploy(resources)).rejects.toThrow(sentence);
  });
});
