import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { sizesIn } from '../../bin/assembly/sizes.ts';

const root = mkdtempSync(join(tmpdir(), 'gpu-endpoints-sizes-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('the sizes of an assembly', () => {
  const policy = { PolicyName: 'a', PolicyDocument: { Statement: 'x'.repeat(10_000) } };
  const role = (count: number) => ({ Type: 'AWS::IAM::Role', Properties: { Policies: Array(count).fill(policy) } });

  it('count the policies of a role that are resources of their own', () => {
    const attached = { Type: 'AWS::IAM::Policy', Properties: { ...policy, Roles: [{ Ref: 'Small' }] } };
    const Resources = { Large: role(2), Small: role(1), First: attached, Second: attached };
    writeFileSync(join(root, 'Platform.template.json'), JSON.stringify({ Resources }));
    expect(sizesIn(root).find(({ kind }) => kind === 'AWS::IAM::Role')).toMatchObject({
      what: 'characters of the policies of Small',
      size: 30_048,
    });
  });

  it('count resources, bytes and the policies of the largest role', () => {
    const topics = Array.from({ length: 499 }, (_, n) => [`Topic${n}`, { Type: 'AWS::SNS::Topic' }]);
    const Resources = { Small: role(1), Large: role(2), ...Object.fromEntries(topics) };
    writeFileSync(join(root, 'Platform.template.json'), JSON.stringify({ Resources, Outputs: { A: {}, B: {} } }));
    const sizes = Object.fromEntries(sizesIn(root).map(({ what, size, limit }) => [what, [size, limit]]));
    expect(sizes).toMatchObject({
      resources: [501, 500],
      parameters: [0, 200],
      outputs: [2, 200],
      'characters of the policies of Large': [20_032, 10_240],
    });
  });
});
