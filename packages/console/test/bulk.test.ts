/** Tests of sending the same request for many ids. */
import { describe, expect, it } from '@jest/globals';
import { groupedErrors, inBulk, MAX_IDS, type Progress } from '../api/bulk.ts';
import { ApiError } from '../api/error.ts';
import { allFailed, failureOf, keyOf, resendPath } from '../pages/endpoint/failed-deliveries.ts';

/** Creates a clock that advances only by sleeps. Sleeps return immediately. */
function clock() {
  let now = 0;
  return {
    now: () => now,
    sleep: (ms: number) => {
      now += ms;
      return Promise.resolve();
    },
  };
}

const idsUpTo = (count: number) => Array.from({ length: count }, (_, index) => `job-${index}`);
const done = () => Promise.resolve();

describe('a bulk run', () => {
  it('starts at most ten requests a second', async () => {
    const { now, sleep } = clock();
    const starts: number[] = [];
    await inBulk(
      idsUpTo(25),
      () => {
        starts.push(now());
        return done();
      },
      { signal: new AbortController().signal, onProgress: () => undefined, sleep },
    );
    expect(starts).toHaveLength(25);
    expect(starts.filter((at) => at < 1000)).toHaveLength(10);
    expect(starts.filter((at) => at < 2000)).toHaveLength(20);
  });

  it('processes at most 500 ids', async () => {
    const { sleep } = clock();
    const { signal } = new AbortController();
    const progress = await inBulk(idsUpTo(MAX_IDS + 1), done, { signal, onProgress: () => undefined, sleep });
    expect(progress).toMatchObject({ total: 500, done: 500 });
  });

  it('continues after a failure and lists the failed ids', async () => {
    const { sleep } = clock();
    const seen: Progress[] = [];
    const refusal = new ApiError('Job job-1 is COMPLETED.', { status: 400, code: 'JOB_NOT_RETRYABLE' });
    const progress = await inBulk(idsUpTo(3), (id) => (id === 'job-1' ? Promise.reject(refusal) : done()), {
      signal: new AbortController().signal,
      onProgress: (now) => seen.push(now),
      sleep,
    });
    expect(progress).toEqual({ total: 3, done: 2, failed: [{ id: 'job-1', error: refusal }] });
    expect(seen).toHaveLength(3);
  });

  it('repeats a throttled request after its Retry-After', async () => {
    const { now, sleep } = clock();
    const calls: number[] = [];
    const progress = await inBulk(
      ['job-0'],
      () => {
        calls.push(now());
        const tooMany = new ApiError('Too many.', { status: 429, retryAfter: 7000 });
        return calls.length === 1 ? Promise.reject(tooMany) : done();
      },
      { signal: new AbortController().signal, onProgress: () => undefined, sleep },
    );
    expect(progress).toEqual({ total: 1, done: 1, failed: [] });
    expect((calls[1] ?? 0) - (calls[0] ?? 0)).toBeGreaterThanOrEqual(7000);
  });

  it('starts no further requests after it is stopped', async () => {
    const { sleep } = clock();
    const controller = new AbortController();
    const progress = await inBulk(
      idsUpTo(20),
      (id) => {
        if (id === 'job-4') controller.abort();
        return done();
      },
      { signal: controller.signal, onProgress: () => undefined, sleep },
    );
    expect(progress).toMatchObject({ total: 20, done: 5 });
  });

  it('groups failures by their message, ignoring the job id', () => {
    const failed = idsUpTo(3).map((id) => ({ id, error: new Error(id === 'job-2' ? 'Lost.' : `${id} is gone.`) }));
    expect(groupedErrors(failed)).toEqual([
      { message: 'JOB is gone.', count: 2 },
      { message: 'Lost.', count: 1 },
    ]);
  });
});

describe('failed webhooks', () => {
  const webhook = (id: string) => ({
    id,
    completion: 2,
    webhookId: 'w',
    failedAt: '2026-01-02T03:04:05.678Z',
    attempts: 8,
    resent: 0,
  });

  it('are resent for the end of the job that they report', () => {
    expect(resendPath(keyOf(webhook('sync-1')))).toBe('/webhooks/sync-1/resend?completion=2');
  });

  it('show why the last attempt failed', () => {
    expect(failureOf({ ...webhook('a'), lastStatus: 503 })).toBe('The receiver answered with status 503.');
    expect(failureOf({ ...webhook('a'), lastError: 'No such name.' })).toBe('No such name.');
    expect(failureOf(webhook('a'))).toBe('The receiver did not answer.');
  });

  it('are collected from all pages, up to the maximum of one run', async () => {
    const cursors: (string | undefined)[] = [];
    const page = (cursor: string | undefined) => {
      cursors.push(cursor);
      const webhooks = Array.from({ length: 100 }, (_, index) => webhook(`${cursors.length}-${index}`));
      return Promise.resolve({ webhooks, nextCursor: `page-${cursors.length}` });
    };
    expect(await allFailed(page)).toHaveLength(MAX_IDS);
    expect(cursors).toEqual([undefined, 'page-1', 'page-2', 'page-3', 'page-4']);
    expect(await allFailed(() => Promise.resolve({ webhooks: [webhook('only')] }))).toHaveLength(1);
  });
});
