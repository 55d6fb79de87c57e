/** Runs `npm run stacks` as a process, against a server that answers as CloudFormation does. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ComparedStack } from '../../bin/stacks/compare.ts';
import { type Answer, type Stub, startStub } from './doctor/stub.ts';

const CLOUDFORMATION = 'http://cloudformation.amazonaws.com/doc/2010-05-15/';
const home = mkdtempSync(join(tmpdir(), 'gpu-endpoints-stacks-'));

interface Member {
  readonly name: string;
  readonly description: string;
}

const member = ({ name, description }: Member) =>
  `<member><StackName>${name}</StackName><Description>${description}</Description><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-01-01T00:00:00Z</CreationTime></member>`;

const page = (stacks: readonly Member[], next = ''): Answer => ({
  body: `<DescribeStacksResponse xmlns="${CLOUDFORMATION}"><DescribeStacksResult><Stacks>${stacks.map(member).join('')}</Stacks>${next && `<NextToken>${next}</NextToken>`}</DescribeStacksResult></DescribeStacksResponse>`,
});
const refusal: Answer = {
  status: 403,
  body: `<ErrorResponse xmlns="${CLOUDFORMATION}"><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>No.</Message></Error></ErrorResponse>`,
};

const shared = [
  { name: 'gpu-endpoints-Storage', description: 'gpu-endpoints: tables' },
  { name: 'gpu-endpoints-Fleet', description: 'gpu-endpoints: network and cluster' },
  { name: 'gpu-endpoints-Platform', description: 'gpu-endpoints: job interface' },
  { name: 'gpu-endpoints-Management', description: 'gpu-endpoints: management interface' },
];
const website = { name: 'gpu-endpoints-Endpoint-website', description: 'The website of another project' };
const gone = { name: 'gpu-endpoints-Endpoint-gone', description: 'gpu-endpoints: endpoint gone' };

let stub: Stub;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(async () => {
  await stub.stop();
  rmSync(home, { recursive: true });
});

/** @param credentials whether the environment contains credentials */
function stacks(args: readonly string[], credentials = true) {
  // Validation is off and modules are compiled, so a synthesis takes a third: `test/runner/before-all-files.ts`.
  const { PATH, CDK_VALIDATION, NODE_COMPILE_CACHE, DECLARATIONS } = process.env;
  const keys = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'the-secret-access-key' };
  const place = { AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL: stub.url, AWS_EC2_METADATA_DISABLED: 'true' };
  const inherited = { PATH, CDK_VALIDATION, NODE_COMPILE_CACHE, DECLARATIONS };
  const env = { ...inherited, HOME: home, ...place, ...(credentials && keys) };
  const { promise, resolve } = Promise.withResolvers<{ status: number; stdout: string; stderr: string }>();
  execFile(process.execPath, ['bin/stacks.ts', ...args], { env }, (error, stdout, stderr) =>
    resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
  );
  return promise;
}

describe('npm run stacks', () => {
  it('prints the command that removes an endpoint that is deployed but not in Git, and exits with 1', async () => {
    stub.answer({
      DescribeStacks: ({ NextToken }) => (NextToken === 'two' ? page([gone]) : page([...shared, website], 'two')),
    });
    const { status, stdout, stderr } = await stacks([]);
    expect(stderr).toBe('');
    expect(stdout).toContain('not declared       gpu-endpoints-Endpoint-gone: CREATE_COMPLETE\n');
    expect(stdout).toContain(
      '   remove: aws cloudformation delete-stack --region eu-west-1 --stack-name gpu-endpoints-Endpoint-gone\n',
    );
    expect(stdout).not.toContain('Endpoint-website');
    expect(status).toBe(1);
  });

  it('compares only the deployment of the context, and exits with 0 if all its stacks are in Git', async () => {
    const prod = shared.map(({ name, description }) => ({ name: name.replace('gpu-endpoints', 'prod'), description }));
    stub.answer({ DescribeStacks: () => page([...prod, ...shared, website]) });
    const { status, stdout } = await stacks(['--json', '-c', 'deployment=prod']);
    const listed = JSON.parse(stdout) as ComparedStack[];
    expect(listed.map(({ name, state }) => [name, state])).toEqual([
      ['prod-Endpoint-echo', 'not deployed'],
      ['prod-Endpoint-echo-http', 'not deployed'],
      ['prod-Endpoint-echo-sdk', 'not deployed'],
      ['prod-Fleet', 'declared'],
      ['prod-Management', 'declared'],
      ['prod-Platform', 'declared'],
      ['prod-Storage', 'declared'],
      ['prod-Templates', 'not deployed'],
      ['gpu-endpoints-Storage', 'other deployment'],
      ['gpu-endpoints-Fleet', 'other deployment'],
      ['gpu-endpoints-Platform', 'other deployment'],
      ['gpu-endpoints-Management', 'other deployment'],
    ]);
    expect(listed[0]?.fix).toEqual(['npx cdk deploy Endpoint-echo -c deployment=prod']);
    expect(status).toBe(0);
  });

  it('exits with 1 and the reason if AWS refuses the call, or if there are no credentials', async () => {
    stub.answer({ DescribeStacks: () => refusal });
    expect(await stacks([])).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The credentials may not call cloudformation:DescribeStacks.\n',
    });
    expect(await stacks([], false)).toEqual({ status: 1, stdout: '', stderr: 'There are no AWS credentials.\n' });
  });

  it('prints its usage', async () => {
    expect(await stacks(['--help'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('It changes nothing.'),
    });
  });
});
