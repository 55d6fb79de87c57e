/** Tests the policy of workers, with the emulation of IAM. */
import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { JobsTable } from '../../../lib/jobs/tables.ts';
import { type Access, evaluate } from '../../../packages/emulator/iam/evaluate.ts';
import { roleArn } from '../../../packages/emulator/iam/permissions.ts';
import { type PolicyDocument, parsePolicy } from '../../../packages/emulator/iam/statement.ts';

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/jobs';
const get: Access = { action: 'dynamodb:GetItem', resource: TABLE };
const keyed = (...keys: string[]): Access => ({ ...get, context: { 'dynamodb:leadingkeys': keys } });

/** Returns the platform's policy for workers of endpoint `echo`, with the table of this test. */
function workersPolicy(): PolicyDocument {
  const stack = new Stack(new App(), 'Stack');
  const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com') });
  const grantee = { grantPrincipal: role, addEnvironment: () => undefined };
  new JobsTable(stack, 'Jobs').grantWork(grantee, 'echo');
  const [policy] = Object.values(Template.fromStack(stack).findResources('AWS::IAM::Policy'));
  const document = policy?.Properties.PolicyDocument as PolicyDocument;
  const statements = document.Statement.map((statement) => ({ ...statement, Resource: TABLE }));
  return { ...document, Statement: statements };
}

describe('the policy of workers', () => {
  const identity = parsePolicy(workersPolicy(), 'identity', 'identity');

  it.each<[string, boolean, Access]>([
    ['a partition of their endpoint', true, keyed('echo#0')],
    ['several partitions of their endpoint', true, keyed('echo#0', 'echo#3')],
    ['a partition of another endpoint', false, keyed('other#0')],
    ['an endpoint whose name has the same prefix', false, keyed('echo2#0')],
    ['a partition that no job of their endpoint uses', false, keyed('echo#4')],
    ['a partition whose name is a pattern', false, keyed('echo#*')],
    ['a partition of another endpoint among their own', false, keyed('echo#0', 'other#0')],
    ['a request without a partition', false, get],
    ['their partition with another action', false, { ...keyed('echo#0'), action: 'dynamodb:DeleteItem' }],
  ])('decides on %s: %s', (_, allowed, access) => {
    expect(evaluate({ roleArn: roleArn('worker') }, access, { identity, resource: [] }).allowed).toBe(allowed);
  });
});
