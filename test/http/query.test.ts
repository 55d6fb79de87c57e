import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { queryOf } from '../../core/http/request.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';

describe('query parameters', () => {
  it.each([
    ['a', '1'],
    ['a[]', ['1']],
    ['a[0]', ['1']],
    ['a[[0]', ['1']],
  ])('with the name %s are one value or a list of `a`', (name, value) => {
    expect(queryOf([[name, '1']])).toEqual({ a: value });
  });

  it('with any brackets have the name before the last pair', () => {
    const name = fc.string({ unit: fc.constantFrom('a', '[', ']') });
    fc.assert(
      fc.property(name, (sent) => {
        expect(Object.keys(queryOf([[sent, '1']]))).toEqual([sent.replace(/\[[^\]]*\]$/, '')]);
      }),
      { seed: seedOf(PROPERTY_SEED) },
    );
  });

  it('with many brackets take no more processor time than other names', () => {
    const name = '['.repeat(150_000);
    const begun = process.cpuUsage();
    expect(queryOf([[name, '1']])).toEqual({ [name]: '1' });
    const { user } = process.cpuUsage(begun);
    // A pattern that looks for the end from each bracket needs 16 s. Anything else needs less than a millisecond.
    expect(user / 1_000_000).toBeLessThan(4);
  });
});
