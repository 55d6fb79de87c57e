/** Tests of the failures, the workers and the releases on an endpoint's page. */
import { describe, expect, it } from '@jest/globals';
import type { FailureGroup } from '../../api/management-types.ts';
import { groupsOf, retryable } from '../../pages/endpoint/failure-groups.ts';
import { changeOf } from '../../pages/endpoint/release-change.ts';
import { failingRemark, sumOf } from '../../pages/endpoint/worker-share.ts';
import { ago, MINUTE } from '../screens/clock.ts';
import { BROKEN, events } from '../screens/history.ts';

const group = (facts: Partial<FailureGroup>): FailureGroup => ({
  fingerprint: 'a',
  code: 'WORKER_ERROR',
  count: 1,
  first: '2026-01-02T00:00:00.000Z',
  last: '2026-01-03T00:00:00.000Z',
  job: 'new',
  workers: [{ worker: 'w', count: 1 }],
  workerCount: 1,
  releases: [{ revision: 2, count: 1 }],
  ...facts,
});

describe('groups of failures', () => {
  it('of several pages are merged, with the newest job and the first failure', () => {
    const older = group({
      count: 5,
      first: '2026-01-01T00:00:00.000Z',
      job: 'old',
      workers: [{ worker: 'v', count: 5 }],
    });
    expect(groupsOf([{ failures: [group({}), group({ fingerprint: 'b', count: 3 })] }, { failures: [older] }])).toEqual(
      [
        group({
          count: 6,
          first: '2026-01-01T00:00:00.000Z',
          workers: [
            { worker: 'v', count: 5 },
            { worker: 'w', count: 1 },
          ],
          workerCount: 2,
          releases: [{ revision: 2, count: 2 }],
        }),
        group({ fingerprint: 'b', count: 3 }),
      ],
    );
  });

  it('can be retried for as long as the service keeps the inputs, each job once', () => {
    const now = Date.parse('2026-01-01T01:00:00.000Z');
    const ended = (id: string, minutes: number) => ({ id, endedAt: new Date(now - minutes * 60_000).toISOString() });
    const jobs = [ended('a', 1), ended('a', 9), ended('sync-b', 2), ended('sync-c', 0.5), ended('d', 31)];
    expect(retryable(jobs, now)).toEqual(['a', 'sync-c']);
  });
});

describe('a worker', () => {
  const all = sumOf([
    { completed: 10, failed: 10 },
    { completed: 170, failed: 10 },
  ]);

  it('that fails over three times as often as its endpoint is marked, with both shares', () => {
    expect(failingRemark({ completed: 10, failed: 10 }, all)).toBe(
      '10 of its 20 jobs failed (50 %); of all workers 10 %.',
    );
  });

  it('is not marked for its usual share, or for one or two failures', () => {
    expect(failingRemark({ completed: 7, failed: 3 }, all)).toBeUndefined();
    expect(failingRemark({ completed: 0, failed: 2 }, all)).toBeUndefined();
  });
});

describe('a release', () => {
  const release = {
    state: 'COMPLETED',
    template: 'team-sdxl',
    version: 7,
    startedAt: ago(BROKEN + 4 * MINUTE),
  } as const;

  it('names who changed which fields, and why', () => {
    expect(changeOf(release, events)).toMatchObject({
      by: { name: 'deploy-bot' },
      fields: ['imageName', 'env'],
      reason: 'Larger batches',
    });
  });

  it('has no change if its version was not changed shortly before', () => {
    expect(changeOf({ ...release, version: 6 }, events)).toBeUndefined();
    expect(changeOf({ ...release, startedAt: ago(MINUTE) }, events)).toBeUndefined();
  });
});
