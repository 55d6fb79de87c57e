/** Compares the resources in the calculation with the synthesized stacks. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Resource } from '../../../bin/assembly/app.ts';
import { contextFrom } from '../../../bin/assembly/context.ts';
import { synthesize } from '../../../bin/assembly/synthesize.ts';
import { design } from '../../../bin/saturation/design.ts';

let stacks: ReadonlyMap<string, readonly Resource[]>;

beforeAll(async () => {
  const { resources } = await synthesize(contextFrom(undefined));
  stacks = Map.groupBy(resources, ({ stack }) => stack);
});

const isEndpoint = (stack: string) => stack.startsWith('Endpoint-');
const countOf = (resources: readonly Resource[], type: string) => resources.filter((one) => one.type === type).length;
const countsOf = (resources: readonly Resource[]) => ({
  roles: countOf(resources, 'AWS::IAM::Role'),
  keys: countOf(resources, 'AWS::ApiGateway::ApiKey'),
  services: countOf(resources, 'AWS::ECS::Service'),
});

describe('the stack of an endpoint', () => {
  it('has the roles, keys and services with which the calculation multiplies', () => {
    const { stacks: each, ...counts } = design.endpoint;
    const endpoints = [...stacks].filter(([stack]) => isEndpoint(stack));
    expect(endpoints.length).toBeGreaterThan(0);
    for (const [stack, resources] of endpoints) expect([stack, countsOf(resources)]).toEqual([stack, counts]);
    expect(each).toBe(1);
  });
});

describe('the other stacks', () => {
  it('have at most the resources in the calculation, and at least nine tenths of them', () => {
    const others = [...stacks].filter(([stack]) => !isEndpoint(stack));
    const all = { ...countsOf(others.flatMap(([, resources]) => resources)), stacks: others.length };
    const largest = Math.max(...others.map(([, resources]) => resources.length));
    for (const [name, count] of Object.entries({ ...all, resources: largest })) {
      const stated = design.platform[name as keyof typeof design.platform];
      expect([name, count <= stated, count >= 0.9 * stated]).toEqual([name, true, true]);
    }
  });
});
