/** Checks that each mutant still fits its file. A mutant that does not fit proves nothing. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { guards } from '../proof/mutants/guards.ts';
import { mutants } from './all.ts';
import { assertFits } from './copy.ts';

describe('mutants', () => {
  it.each(mutants.map((mutant) => [mutant.name, mutant] as const))('fit the product: %s', (name, mutant) => {
    assertFits(name, mutant);
    expect(existsSync(mutant.test)).toBe(true);
  });

  it.each(guards.map((guard) => [guard.name, guard] as const))(
    'fit the guards of the proof: %s',
    (name, { patches }) => {
      for (const patch of patches) assertFits(name, patch);
    },
  );
});
