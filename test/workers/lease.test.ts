import { describe, expect, it } from '@jest/globals';
import { BEAT } from '../../core/limits.ts';
import { holdsWorker, type Lease } from '../../core/workers/lease.ts';

const IDLE_TIMEOUT = 60_000;
const NOW = 1_000_000;
const lease: Lease = { endpoint: 'e', worker: 'w', jobs: [], endsAt: NOW + 30_000, removeAfter: 1 };
const protectedUntil = IDLE_TIMEOUT + BEAT;

describe('the place of a worker', () => {
  it.each<[string, Partial<Lease>, boolean]>([
    ['is kept while it has jobs', { jobs: ['j'] }, true],
    ['is kept while its container is busy with a job that it has lost', {}, true],
    ['is kept while it may be protected', { idleSince: NOW - protectedUntil + 1 }, true],
    ['is not kept when it was idle for longer', { idleSince: NOW - protectedUntil }, false],
    ['is not kept when its lease has ended', { jobs: ['j'], endsAt: NOW - 1 }, false],
  ])('%s', (_, facts, kept) => {
    expect(holdsWorker({ ...lease, ...facts }, IDLE_TIMEOUT, NOW)).toBe(kept);
  });
});
