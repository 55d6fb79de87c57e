/** Checks that the code and the tests of mutants exist. A mutant that does not fit proves nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { guards } from '../proof/mutants/guards.ts';
import { mutants } from './all.ts';
import { assertFits } from './copy.ts';
import { testsOf } from './rooms.ts';

/** The rows of the table of `removed.md`: a test file, and the title of a test as in its code. */
const removed = [
  ...readFileSync('packages/lab/mutants/removed.md', 'utf8').matchAll(/\| `([^`]+)` +\| ([^|]+?) +\|$/gm),
];

const rooms = readdirSync('core').map((name) => `core/${name}`);

describe('mutants', () => {
  it.each(mutants.map((mutant) => [mutant.name, mutant] as const))('fit the product: %s', (name, mutant) => {
    assertFits(name, mutant);
    expect(readFileSync(mutant.test, 'utf8')).toMatch(new RegExp(mutant.named));
  });

  it.each(guards.map((guard) => [guard.name, guard] as const))(
    'fit the guards of the proof: %s',
    (name, { patches }) => {
      for (const patch of patches) assertFits(name, patch);
    },
  );

  it.each([...new Set(removed.map(([, test = '']) => test))])('of the past have their tests in %s', (file) => {
    const code = readFileSync(file, 'utf8');
    const titles = removed.flatMap(([, test, title = '']) => (test === file ? [title] : []));
    expect(titles.filter((title) => !code.includes(title))).toEqual([]);
  });

  it.each(['aws', 'bin', 'ingress', 'lambda', 'lib', 'packages/emulator', 'worker', ...rooms])(
    'that Stryker generates have tests in the room %s',
    (room) => {
      expect(testsOf(room)).not.toEqual([]);
    },
  );
});
