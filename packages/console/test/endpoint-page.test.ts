/** Tests of the workers of an endpoint's page, and of the polling of an open page. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { setConnection } from '../api/connection.ts';
import type { Worker } from '../api/management-types.ts';
import { every } from '../api/polling.ts';
import { byBadness, marksOf } from '../pages/endpoint/worker.ts';

const lease = { state: 'IDLE', seenAt: '2026-01-01T00:00:00.000Z', retiring: false, completed: 0, failed: 0 } as const;
const worker = (id: string, facts: Partial<Worker> = {}): Worker => ({ ...lease, jobs: [], id, ...facts });

describe('the workers of an endpoint', () => {
  it('are marked as bad if they have stopped reporting or must not take jobs', () => {
    const bad = [worker('a', { state: 'UNHEALTHY' }), worker('b', { state: 'THROTTLED', unprotected: 'WAITS' })];
    for (const one of bad) expect(marksOf(one, undefined)).toEqual([expect.objectContaining({ isBad: true })]);
  });

  it('can have remarks that are not problems', () => {
    const marks = marksOf(worker('a', { retiring: true, unprotected: 'WORKS' }), undefined);
    expect(marks.map(({ isBad }) => isBad)).toEqual([false, false]);
    expect(marksOf(worker('a'), undefined)).toEqual([]);
  });

  it('have a remark for an older release unless the newer release was rolled back', () => {
    const old = worker('a', { revision: 11 });
    expect(marksOf(old, { state: 'COMPLETED', revision: 12 })).toHaveLength(1);
    expect(marksOf(old, { state: 'ROLLED_BACK', revision: 12 })).toEqual([]);
    expect(marksOf(worker('a', { revision: 12 }), { state: 'COMPLETED', revision: 12 })).toEqual([]);
  });

  it('are listed with bad workers first', () => {
    const list = [worker('a'), worker('b', { state: 'UNHEALTHY' }), worker('c')];
    expect(byBadness(list).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  });
});

describe('the polling of an open page', () => {
  afterEach(() => setConnection({ isOffline: false, isExpired: false }));
  const fresh = { state: { error: null, fetchFailureCount: 0 } };

  it('stops while the page is offline and while its session has expired', () => {
    expect(every(5000)(fresh)).toBe(5000);
    setConnection({ isOffline: true });
    expect(every(5000)(fresh)).toBe(false);
    setConnection({ isOffline: false, isExpired: true });
    expect(every(5000)(fresh)).toBe(false);
    setConnection({ isExpired: false });
    expect(every(5000)(fresh)).toBe(5000);
  });
});
