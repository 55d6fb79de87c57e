/** Tests what a removal plans, and what it refuses, against a server that answers as AWS does. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAccount } from '../../../bin/remove/aws-account.ts';
import { readFacts, type Target } from '../../../bin/remove/facts.ts';
import { planOf } from '../../../bin/remove/plan.ts';
import { type Cloud, REGION, startCloud } from './cloud.ts';

let cloud: Cloud;
beforeEach(async () => {
  cloud = await startCloud();
  const credentials = { AWS_REGION: REGION, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
  Object.assign(process.env, credentials, { AWS_ENDPOINT_URL: cloud.url });
});
afterEach(async () => {
  delete process.env.AWS_ENDPOINT_URL;
  await cloud.stop();
});

async function planned(target: Target, isForced = false) {
  const place = { deployment: 'gpu-endpoints', region: REGION };
  const facts = await readFacts(createAccount(REGION), place, target, isForced);
  const { steps, ...plan } = planOf(facts, target, isForced);
  const names = steps.map((step) => (step.do === 'wait' ? 'wait' : step.stacks.map(({ stack }) => stack).join(' ')));
  return { ...plan, steps: names, kept: facts.kept };
}

const WHOLE: Target = { of: 'deployment', withStorage: false };
const ECHO: Target = { of: 'endpoint', name: 'echo' };
const NVIDIA: Target = { of: 'pool', name: 'nvidia' };

describe('the plan for a deployment', () => {
  it('keeps Storage, unless the user names the deployment', async () => {
    cloud.addDeployment();
    const steps = ['Endpoint-echo', 'Templates', 'Management', 'wait', 'Platform', 'Fleet'];
    expect((await planned(WHOLE)).steps).toEqual(steps);
    expect((await planned({ ...WHOLE, withStorage: true })).steps).toEqual([...steps, 'Storage']);
  });

  it('waits for instances before Fleet if Platform is deleted already', async () => {
    cloud.addDeployment();
    for (const id of ['Endpoint-echo', 'Templates', 'Management', 'Platform'])
      cloud.stack(id).status = 'DELETE_COMPLETE';
    expect((await planned(WHOLE)).steps).toEqual(['wait', 'Fleet']);
  });

  it('contains no stack of another project or deployment', async () => {
    cloud.addDeployment();
    cloud.add('Endpoint-website', { description: 'The website of another project' });
    cloud.addDeployment(['theirs'], 'gpu-endpoints-two');
    expect((await planned(WHOLE)).steps[0]).toBe('Endpoint-echo');
  });

  it('has no steps if nothing is deployed, and still names what Storage has left', async () => {
    cloud.addDeployment();
    const { kept } = await planned(WHOLE);
    for (const stack of cloud.stacks) stack.status = 'DELETE_COMPLETE';
    cloud.stack('Storage').events.push({
      EventId: 'kept',
      LogicalResourceId: 'Jobs',
      PhysicalResourceId: 'jobs-table',
      ResourceType: 'AWS::DynamoDB::Table',
      ResourceStatus: 'DELETE_SKIPPED',
      Timestamp: '2026-01-01T00:00:00Z',
    });
    const after = await planned({ ...WHOLE, withStorage: true });
    expect(after).toMatchObject({ steps: [], refusals: [] });
    expect(after.kept).toEqual(kept);
  });

  it('names a table that was deleted since without a size', async () => {
    cloud.addDeployment();
    cloud.tableError = 'ResourceNotFoundException';
    const { kept } = await planned(WHOLE);
    expect(kept).toMatchObject([{ name: 'jobs-table' }]);
    expect(kept[0]).not.toHaveProperty('size');
  });

  it.each([
    ['AccessDeniedException', 'The credentials may not call dynamodb:DescribeTable.'],
    ['ValidationException', 'dynamodb:DescribeTable failed: ValidationException.'],
  ])('is refused if the size of a table cannot be read, because of %s', async (error, message) => {
    cloud.addDeployment();
    cloud.tableError = error;
    await expect(planned(WHOLE)).rejects.toThrow(message);
  });

  it('names what is kept, with its size, and the commands that delete it', async () => {
    cloud.addDeployment();
    const resource = (type: string, name: string) => ({ id: name, type, name, isRetained: true });
    cloud.stacks.splice(0, 1);
    cloud.add('Storage', {
      isProtected: true,
      resources: [
        resource('AWS::DynamoDB::Table', 'jobs-table'),
        resource('AWS::Cognito::UserPool', 'eu-west-1_abc'),
        resource('AWS::Cognito::UserPoolGroup', 'admin'),
        resource('AWS::S3::Bucket', 'payloads'),
        resource('AWS::KMS::Key', 'key-1'),
        resource('AWS::EFS::FileSystem', 'fs-1'),
        resource('AWS::Logs::LogGroup', 'logs'),
      ],
    });
    const { kept } = await planned(WHOLE);
    const region = `--region ${REGION}`;
    expect(kept.map(({ what, name, size, commands }) => [what, name, size, commands])).toEqual([
      [
        'table',
        'jobs-table',
        { items: 1_234, bytes: 56_000 },
        [
          `aws dynamodb update-table --table-name jobs-table --no-deletion-protection-enabled ${region}`,
          `aws dynamodb wait table-exists --table-name jobs-table ${region}`,
          `aws dynamodb delete-table --table-name jobs-table ${region}`,
        ],
      ],
      [
        'user pool of the console',
        'eu-west-1_abc',
        undefined,
        [
          `aws cognito-idp update-user-pool --user-pool-id eu-west-1_abc --deletion-protection INACTIVE ${region}`,
          `aws cognito-idp delete-user-pool --user-pool-id eu-west-1_abc ${region}`,
        ],
      ],
      ['bucket of payloads', 'payloads', undefined, [`aws s3 rb s3://payloads --force ${region}`]],
      [
        'key of secrets',
        'key-1',
        undefined,
        [`aws kms schedule-key-deletion --key-id key-1 --pending-window-in-days 30 ${region}`],
      ],
      ['file system of volumes', 'fs-1', undefined, [`aws efs delete-file-system --file-system-id fs-1 ${region}`]],
      ['resource of type AWS::Logs::LogGroup', 'logs', undefined, []],
    ]);
  });

  it('names the cached images, which no stack has, also after the removal of Fleet', async () => {
    cloud.addDeployment([]);
    const type = 'AWS::ECR::RepositoryCreationTemplate';
    cloud.stacks.splice(1, 1);
    const fleet = cloud.add('Fleet', { resources: [{ id: 'Repositories', type, name: 'gpu-endpoints' }] });
    const list = `ecr describe-repositories --query "repositories[?starts_with(repositoryName,'gpu-endpoints/')].repositoryName"`;
    const images = {
      type,
      name: 'gpu-endpoints',
      isOutside: true,
      what: expect.stringContaining('cached images'),
      commands: [
        `aws ${list} --output text --region ${REGION} | xargs -n 1 | xargs -rI {} aws ecr delete-repository --force --repository-name {} --region ${REGION}`,
      ],
    };
    expect((await planned(WHOLE)).kept).toContainEqual(images);
    expect((await planned(NVIDIA)).kept).toEqual([]);
    fleet.status = 'DELETE_COMPLETE';
    fleet.events.push({
      EventId: 'deleted',
      LogicalResourceId: 'Repositories',
      PhysicalResourceId: 'gpu-endpoints',
      ResourceType: type,
      ResourceStatus: 'DELETE_COMPLETE',
      Timestamp: '2026-01-01T00:00:00Z',
    });
    expect((await planned(WHOLE)).kept).toContainEqual(images);
  });

  it('is refused while a deployment changes a stack', async () => {
    cloud.addDeployment();
    cloud.stack('Fleet').status = 'UPDATE_IN_PROGRESS';
    expect((await planned(WHOLE)).refusals).toEqual([
      'gpu-endpoints-Fleet is UPDATE_IN_PROGRESS: wait until its deployment has ended.',
    ]);
  });
});

describe('the plan for an endpoint', () => {
  it('deletes only its stack, and none if it is not deployed', async () => {
    cloud.addDeployment(['echo', 'echo-two']);
    expect((await planned(ECHO)).steps).toEqual(['Endpoint-echo']);
    expect((await planned({ of: 'endpoint', name: 'gone' })).steps).toEqual([]);
  });

  it('is refused if the endpoint has jobs, unless it is forced', async () => {
    cloud.addDeployment(['echo', 'llm']);
    cloud.endpoints = [
      { id: 'echo', inQueue: 3, inProgress: 2 },
      { id: 'llm', inQueue: 1 },
    ];
    const has = 'echo has 2 running and 3 waiting jobs';
    expect(await planned(ECHO)).toMatchObject({
      refusals: [`${has}: wait until they have ended, or repeat the command with --force.`],
      warnings: [],
    });
    expect(await planned(ECHO, true)).toMatchObject({ refusals: [], warnings: [`${has}, which the removal stops.`] });
    expect((await planned(WHOLE)).refusals).toHaveLength(2);
  });
});

describe('the plan for a pool', () => {
  it('is refused while endpoints use the pool, also if it is forced', async () => {
    cloud.addDeployment(['echo', 'llm']);
    cloud.endpoints = [{ id: 'echo' }, { id: 'llm', instanceGroup: 'group-nvidia' }];
    const refusals = ['Endpoints use the pool nvidia: llm. Remove them, or change their capacity and deploy.'];
    expect(await planned(NVIDIA)).toMatchObject({ refusals });
    expect(await planned(NVIDIA, true)).toMatchObject({ refusals });
  });

  it('waits for its instances, and is empty if Fleet has no such pool', async () => {
    cloud.addDeployment();
    expect(await planned(NVIDIA)).toMatchObject({ steps: ['wait'], refusals: [] });
    expect((await planned({ of: 'pool', name: 'nvidi' })).steps).toEqual([]);
  });
});
