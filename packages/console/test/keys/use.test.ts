/** Tests what the page shows of the use of a key, from costs by key and day. */
import { describe, expect, it } from '@jest/globals';
import type { Cost } from '../../api/management-types.ts';
import { usesOf, usesSince } from '../../pages/keys/use.ts';

const now = Date.parse('2026-11-23T10:00:00Z');

function cost(key: string | undefined, day: string, jobs: number, total: number): Cost {
  const none = { busy: 0, idle: 0, starting: 0 };
  return {
    ...(key && { key }),
    day,
    jobs,
    workerTime: none,
    dollars: { ...none, busy: total, total },
    unpricedTime: 0,
  };
}

describe('the use of keys', () => {
  it('is the sum of 30 days with today', () => {
    expect(usesSince(now)).toBe('2026-10-25T00:00:00.000Z');
    const costs = [
      cost('0a1b2c3d4e5f', '2026-11-20', 40, 1.5),
      cost('0a1b2c3d4e5f', '2026-11-23', 2, 0.25),
      cost('user ada', '2026-11-23', 7, 1),
      cost(undefined, '2026-11-23', 0, 9),
      cost('81bd77e40c5a', '2026-11-21', 1, 0),
    ];
    expect(Object.fromEntries(usesOf(costs, now))).toMatchObject({
      '0a1b2c3d4e5f': { lastDay: '2026-11-23', jobs: 42, dollars: 1.75, today: 0.25 },
      '81bd77e40c5a': { lastDay: '2026-11-21', jobs: 1, dollars: 0, today: 0 },
    });
  });

  it('was last on a day with jobs or with the time of a job that still runs', () => {
    const costs = [cost('k', '2026-11-22', 0, 0.5), cost('k', '2026-11-20', 3, 0), cost('k', '2026-11-23', 0, 0)];
    expect(usesOf(costs, now).get('k')).toMatchObject({ lastDay: '2026-11-22', today: 0 });
  });
});
