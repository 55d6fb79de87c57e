/** Tests of the costs of all endpoints by day. */
import { describe, expect, it } from '@jest/globals';
import type { Cost } from '../api/management-types.ts';
import { mostlyIdle } from '../endpoint/cost.ts';
import { lastDays, rowsOf } from '../pages/costs/days.ts';

const cost = (endpoint: string, day: string, busy: number, idle = 0): Cost => ({
  ...{ endpoint, day, jobs: 2, unpricedTime: 0 },
  workerTime: { busy: 1000, idle: 0, starting: 0 },
  dollars: { busy, idle, starting: 0, total: busy + idle },
});

const costs = [cost('a', '2026-11-22', 1), cost('b', '2026-11-22', 3), cost('b', '2026-11-20', 2, 5)];

describe('the costs of all endpoints', () => {
  const rows = rowsOf(costs, lastDays(4, Date.parse('2026-11-23T03:12:40Z')));

  it('have a row for each day in UTC, also without workers, and one of all days', () => {
    expect(rows.map(({ id, dollars }) => [id, dollars.total])).toEqual([
      ['2026-11-23', 0],
      ['2026-11-22', 4],
      ['2026-11-21', 0],
      ['2026-11-20', 7],
      ['all', 11],
    ]);
  });

  it('have the endpoints of each day and of all days, the most expensive first', () => {
    const endpointsOf = (id: string) =>
      rows
        .find((row) => row.id === id)
        ?.endpoints.map(({ endpoint, jobs, dollars }) => [endpoint, jobs, dollars.total]);
    expect(endpointsOf('2026-11-22')).toEqual([
      ['b', 2, 3],
      ['a', 2, 1],
    ]);
    expect(endpointsOf('all')).toEqual([
      ['b', 4, 10],
      ['a', 2, 1],
    ]);
  });

  it.each([
    [1, 3, 0.75],
    [3, 1, undefined],
    [0, 0.005, undefined],
  ])('of $%d busy and $%d idle are mostly idle: %s', (busy, idle, share) => {
    expect(mostlyIdle(cost('a', '2026-11-22', busy, idle).dollars)).toBe(share);
  });
});
