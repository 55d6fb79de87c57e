/** Tests how stacks are deleted, against a server that answers as AWS does, on a clock that pauses move. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAccount } from '../../../bin/remove/aws-account.ts';
import { readFacts, type Target } from '../../../bin/remove/facts.ts';
import { MAX_AT_ONCE, perform } from '../../../bin/remove/perform.ts';
import { planOf } from '../../../bin/remove/plan.ts';
import { MINUTE } from '../../../core/limits.ts';
import { MovedClock } from '../../support/emulated-deployment.ts';
import { type Cloud, REGION, startCloud } from './cloud.ts';

const DEPLOYMENT: Target = { of: 'deployment', withStorage: true };
const CREDENTIALS = { AWS_REGION: REGION, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };

let cloud: Cloud;
let clock: MovedClock;
let lines: string[];

beforeEach(async () => {
  cloud = await startCloud();
  clock = new MovedClock(0);
  lines = [];
  Object.assign(process.env, CREDENTIALS, { AWS_ENDPOINT_URL: cloud.url });
});
afterEach(async () => {
  delete process.env.AWS_ENDPOINT_URL;
  await cloud.stop();
});

/** Removes what the target names, as the command does after the user has agreed. */
async function remove(target: Target = DEPLOYMENT, deleting = new Set<string>()): Promise<void> {
  const account = createAccount(REGION);
  const facts = await readFacts(account, { deployment: 'gpu-endpoints', region: REGION }, target);
  const plan = planOf(facts, target);
  await perform({ account, clock, print: (line) => lines.push(line) }, plan, deleting);
}

const deletions = () => cloud.changes.map((change) => change.replace('gpu-endpoints-', ''));
const leftStacks = () => cloud.stacks.filter(({ status }) => status !== 'DELETE_COMPLETE').map(({ name }) => name);

describe('the removal of a deployment', () => {
  it('deletes the stacks in the order that CloudFormation accepts, and Storage after its protection is off', async () => {
    cloud.addDeployment(['echo', 'llm']);
    cloud.add('Storage', { isProtected: true }, 'other');
    await remove();
    expect(new Set(deletions().slice(0, 2))).toEqual(new Set(['delete Endpoint-echo', 'delete Endpoint-llm']));
    expect(deletions().slice(2)).toEqual([
      'delete Templates',
      'delete Management',
      'delete Platform',
      'delete Fleet',
      'unprotect Storage',
      'delete Storage',
    ]);
    expect(leftStacks()).toEqual(['other-Storage']);
  });

  it('waits while Platform still ends instances, says which, and deletes Fleet when none is left', async () => {
    cloud.addDeployment();
    // The first look is that of the plan.
    cloud.instances.set('group-nvidia', [2, 2, 1, 0]);
    await remove();
    const waits = lines.filter((line) => /^Waiting|no instances/.test(line));
    expect(waits).toEqual([
      'Waiting for 2 instances to end: nvidia: i-1 (g6.xlarge, InService), i-2 (g6.xlarge, InService).',
      'Waiting for 1 instance to end: nvidia: i-1 (g6.xlarge, InService).',
      'The pools have no instances.',
    ]);
    expect(lines.indexOf('The pools have no instances.')).toBeLessThan(
      lines.indexOf('gpu-endpoints-Platform: deletion started.'),
    );
    expect(leftStacks()).toEqual([]);
  });

  it('stops with the commands that end the instances, if they do not end', async () => {
    cloud.addDeployment();
    cloud.instances.set('group-nvidia', [1]);
    await expect(remove()).rejects.toThrow(
      'terminate-instance-in-auto-scaling-group --should-decrement-desired-capacity --instance-id i-1',
    );
    expect(leftStacks()).toEqual(expect.arrayContaining(['gpu-endpoints-Platform', 'gpu-endpoints-Fleet']));
    expect(clock.now()).toBeLessThan(60 * MINUTE);
  });

  it('deletes endpoints side by side, and not all at the same time', async () => {
    cloud.addDeployment(Array.from({ length: 12 }, (_, n) => `endpoint-${n}`));
    await remove();
    expect(cloud.maxAtOnce).toBeGreaterThan(1);
    expect(cloud.maxAtOnce).toBeLessThanOrEqual(MAX_AT_ONCE);
    expect(leftStacks()).toEqual([]);
  });

  it('reports each deleted and each kept resource', async () => {
    cloud.addDeployment();
    await remove();
    expect(lines).toEqual(
      expect.arrayContaining([
        'gpu-endpoints-Fleet: Network (AWS::EC2::VPC) DELETE_COMPLETE',
        'gpu-endpoints-Fleet: DELETE_COMPLETE',
        'gpu-endpoints-Storage: Jobs (AWS::DynamoDB::Table) DELETE_SKIPPED',
      ]),
    );
  });
});

