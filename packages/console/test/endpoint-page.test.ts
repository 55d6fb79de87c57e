/** Tests of the workers and charts of an endpoint's page, and of the polling of an open page. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { setConnection } from '../api/connection.ts';
import type { Worker } from '../api/management-types.ts';
import { every } from '../api/polling.ts';
import { highest, type Sample, sampleOf, withSample } from '../endpoint/seen.ts';
import { byBadness, marksOf } from '../pages/endpoint/worker.ts';
import { endpointOf } from './endpoints.ts';

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

describe('the history of a page', () => {
  const sample = (at: number, waiting: number): Sample => ({ at, waiting, running: 0, ready: 0, starting: 0 });

  it('has the counts of each reading', () => {
    const endpoint = endpointOf('e', { jobs: { inQueue: 4, inProgress: 3 }, workers: { ready: 2, initializing: 1 } });
    expect(sampleOf(endpoint, 5)).toEqual({ at: 5, waiting: 4, running: 3, ready: 2, starting: 1 });
  });

  it('keeps only the first and last of equal samples', () => {
    const samples = [sample(1, 0), sample(2, 0), sample(3, 0), sample(4, 9)].reduce<Sample[]>(withSample, []);
    expect(samples.map(({ at }) => at)).toEqual([1, 3, 4]);
  });

  it('keeps one hour of changes', () => {
    const samples = Array.from({ length: 800 }, (_, at) => sample(at, at)).reduce<Sample[]>(withSample, []);
    expect(samples).toHaveLength(720);
    expect(samples[0]?.at).toBe(80);
  });

  it('ignores a sample that is not later than the last', () => {
    expect(withSample([sample(5, 1)], sample(5, 2))).toEqual([sample(5, 1)]);
  });

  it('has an axis up to its highest value, with a minimum of 4', () => {
    expect(highest([sample(1, 40)], ['waiting', 'running'])).toBe(40);
    expect(highest([sample(1, 1)], ['waiting'])).toBe(4);
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
