import { describe, expect, it } from '@jest/globals';
import { transitions } from '../../../core/jobs/transitions.ts';
import { find, quickWalks, walk } from './explorer/prove.ts';
import { limits, removals } from './explorer/removals.ts';
import { setting } from './explorer/setting.ts';

describe('the job machine', () => {
  const rows = new Set<string>();

  it.each(Object.entries(quickWalks))('keeps all invariants in every reachable state: %s', (name, bounds) => {
    const { violation, complete, states, rows: applied } = walk(name, bounds);
    expect(violation).toBeUndefined();
    expect(complete).toBe(true);
    expect(states).toBeGreaterThan(1_000);
    for (const row of Object.keys(applied)) rows.add(row);
  });

  it("uses every row of the product's transition table", () => {
    expect(setting().table).toBe(transitions);
    expect(rows).toEqual(new Set(Object.keys(transitions)));
  });
});

describe('the job machine without one precaution', () => {
  const near = [...removals, ...limits].filter(({ isFar }) => !isFar);

  it.each(near.map((removal) => [removal.breaks, removal.name, removal] as const))(
    'breaks %s: %s',
    (...[, , removal]) => {
      const { breaks, broke, trace } = find(removal);
      expect({ broke, trace }).toMatchObject({ broke: breaks, trace: expect.arrayContaining([expect.any(String)]) });
    },
  );
});
