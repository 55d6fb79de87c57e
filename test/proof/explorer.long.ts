/** The walks of minutes that are seen to their end; `npm run proof -- --full` has those too that are not. */
import { describe, expect, it } from '@jest/globals';
import { find, longWalks, walk } from './explorer/prove.ts';
import { limits, removals } from './explorer/removals.ts';

/** For one walk on a busy machine, in milliseconds. */
const LIMIT = 900_000;

describe('every state that can be reached', () => {
  it.each(Object.entries(longWalks))(
    'keeps all invariants: %s',
    (name, bounds) => {
      const { violation, complete, states } = walk(name, bounds);
      expect(violation).toBeUndefined();
      expect(complete).toBe(true);
      expect(states).toBeGreaterThan(1_000);
    },
    LIMIT,
  );
});

describe('without one precaution', () => {
  const far = [...removals, ...limits].filter(({ isFar }) => isFar);

  it.each(far.map((removal) => [removal.breaks, removal.name, removal] as const))(
    '%s breaks: %s',
    (...[, , removal]) => {
      const { breaks, broke, trace } = find(removal);
      expect({ broke, trace }).toMatchObject({ broke: breaks, trace: expect.arrayContaining([expect.any(String)]) });
    },
    LIMIT,
  );
});
