/** Tests of the job list of an endpoint's page: its rows, filters and bulk actions. */
import { describe, expect, it } from '@jest/globals';
import type { JobList, JobSummary } from '../api/job-types.ts';
import { applicableTo, othersUnchanged, statusesOf, withSelection } from '../pages/endpoint/job-actions.ts';
import { filterOf, sizeOf } from '../pages/endpoint/job-filters.ts';
import { noRows, refreshed, rowsOf } from '../pages/endpoint/job-rows.ts';
import { tabOf } from '../pages/endpoint/tabs.ts';

const job = (id: string, status: JobSummary['status'] = 'IN_QUEUE'): JobSummary => ({
  id,
  status,
  delayTime: 0,
  executionTime: 0,
  attempts: 0,
  createdAt: '2026-01-02T03:04:05.678Z',
});

const listOf = (ids: readonly string[], nextCursor?: string): JobList => ({
  requests: ids.map((id) => job(id)),
  ...(nextCursor !== undefined && { nextCursor }),
});

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

describe('the rows of the job list', () => {
  const shown = rowsOf(listOf(['c', 'sync-b', 'a']));

  it('do not move when newer jobs arrive, which are only counted', () => {
    const { rows, newer } = refreshed(shown, listOf(['sync-e', 'd', 'c', 'sync-b', 'a']));
    expect(idsOf(rows)).toEqual(['c', 'sync-b', 'a']);
    expect(newer).toBe(2);
  });

  it('show changes of their jobs', () => {
    const { rows } = refreshed(shown, { requests: [job('c', 'COMPLETED'), job('sync-b'), job('a')] });
    expect(rows.map(({ status }) => status)).toEqual(['COMPLETED', 'IN_QUEUE', 'IN_QUEUE']);
  });

  it('remain and are marked when their job is no longer in the list', () => {
    const { rows } = refreshed(shown, listOf(['c', 'a']));
    expect(rows.map(({ id, hasLeft }) => [id, hasLeft])).toEqual([
      ['c', false],
      ['sync-b', true],
      ['a', false],
    ]);
  });

  it('remain unchanged when newer jobs push them off a full page', () => {
    const { rows } = refreshed(shown, listOf(['e', 'd', 'c'], 'cursor'));
    expect(rows.map(({ id, hasLeft }) => [id, hasLeft])).toEqual([
      ['c', false],
      ['sync-b', false],
      ['a', false],
    ]);
  });

  it('appear immediately in an empty list', () => {
    expect(refreshed(noRows, listOf(['a']))).toEqual(rowsOf(listOf(['a'])));
  });

  it('are all marked when the list has become empty', () => {
    expect(refreshed(shown, listOf([])).rows.every(({ hasLeft }) => hasLeft)).toBe(true);
  });
});

describe('actions for many jobs', () => {
  const jobs = (['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED'] as const).map((status) =>
    job(status, status),
  );

  it('cancel waiting and running jobs', () => {
    expect(idsOf(applicableTo('cancel', jobs))).toEqual(['IN_QUEUE', 'IN_PROGRESS']);
  });

  it('retry jobs that failed or timed out', () => {
    expect(idsOf(applicableTo('retry', jobs))).toEqual(['FAILED', 'TIMED_OUT']);
  });

  it.each([
    [1, 'The other selected job does not change.'],
    [2, 'The other 2 selected jobs do not change.'],
    [1_234, 'The other 1,234 selected jobs do not change.'],
  ])('leave %d other selected jobs unchanged, and say so', (number, sentence) => {
    expect(othersUnchanged(number)).toBe(sentence);
  });

  it('keep jobs of other pages selected', () => {
    const other = job('other');
    const [one, two] = [job('one'), job('two')];
    expect(idsOf(withSelection([other, one], [one, two], [two]))).toEqual(['other', 'two']);
  });
});

describe('the address of the job list', () => {
  it('can contain unknown statuses, which are ignored', () => {
    expect(statusesOf('TIMED_OUT,FAILED,nonsense')).toEqual(['FAILED', 'TIMED_OUT']);
    expect(statusesOf(null)).toEqual([]);
  });

  it('selects the filter with exactly its statuses', () => {
    expect(filterOf(['TIMED_OUT', 'FAILED'])?.id).toBe('failed');
    expect(filterOf([])?.id).toBe('all');
    expect(filterOf(['FAILED'])).toBeUndefined();
  });

  it('contains a page size that the service permits', () => {
    expect([sizeOf('100'), sizeOf('20'), sizeOf('5000'), sizeOf(null)]).toEqual([100, 20, 50, 50]);
  });

  it('selects a tab, or the first tab if it names none', () => {
    expect([tabOf('workers'), tabOf('nonsense'), tabOf(null)]).toEqual(['workers', 'jobs', 'jobs']);
  });
});
