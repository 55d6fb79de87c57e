import { describe, expect, it } from '@jest/globals';
import { declare, synthesize } from '../synthesis.ts';

const textsOf = (...ids: string[]) => {
  const stacks = synthesize(...ids.map((id) => declare(id)));
  return Object.fromEntries(Object.entries(stacks).map(([name, { text }]) => [name, text]));
};

describe('a deployment', () => {
  it('gets one stack for a further endpoint, and the other stacks do not change, byte for byte', () => {
    const one = textsOf('echo');
    const two = textsOf('echo', 'other');
    expect(Object.keys(two).filter((name) => !(name in one))).toEqual(['Endpoint-other']);
    for (const [name, text] of Object.entries(one)) expect(two[name]).toBe(text);
  });

  it('changes no other stack when its last endpoint is removed', () => {
    const { 'Endpoint-echo': _gone, ...rest } = textsOf('echo');
    expect(textsOf()).toEqual(rest);
  });

  it('is the same for any account and Region', () => {
    for (const text of Object.values(textsOf('echo'))) {
      // Mappings contain the names of all Regions.
      const { Mappings: _, ...content } = JSON.parse(text) as Record<string, unknown>;
      // The prices of workers also contain names of Regions.
      const others = JSON.stringify(content).replace(/"workerPrices":"[^}]*}}"/, '');
      expect(others).not.toMatch(/\d{12}:|us-east-1/);
      expect(text).not.toContain('Fn::GetStackOutput');
    }
  });
});
