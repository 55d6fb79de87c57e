/** Tests of the filters of all jobs, which are in the address of the page. */
import { describe, expect, it } from '@jest/globals';
import { filtersIn, queryOf, timeOf, tokensOf } from '../pages/jobs/filters.ts';
import { jobsPath } from '../shell/paths.ts';

const NOW = Date.parse('2026-11-23T03:12:40.000Z');
const filtersOf = (query: string) => filtersIn(new URLSearchParams(query));

describe('the filters of all jobs', () => {
  it('are those of the address, and the same address has them again', () => {
    const all = { endpoint: 'sdxl', status: 'FAILED,TIMED_OUT', since: '7d', text: 'a & b', release: '7' };
    expect(filtersOf(jobsPath(all).split('?')[1] ?? '')).toEqual(all);
  });

  it('have only statuses with which jobs end, and no unknown names', () => {
    expect(filtersOf('status=FAILED,IN_QUEUE,x&page=2&text=')).toEqual({ status: 'FAILED' });
    expect(filtersOf('status=IN_PROGRESS')).toEqual({});
  });

  it.each([
    ['90m', '2026-11-23T01:42:40.000Z'],
    ['24h', '2026-11-22T03:12:40.000Z'],
    ['7d', '2026-11-16T03:12:40.000Z'],
    ['2026-11-01T00:00Z', '2026-11-01T00:00Z'],
  ])('begin at %s: %s', (text, time) => {
    expect(timeOf(text, NOW)).toBe(time);
  });

  it('begin a day ago without a time', () => {
    expect(queryOf({ key: '0a1b2c3d4e5f' }, NOW)).toEqual({ key: '0a1b2c3d4e5f', since: '2026-11-22T03:12:40.000Z' });
  });

  it('have a token each if they have no control', () => {
    const texts = tokensOf({ endpoint: 'sdxl', text: 'x', error: '5e1f0a9b7c3d', release: 7 }).map(({ text }) => text);
    expect(texts).toEqual(['Error group: 5e1f0a9b7c3d', 'Release: 7']);
  });
});
