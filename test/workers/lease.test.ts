import { describe, expect, it } from '@jest/globals';
import { BEAT } from '../../core/limits.ts';
import { holdsWorker, type Lease } from '../../core/workers/lease.ts';

const IDLE_TIMEOUT = 60_000;
const NOW = 1_000_000;
const lease: Lease = { endpoint: 'e', worker: 'w', jobs: [], endsAt: NOW + 30_000, removeAfter: 1, readySince: 1 };
const protectedUntil = IDLE_TIMEOUT + BEAT;

describe('the task of a worker', () => {
  it.each<[string, Partial<Lease>, boolean]>([
    ['is not stopped while it has jobs', { jobs: ['j'] }, true],
    ['is not stopped while its container is busy with a lost job', {}, true],
    ['is not stopped while it might be protected', { idleSince: NOW - protectedUntil + 1 }, true],
    ['can be stopped after it was idle for longer', { idleSince: NOW - protectedUntil }, false],
    ['can be stopped after its lease has ended', { jobs: ['j'], endsAt: NOW - 1 }, false],
  ])('%s', (_, facts, kept) => {
    expect(holdsWorker({ ...lease, ...facts }, IDLE_TIMEOUT, NOW)).toBe(kept);
  });
});