describe('a repeated removal', () => {
  it('waits for a stack that is being deleted, and does not delete it again', async () => {
    cloud.addDeployment();
    cloud.stack('Endpoint-echo').status = 'DELETE_IN_PROGRESS';
    await remove();
    expect(deletions()[0]).toBe('delete Templates');
    expect(lines[0]).toBe('gpu-endpoints-Endpoint-echo: is being deleted already.');
    expect(leftStacks()).toEqual([]);
  });

  it('deletes a stack again whose deletion failed, and skips stacks that are gone', async () => {
    cloud.addDeployment();
    for (const id of ['Endpoint-echo', 'Templates', 'Management', 'Platform'])
      cloud.stack(id).status = 'DELETE_COMPLETE';
    cloud.stack('Fleet').status = 'DELETE_FAILED';
    await remove();
    expect(deletions()).toEqual(['delete Fleet', 'unprotect Storage', 'delete Storage']);
    expect(leftStacks()).toEqual([]);
  });
});

describe('a stack that cannot be deleted', () => {
  const held = { resource: 'Network', reason: 'The vpc vpc-1 has dependencies and cannot be deleted.' };

  it('is deleted again when CloudFront has removed its network interfaces, which the command names', async () => {
    cloud.addDeployment();
    cloud.stack('Fleet').outcomes.splice(0, 1, held, held, 'deleted');
    cloud.left.set('eni-1', 'CloudFront managed network interface');
    cloud.left.set('sg-1', 'CloudFront-VPCOrigins-Service-SG');
    await remove();
    expect(deletions().filter((change) => change === 'delete Fleet')).toHaveLength(3);
    const said = lines.filter((line) => line.includes('Trying again'));
    expect(said).toHaveLength(2);
    expect(said[0]).toContain(
      'The network vpc-1 still has eni-1 (CloudFront managed network interface), sg-1 (CloudFront-VPCOrigins-Service-SG).',
    );
    expect(leftStacks()).toEqual([]);
  });

  it('ends the command after half an hour, with the reason, and keeps the stacks after it', async () => {
    cloud.addDeployment();
    cloud.stack('Fleet').outcomes.splice(0, 1, held);
    await expect(remove()).rejects.toThrow(
      `gpu-endpoints-Fleet could not be deleted: Network (AWS::EC2::VPC): ${held.reason}`,
    );
    expect(clock.now()).toBeGreaterThan(30 * MINUTE);
    expect(clock.now()).toBeLessThan(40 * MINUTE);
    expect(leftStacks()).toEqual(['gpu-endpoints-Storage', 'gpu-endpoints-Fleet']);
  });

  it('ends the command at once if the reason does not pass by itself, after the other endpoints', async () => {
    cloud.addDeployment(['echo', 'llm']);
    const role = { id: 'Role', type: 'AWS::IAM::Role', name: 'role' };
    const reason = 'The role may not be deleted.';
    const failing = cloud.add('Endpoint-failing', { resources: [role], outcomes: [{ resource: 'Role', reason }] });
    const deleting = new Set<string>();
    await expect(remove(DEPLOYMENT, deleting)).rejects.toThrow(
      `${failing.name} could not be deleted: Role (AWS::IAM::Role): ${reason}`,
    );
    expect(leftStacks()).toEqual(expect.arrayContaining([failing.name, 'gpu-endpoints-Platform']));
    expect(leftStacks()).not.toEqual(expect.arrayContaining(['gpu-endpoints-Endpoint-llm']));
    expect([...deleting]).toEqual([]);
    expect(clock.now()).toBeLessThan(MINUTE);
  });
});

describe('a plan with refusals', () => {
  it('deletes nothing, also if the refusal is of Storage, which the user has added at the prompt', async () => {
    cloud.addDeployment();
    cloud.stack('Storage').status = 'UPDATE_IN_PROGRESS';
    await expect(remove()).rejects.toThrow('gpu-endpoints-Storage is UPDATE_IN_PROGRESS: wait');
    expect(cloud.changes).toEqual([]);
  });
});

describe('the removal of a pool', () => {
  it('waits for the instances of the pool, and deletes nothing', async () => {
    cloud.addDeployment();
    cloud.instances.set('group-nvidia', [2, 1, 0]);
    await remove({ of: 'pool', name: 'nvidia' });
    expect(lines.at(-1)).toBe('The pools have no instances.');
    expect(cloud.changes).toEqual([]);
  });
});
