import { describe, expect, it } from '@jest/globals';
import { createLeases, hasHolder, isOver } from '../../aws/waiting-calls/leases.ts';
import { DAY, MINUTE, WAIT_LEASE } from '../../core/limits.ts';

const YEAR = 365 * DAY;
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const noDeadTags = new Set<string>();
const holder = { tag: async () => 'abc' };

describe.each([
  { title: 'a lease without a holder', by: undefined },
  { title: 'a lease of a holder', by: holder },
])('$title', ({ by }) => {
  it('ends at most a minute after its time', async () => {
    const lease = await createLeases(by)(NOW);
    expect(hasHolder(lease)).toBe(by !== undefined);
    expect(isOver(lease, NOW, noDeadTags)).toBe(false);
    expect(isOver(lease, NOW + WAIT_LEASE - 1, noDeadTags)).toBe(false);
    expect(isOver(lease, NOW + WAIT_LEASE + MINUTE, noDeadTags)).toBe(true);
  });

  it.each([2, 3])('is still over %d years later', async (years) => {
    const lease = await createLeases(by)(NOW);
    expect(isOver(lease, NOW + years * YEAR, noDeadTags)).toBe(true);
  });

  it('counts for a process whose clock is an hour behind', async () => {
    const lease = await createLeases(by)(NOW);
    expect(isOver(lease, NOW - 60 * MINUTE, noDeadTags)).toBe(false);
  });
});

it('a lease of a dead holder no longer counts', async () => {
  expect(isOver(await createLeases(holder)(NOW), NOW, new Set(['abc']))).toBe(true);
});
