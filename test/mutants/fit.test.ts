/** Checks that each mutant still fits its file. A mutant that does not fit proves nothing. */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { guards } from '../proof/mutants/guards.ts';
import { mutants } from './all.ts';
import { assertFits } from './copy.ts';
import { testsOf } from './rooms.ts';

const rooms = readdirSync('core').map((name) => `core/${name}`);

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

  it.each(['aws', 'bin', 'ingress', 'lambda', 'lib', 'local', 'worker', ...rooms])(
    'that Stryker generates have tests in the room %s',
    (room) => {
      expect(testsOf(room)).not.toEqual([]);
    },
  );
});
