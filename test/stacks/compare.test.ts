import { describe, expect, it } from '@jest/globals';
import { compareStacks } from '../../stacks/compare.ts';
import type { DeployedStack } from '../../stacks/deployed.ts';

const REGION = 'eu-west-1';
const ids = ['Endpoint-echo', 'Fleet', 'Platform', 'Storage'];
const declared = ids.map((id) => ({ id, name: id }));

const deployed = (name: string, kind: string, more: Partial<DeployedStack> = {}): DeployedStack => ({
  name,
  description: `gpu-endpoints: ${kind}`,
  status: 'UPDATE_COMPLETE',
  isProtected: false,
  ...more,
});
const echo = deployed('Endpoint-echo', 'endpoint echo');
const gone = deployed('Endpoint-gone', 'endpoint gone');
const templates = deployed('Templates', 'official templates');

const named = (stacks: readonly DeployedStack[], name: string, among = declared) =>
  compareStacks(among, stacks, REGION).find((stack) => stack.name === name);

describe('a stack', () => {
  it('is declared if it is deployed and in Git, with the status of CloudFormation', () => {
    expect(named([echo], 'Endpoint-echo')).toEqual({
      name: 'Endpoint-echo',
      state: 'declared',
      status: 'UPDATE_COMPLETE',
      description: 'gpu-endpoints: endpoint echo',
    });
  });

  it('is not deployed if it is in Git alone, with the command that deploys it', () => {
    const stack = { name: 'Endpoint-echo', state: 'not deployed', fix: ['npx cdk deploy Endpoint-echo'] };
    expect(named([gone], 'Endpoint-echo')).toEqual(stack);
  });

  it('is not declared if it is deployed alone, with the command that removes it', () => {
    expect(named([echo, gone], 'Endpoint-gone')).toMatchObject({
      state: 'not declared',
      fix: ['aws cloudformation delete-stack --region eu-west-1 --stack-name Endpoint-gone'],
    });
  });

  it('has its protection removed before it is deleted', () => {
    expect(named([{ ...gone, isProtected: true }], 'Endpoint-gone')?.fix).toEqual([
      'aws cloudformation update-termination-protection --no-enable-termination-protection --region eu-west-1 --stack-name Endpoint-gone',
      'aws cloudformation delete-stack --region eu-west-1 --stack-name Endpoint-gone',
    ]);
  });

  it('needs no command while CloudFormation deletes it, and the same again after a deletion that failed', () => {
    const deleting = named([{ ...gone, status: 'DELETE_IN_PROGRESS' }], 'Endpoint-gone');
    expect([deleting?.state, deleting?.fix]).toEqual(['being deleted', undefined]);
    expect(named([{ ...gone, status: 'DELETE_FAILED' }], 'Endpoint-gone')?.state).toBe('not declared');
  });

  it('comes after the endpoints if these import its exports', () => {
    const names = compareStacks(declared, [templates, gone], REGION).map(({ name }) => name);
    expect(names).toEqual([...ids, 'Endpoint-gone', 'Templates']);
  });
});

describe('a stack of another deployment in the account', () => {
  const prefixed = ids.map((id) => ({ id, name: `prod-${id}` }));

  it('is not to be removed, whichever of the two has a prefix', () => {
    const other = deployed('prod-Endpoint-gone', 'endpoint gone');
    expect(named([other], 'prod-Endpoint-gone')).toMatchObject({ state: 'other deployment' });
    expect(named([other], 'prod-Endpoint-gone')).not.toHaveProperty('fix');
    expect(named([gone], 'Endpoint-gone', prefixed)).toMatchObject({ state: 'other deployment' });
    // As long a prefix as that of this deployment.
    const test = deployed('test-Endpoint-gone', 'endpoint gone');
    expect(named([test], 'test-Endpoint-gone', prefixed)).toMatchObject({ state: 'other deployment' });
  });

  it('is of this deployment if it has the prefix of the declared stacks', () => {
    const own = deployed('prod-Endpoint-gone', 'endpoint gone');
    expect(named([own], 'prod-Endpoint-gone', prefixed)).toMatchObject({ state: 'not declared' });
  });
});
