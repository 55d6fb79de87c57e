/** Tests what each check of `npx gpu-endpoints doctor` reports, with and without a problem. */
import { describe, expect, it } from '@jest/globals';
import { appOf } from '../../../bin/assembly/app.ts';
import { type Account, silent } from '../../../bin/doctor/account.ts';
import { CallFailed } from '../../../bin/doctor/bounded.ts';
import { examine, type Outside } from '../../../bin/doctor/examine.ts';
import type { Finding } from '../../../bin/doctor/finding.ts';

const caller = { account: '123456789012', arn: 'arn:aws:iam::123456789012:user/ada' };

const healthy: Account = {
  ...silent('Not asked.'),
  caller: () => Promise.resolve(caller),
  parameter: () => Promise.resolve('21'),
  hasRole: () => Promise.resolve(true),
  hasPolicy: () => Promise.resolve(true),
  stacks: () => Promise.resolve([{ name: 'website', description: 'Of another team', status: 'CREATE_COMPLETE' }]),
  quota: () => Promise.resolve(1_600),
};

const worker = {
  Resources: {
    Task: { Type: 'AWS::ECS::TaskDefinition', Properties: { Cpu: '4096', RequiresCompatibilities: ['FARGATE'] } },
    Service: { Type: 'AWS::ECS::Service', Properties: { TaskDefinition: 'Endpoint-echo' } },
    Registration: {
      Type: 'Custom::Endpoint',
      Properties: { id: 'echo', blueprint: { Ref: 'Task' }, minWorkers: 0, maxWorkers: 3 },
    },
  },
};
const stacks = [{ id: 'Storage', name: 'gpu-endpoints-Storage' }];
const deployment = { stacks, images: 2, bootstrap: { version: 6, parameter: '/cdk-bootstrap/hnb659fds/version' } };
const app = appOf({ 'Endpoint-echo': worker }, deployment);

const ready: Outside = {
  node: 'v24.1.0',
  pinned: '2.1148.1',
  installed: '2.1148.1',
  region: 'eu-west-1',
  declaredRegion: undefined,
  engine: undefined,
  run: (command) => Promise.resolve(command === 'docker'),
  account: healthy,
  synthesize: () => Promise.resolve(app),
  waiting: 800,
  now: Date.parse('2026-11-28'),
};

async function findings(differences: Partial<Outside>, account: Partial<Account> = {}): Promise<Finding[]> {
  return examine({ ...ready, ...differences, account: { ...healthy, ...account } });
}

async function finding(check: string, differences: Partial<Outside>, account: Partial<Account> = {}) {
  return (await findings(differences, account)).find((one) => one.check === check);
}

const FARGATE = 'Quota: Fargate On-Demand vCPU resource count';
const fargateQuota = (value: number | undefined): Partial<Account> => ({
  quota: (service) => Promise.resolve(service === 'fargate' ? value : 1_600),
});

