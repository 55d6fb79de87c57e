import { describe, expect, it } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { waitsOf } from '../../lib/waits.ts';
import { stackOf, synthesize } from './synthesis.ts';

const waitsWith = (waits: unknown) => waitsOf(new App({ context: { waits } }));

describe('the context `waits`', () => {
  it.each([
    [undefined, 500],
    [1, 1],
    [250, 250],
    // As the command line gives it.
    ['5000', 5_000],
    [100_000, 100_000],
  ])('of %j lets %d calls wait at the same time', (setting, waits) => {
    expect(waitsWith(setting)).toBe(waits);
  });

  it.each([0, -1, 1.5, 100_001, '', 'many', '1e3', true, [500]])('cannot be %j', (setting) => {
    expect(() => waitsWith(setting)).toThrow('it must be a whole number from 1 to 100000.');
  });

  it('reaches the functions whose calls wait, and no others', () => {
    const { template } = stackOf(synthesize(), 'Platform');
    const told = Object.entries(template.findResources('AWS::Lambda::Function')).flatMap(([id, { Properties }]) => {
      const { WAITS } = Properties.Environment?.Variables ?? {};
      return WAITS === undefined ? [] : [[id.replace(/[0-9A-F]{8}$/, ''), WAITS]];
    });
    expect(told).toEqual([
      ['JobsRunSync', '500'],
      ['JobsStatusSync', '500'],
    ]);
  });
});
