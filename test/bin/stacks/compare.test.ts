import { describe, expect, it } from '@jest/globals';
import type { DeployedStack } from '../../../bin/doctor/deployed.ts';
import { compareStacks } from '../../../bin/stacks/compare.ts';

const REGION = 'eu-west-1';
const ids = ['Endpoint-echo', 'Fleet', 'Management', 'Platform', 'Storage'];
const declared = ids.map((id) => ({ id, name: `gpu-endpoints-${id}` }));

const deployed = (name: string, kind: string, more: Partial<DeployedStack> = {}): DeployedStack => ({
  name,
  description: `gpu-endpoints: ${kind}`,
  status: 'UPDATE_COMPLETE',
  isProtected: false,
  outputs: {},
  ...more,
});
const echo = deployed('gpu-endpoints-Endpoint-echo', 'endpoint echo');
const gone = deployed('gpu-endpoints-Endpoint-gone', 'endpoint gone');
const templates = deployed('gpu-endpoints-Templates', 'official templates');

const named = (stacks: readonly DeployedStack[], name: string, among = declared) =>
  compareStacks(among, stacks, REGION).find((stack) => stack.name === name);

describe('a stack', () => {
  it('is declared if it is both deployed and in Git, with its status in CloudFormation', () => {
    expect(named([echo], 'gpu-endpoints-Endpoint-echo')).toEqual({
      name: 'gpu-endpoints-Endpoint-echo',
      state: 'declared',
      status: 'UPDATE_COMPLETE',
      description: 'gpu-endpoints: endpoint echo',
    });
  });

  it('is not deployed if it is only in Git, with the command that deploys it', () => {
    const stack = {
      name: 'gpu-endpoints-Endpoint-echo',
      state: 'not deployed',
      fix: ['npx gpu-endpoints deploy Endpoint-echo'],
    };
    expect(named([gone], 'gpu-endpoints-Endpoint-echo')).toEqual(stack);
  });

  it('is not declared if it is deployed but not in Git, with the command that removes it', () => {
    expect(named([echo, gone], 'gpu-endpoints-Endpoint-gone')).toMatchObject({
      state: 'not declared',
      fix: ['npx gpu-endpoints remove endpoint gone'],
    });
  });

  it('loses its termination protection before it is deleted', () => {
    expect(named([{ ...templates, isProtected: true }], 'gpu-endpoints-Templates')?.fix).toEqual([
      'aws cloudformation update-termination-protection --no-enable-termination-protection --region eu-west-1 --stack-name gpu-endpoints-Templates',
      'aws cloudformation delete-stack --region eu-west-1 --stack-name gpu-endpoints-Templates',
    ]);
  });

  it('needs no command during its deletion, and is not declared after a failed deletion', () => {
    const deleting = named([{ ...gone, status: 'DELETE_IN_PROGRESS' }], 'gpu-endpoints-Endpoint-gone');
    expect([deleting?.state, deleting?.fix]).toEqual(['being deleted', undefined]);
    expect(named([{ ...gone, status: 'DELETE_FAILED' }], 'gpu-endpoints-Endpoint-gone')?.state).toBe('not declared');
  });

  it('is listed after the endpoints that import its exports', () => {
    const names = compareStacks(declared, [templates, gone], REGION).map(({ name }) => name);
    expect(names).toEqual([
      ...declared.map(({ name }) => name),
      'gpu-endpoints-Endpoint-gone',
      'gpu-endpoints-Templates',
    ]);
  });
});

describe('a stack of another deployment in the account', () => {
  it.each(['prod-Endpoint-gone', 'prod-Management', 'gpu-endpoints-test-Endpoint-gone', 'gpu-Storage'])(
    'gets no command that removes it: %s',
    (name) => {
      const other = named([deployed(name, 'endpoint gone')], name);
      expect(other).toMatchObject({ state: 'other deployment' });
      expect(other).not.toHaveProperty('fix');
    },
  );

  it('is recognized by its prefix, which differs from that of the declared stacks', () => {
    const prod = ids.map((id) => ({ id, name: `prod-${id}` }));
    const own = deployed('prod-Endpoint-gone', 'endpoint gone');
    expect(named([own], 'prod-Endpoint-gone', prod)).toMatchObject({ state: 'not declared' });
    expect(named([gone], 'gpu-endpoints-Endpoint-gone', prod)).toMatchObject({ state: 'other deployment' });
  });
});

describe('a stack of another project', () => {
  it('is not compared, even if it has a name of this deployment', () => {
    const foreign = deployed('gpu-endpoints-Storage', '', { description: 'The website of another team' });
    expect(named([foreign], 'gpu-endpoints-Storage')).toMatchObject({ state: 'not deployed' });
    expect(named([{ ...foreign, name: 'website' }], 'website')).toBeUndefined();
  });
});
