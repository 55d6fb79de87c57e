/**
 * Runs the walks that visit every state within a few minutes. `npm run proof -w packages/lab -- --full` also runs walks
 * that stop at their limit of states.
 */
import { describe, expect, it } from '@jest/globals';
import { find, longWalks, walk } from './explorer/prove.ts';
import { limits, removals } from './explorer/removals.ts';

/** Time limit for one walk on a busy machine, in milliseconds. */
const LIMIT = 900_000;

describe('the job machine', () => {
  it.each(Object.entries(longWalks))(
    'keeps all invariants in every reachable state: %s',
    (name, bounds) => {
      const { violation, complete, states } = walk(name, bounds);
      expect(violation).toBeUndefined();
      expect(complete).toBe(true);
      expect(states).toBeGreaterThan(1_000);
    },
    LIMIT,
  );
});

describe('the job machine without one precaution', () => {
  const far = [...removals, ...limits].filter(({ isFar }) => isFar);

  it.each(far.map((removal) => [removal.breaks, removal.name, removal] as const))(
    'breaks %s: %s',
    (...[, , removal]) => {
      const { breaks, broke, trace } = find(removal);
      expect({ broke, trace }).toMatchObject({ broke: breaks, trace: expect.arrayContaining([expect.any(String)]) });
    },
    LIMIT,
  );
});
