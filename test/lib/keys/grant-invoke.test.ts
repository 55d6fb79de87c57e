/** Tests the access of functions in stacks of teams to endpoints. */
import { describe, expect, it } from '@jest/globals';
import { App, NestedStack, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { FunctionRole } from '../../../lib/constructs/function-role.ts';
import { addChecks } from '../../../lib/deployment/checks.ts';
import { grantInvoke } from '../../../lib/keys/grant-invoke.ts';
import { permissionsOf, roleNamed } from '../permissions.ts';
import { stackOf, synthesizeWith } from '../synthesis.ts';

const deployment = { serviceToken: 'arn:maintain', jobsUrl: 'https://host/v2' };

const functionIn = (scope: Construct, id: string, role?: FunctionRole) =>
  new LambdaFunction(scope, id, {
    ...(role && { role }),
    code: Code.fromInline('exports.handler = async () => undefined'),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
  });

interface Properties {
  readonly endpoints: readonly string[];
  readonly name: unknown;
}

const keysIn = (template: Template) =>
  Object.values(template.findResources('Custom::GpuEndpointsClientKey')).map(
    ({ Properties: its }) => its as Properties,
  );

describe('a function that may call endpoints', () => {
  const stack = new Stack(new App(), 'Team', { stackName: 'team-prod' });
  const [caller, other] = [functionIn(new Construct(stack, 'Api'), 'Caller'), functionIn(stack, 'Other')];
  grantInvoke(caller, { endpoint: 'voice', ...deployment });
  grantInvoke(other, { endpoint: 'chat', ...deployment });
  grantInvoke(caller, { endpoint: 'chat', ...deployment });
  grantInvoke(caller, { endpoint: 'chat', ...deployment });
  const template = Template.fromStack(stack);
  const idOf = (part: string) =>
    String(Object.keys(template.findResources('Custom::GpuEndpointsClientKey')).find((id) => id.includes(part)));
  const secretOf = (part: string) => ({ 'Fn::GetAtt': [idOf(part), 'secret'] });

  it('has one key for all of its endpoints, in their order', () => {
    expect(keysIn(template)).toEqual([
      {
        ServiceToken: 'arn:maintain',
        ServiceTimeout: '420',
        endpoints: ['chat', 'voice'],
        name: 'team-prod/Api/Caller',
      },
      expect.objectContaining({ endpoints: ['chat'], name: 'team-prod/Other' }),
    ]);
  });

  it.each(['Caller', 'Other'])('may read only its own secret: %s', (name) => {
    expect(permissionsOf(template, roleNamed(template, name))).toEqual([
      { on: JSON.stringify(secretOf(name)), actions: ['secretsmanager:GetSecretValue'] },
    ]);
  });

  it.each(['Caller', 'Other'])('gets the URL of the job interface, and the ARN of the secret: %s', (name) => {
    const [its] = Object.entries(template.findResources('AWS::Lambda::Function')).filter(([id]) => id.includes(name));
    expect(its?.[1].Properties.Environment.Variables).toEqual({
      GPU_ENDPOINTS_URL: 'https://host/v2',
      GPU_ENDPOINTS_KEY_SECRET: secretOf(name),
    });
  });

  it('cannot call endpoints of two deployments', () => {
    expect(() => grantInvoke(other, { endpoint: 'chat', ...deployment, jobsUrl: 'https://other/v2' })).toThrow(
      'Team/Other calls endpoints of another deployment',
    );
  });

  it('causes no finding of the AWS Solutions rules', () => {
    const app = new App();
    addChecks(app);
    const checked = new Stack(app, 'Checked');
    grantInvoke(functionIn(checked, 'Fn', new FunctionRole(checked, 'Role')), { endpoint: 'chat', ...deployment });
    expect(() => app.synth()).not.toThrow();
  });

  it('can be in a nested stack, and its key has a valid owner of at most 128 characters', () => {
    const root = new Stack(new App(), 'Root', { stackName: 'root' });
    const nested = new NestedStack(root, 'Nested Größe');
    grantInvoke(functionIn(nested, `Long${'x'.repeat(200)}`), { endpoint: 'chat', ...deployment });
    const [key] = keysIn(Template.fromStack(nested));
    expect(key?.name).toBe(`root/Nested-Gr--e/Long${'x'.repeat(106)}`);
  });
});

describe('the function that maintains keys', () => {
  const { template } = stackOf(synthesizeWith({}), 'Platform');

  it('may store and delete keys and their secrets, and read neither', () => {
    const granted = permissionsOf(template, roleNamed(template, 'CallerKeys')).filter(
      ({ actions }) => !actions.some((action) => action.startsWith('logs:')),
    );
    expect(granted).toEqual([
      { on: 'Keys', actions: ['dynamodb:DeleteItem', 'dynamodb:PutItem'] },
      {
        on: expect.stringMatching(/:secret:gpu-endpoints\/client-keys\/\*"/),
        actions: ['CreateSecret', 'DeleteSecret', 'DescribeSecret'].map((action) => `secretsmanager:${action}`),
      },
    ]);
  });

  it('has a fixed logical id, because CloudFormation cannot change the function of a custom resource', () => {
    template.hasResourceProperties('AWS::SSM::Parameter', {
      Name: '/gpu-endpoints/Platform/CallerKeys/ServiceToken',
      Value: { 'Fn::GetAtt': ['CallerKeysMaintain5F4DC691', 'Arn'] },
    });
  });

  it('shares the URL of the job interface that the outputs show', () => {
    const [output] = Object.values(template.findOutputs('JobApiUrl'));
    template.hasResourceProperties('AWS::SSM::Parameter', {
      Name: '/gpu-endpoints/Platform/JobsUrl',
      Value: output?.Value,
    });
  });
});