describe('the doctor', () => {
  it('finds no problem if there is none', async () => {
    const all = await findings({});
    expect(all.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(all.map(({ check }) => check)).toEqual([
      'Node',
      'CDK command',
      'Stacks',
      'Region',
      'Credentials',
      'Container engine',
      'CDK bootstrap',
      'Stack names',
      'ECS service-linked role',
      'Calls that wait',
      'Quota: Lambda concurrent executions',
      FARGATE,
      'Budgets of API keys',
    ]);
  });

  it.each<[string, Partial<Outside>, string]>([
    ['Node', { node: 'v20.20.2' }, 'The version of Node is 20.20.2.'],
    ['Node', { node: 'v22.9.0' }, 'The version of Node is 22.9.0.'],
    ['CDK command', { installed: '3.0.0' }, 'aws-cdk 3.0.0 is installed.'],
    ['CDK command', { installed: undefined }, 'aws-cdk is not installed.'],
    ['CDK command', { installed: undefined, pinned: undefined }, 'aws-cdk is not installed.'],
    ['Stacks', { synthesize: () => Promise.reject(new Error('endpoints/a.yaml: `cpu` is odd')) }, '`cpu` is odd'],
    ['Region', { region: undefined }, 'No Region is set.'],
    ['Container engine', { run: () => Promise.resolve(false) }, 'docker does not answer.'],
  ])('reports a problem with a fix: %s %j', async (check, differences, sentence) => {
    const found = await finding(check, differences);
    expect(found).toMatchObject({ level: 'problem', found: expect.stringContaining(sentence) });
    expect(found?.fix).toBeTruthy();
    expect(found?.needed).toBeTruthy();
  });

  it.each(['v22.18.0', 'v24.1.0', 'v100.0.0'])('accepts Node %s, which runs TypeScript', async (node) => {
    expect(await finding('Node', { node })).toMatchObject({ level: 'ok' });
  });

  it.each([undefined, '^2.1148.0'])('warns if package.json has %s as the version of aws-cdk', async (pinned) => {
    expect(await finding('CDK command', { pinned })).toMatchObject({
      level: 'warning',
      found: 'aws-cdk 2.1148.1 is installed.',
      needed: 'an exact version of aws-cdk in package.json.',
    });
  });

  it('checks the engine of CDK_DOCKER, and its fix names an engine that answers', async () => {
    const run = (command: string) => Promise.resolve(command === 'podman');
    expect(await finding('Container engine', { run, engine: 'podman' })).toMatchObject({ level: 'ok' });
    expect(await finding('Container engine', { run })).toMatchObject({ fix: 'export CDK_DOCKER=podman' });
  });

  it('needs no engine if no image is built', async () => {
    const none = appOf({}, { ...deployment, images: 0 });
    const synthesize = () => Promise.resolve(none);
    const run = () => Promise.resolve(false);
    expect(await finding('Container engine', { synthesize, run })).toMatchObject({ level: 'ok' });
  });

  it.each([
    [undefined, 'The account is not bootstrapped in this Region.'],
    ['5', 'Version 5 is deployed.'],
  ])('requires the bootstrap version of the stacks when the deployed version is %s', async (version, sentence) => {
    expect(await finding('CDK bootstrap', {}, { parameter: () => Promise.resolve(version) })).toMatchObject({
      level: 'problem',
      found: sentence,
      needed: 'Version 6 or newer, which the stacks need.',
      fix: 'npx cdk bootstrap aws://123456789012/eu-west-1',
    });
  });

  it('refuses names of stacks of another project, and accepts those of this service', async () => {
    const stacksWith = (description: string) => ({
      stacks: () => Promise.resolve([{ name: 'gpu-endpoints-Storage', description, status: 'CREATE_COMPLETE' }]),
    });
    expect(await finding('Stack names', {}, stacksWith('Of another team'))).toMatchObject({
      level: 'problem',
      found: 'Stacks of another project have the names gpu-endpoints-Storage: a deployment would overwrite them.',
      fix: expect.stringContaining('-c deployment=NAME'),
    });
    expect(await finding('Stack names', {}, stacksWith('gpu-endpoints: tables'))).toMatchObject({ level: 'ok' });
  });

  it('compares the account and Region of the environment with those of the credentials', async () => {
    const check = 'Account and Region of the environment';
    const placed = (account: string, region: string) => ({
      synthesize: () => Promise.resolve(appOf({}, { ...deployment, place: { account, region } })),
    });
    expect(await finding(check, placed('123456789012', 'eu-west-1'))).toMatchObject({ level: 'ok' });
    expect(await finding(check, placed('123456789012', 'eu-west-2'))).toMatchObject({
      level: 'problem',
      found: 'The credentials are for account 123456789012, Region eu-west-1.',
      needed: "Account 123456789012, Region eu-west-2, as set in the environment's file.",
    });
    expect(await finding(check, placed('000000000000', 'eu-west-1'))).toMatchObject({ level: 'problem' });
    expect(await finding(check, {})).toBeUndefined();
  });

  it('checks the Region in the file of the environment, and reports credentials for another one', async () => {
    const declaredRegion = 'eu-central-1';
    const placed = { declaredRegion, region: undefined };
    const found = "eu-central-1, as set in the environment's file.";
    expect(await finding('Region', placed)).toMatchObject({ level: 'ok', found });
    expect(await finding('Region', { declaredRegion, region: 'us-east-1' })).toMatchObject({
      level: 'problem',
      found: 'AWS_REGION or the profile names us-east-1. The other checks are for eu-central-1.',
      fix: 'export AWS_REGION=eu-central-1',
    });
    const old = { parameter: () => Promise.resolve('5') };
    expect(await finding('CDK bootstrap', placed, old)).toMatchObject({
      fix: 'npx cdk bootstrap aws://123456789012/eu-central-1',
    });
  });

  it('requires the role that ECS uses to run services, with the command that creates it as the fix', async () => {
    const asked: string[] = [];
    const hasRole = (name: string) => {
      asked.push(name);
      return Promise.resolve(false);
    };
    expect(await finding('ECS service-linked role', {}, { hasRole })).toMatchObject({
      level: 'problem',
      found: 'The account has no role AWSServiceRoleForECS.',
      fix: 'aws iam create-service-linked-role --aws-service-name ecs.amazonaws.com',
    });
    expect(asked).toEqual(['AWSServiceRoleForECS']);
    const refuse = () => Promise.reject(new CallFailed('The credentials may not call iam:GetRole.'));
    expect(await finding('ECS service-linked role', {}, { hasRole: refuse })).toMatchObject({ level: 'warning' });
  });

  it('reports a problem if a quota is too small for one worker, and a warning if it is too small for all workers', async () => {
    expect(await finding(FARGATE, {}, fargateQuota(12))).toMatchObject({ level: 'ok' });
    expect(await finding(FARGATE, {}, fargateQuota(6))).toMatchObject({
      level: 'warning',
      needed: expect.stringContaining('12 vCPUs to run endpoint echo'),
      fix: expect.stringContaining('--service-code fargate --quota-code L-3032A538 --desired-value 12'),
    });
    expect(await finding(FARGATE, {}, fargateQuota(2))).toMatchObject({
      level: 'problem',
      needed: expect.stringContaining('At least 4 vCPUs'),
      fix: expect.stringContaining('https://eu-west-1.console.aws.amazon.com/servicequotas/'),
    });
    expect(await finding(FARGATE, {}, fargateQuota(undefined))).toMatchObject({ level: 'warning' });
  });

  it('names an instance type whose quota is not known', async () => {
    const group = {
      MaxSize: '2',
      MixedInstancesPolicy: {
        LaunchTemplate: { Overrides: [{ InstanceType: 'p6-b200.48xlarge' }] },
        InstancesDistribution: { OnDemandPercentageAboveBaseCapacity: 0 },
      },
    };
    const onPool = appOf(
      {
        'Endpoint-large': {
          Resources: {
            Group: { Type: 'AWS::AutoScaling::AutoScalingGroup', Properties: group },
            Pool: {
              Type: 'AWS::ECS::CapacityProvider',
              Properties: { AutoScalingGroupProvider: { AutoScalingGroupArn: { Ref: 'Group' } } },
            },
            Service: {
              Type: 'AWS::ECS::Service',
              Properties: { CapacityProviderStrategy: [{ CapacityProvider: { Ref: 'Pool' } }] },
            },
            Registration: { Type: 'Custom::Endpoint', Properties: { id: 'large', minWorkers: 0, maxWorkers: 2 } },
          },
        },
      },
      deployment,
    );
    expect(await finding('Quota: p6-b200.48xlarge, Spot', { synthesize: () => Promise.resolve(onPool) })).toEqual({
      check: 'Quota: p6-b200.48xlarge, Spot',
      level: 'warning',
      found: 'The quota of this instance type, on which endpoint large can run, is not known here.',
      fix: 'find the quota of the type at https://eu-west-1.console.aws.amazon.com/servicequotas/home/services/ec2/quotas',
    });
  });

  it('reports a warning for a check whose data the credentials may not read', async () => {
    const refuse = () => Promise.reject(new CallFailed('The credentials may not call ssm:GetParameter.'));
    const all = await findings({}, { parameter: refuse });
    expect(all.filter(({ level }) => level === 'problem')).toEqual([]);
    expect(all.find(({ check }) => check === 'CDK bootstrap')).toEqual({
      check: 'CDK bootstrap',
      level: 'warning',
      found: 'Not checked. The credentials may not call ssm:GetParameter.',
    });
  });

  it('makes no further call to AWS if the caller is unknown', async () => {
    const asked: string[] = [];
    const ask = (name: string) => {
      asked.push(name);
      return Promise.resolve(undefined);
    };
    const unanswered = () => Promise.reject(new CallFailed('The AWS credentials could not be loaded.'));
    const all = await findings(
      {},
      { caller: unanswered, parameter: ask, quota: ask, hasRole: async (name) => Boolean(await ask(name)) },
    );
    expect(asked).toEqual([]);
    expect(all.find(({ check }) => check === 'Credentials')).toMatchObject({ level: 'problem' });
    expect(all.find(({ check }) => check === FARGATE)?.found).toBe(
      'Not checked. The AWS credentials could not be loaded.',
    );
    expect(all.find(({ check }) => check === 'Node')?.level).toBe('ok');
  });
});
