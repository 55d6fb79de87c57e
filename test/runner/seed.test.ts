import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { RUN_FOLDER } from './run-folder.ts';
import { numbersOf, seedOf, storedSeeds } from './seed.ts';

// The report of this run does not need these seeds.
beforeAll(() => {
  process.env[RUN_FOLDER] = tmpdir();
});

describe('a seed', () => {
  it('is the value of the variable, or the fallback, and is stored for the report', () => {
    expect(seedOf('SEED_OF_A_TEST', 3)).toBe(3);
    process.env.SEED_OF_A_TEST = '5';
    expect(seedOf('SEED_OF_A_TEST', 3)).toBe(5);
    const file = 'test/runner/seed.test.ts';
    expect(storedSeeds()).toEqual([3, 5].map((seed) => ({ file, name: 'SEED_OF_A_TEST', seed })));
  });

  it.each(['x', '-1', '1.5'])('cannot be %s', (text) => {
    process.env.SEED_OF_A_TEST = text;
    expect(() => seedOf('SEED_OF_A_TEST')).toThrow(`SEED_OF_A_TEST is ${text}; it must be a whole number.`);
  });

  it('produces the same numbers each time, all below the bound', () => {
    const ten = (seed: number) =>
      Array.from(
        { length: 10 },
        (
          (below) => () =>
            below(100)
        )(numbersOf(seed)),
      );
    expect(ten(7)).toEqual(ten(7));
    expect(ten(7)).not.toEqual(ten(8));
    for (const number of [...ten(7), ...ten(2 ** 40)]) expect([0 <= number, number < 100]).toEqual([true, true]);
  });
});
