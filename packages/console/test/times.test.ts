/** Tests of absolute times in UTC and in local time. */
import { describe, expect, it } from '@jest/globals';
import { dateAndTime, inOtherZone, timeOfDay } from '../time-format.ts';

const at = '2026-01-05T22:04:09.500Z';
const inKolkata = () => 330;
const inNewfoundland = () => -210;
const inParis = () => 60;
const inLondon = () => 0;

describe('an absolute time', () => {
  it('is shown to the second in UTC', () => {
    expect(dateAndTime(at, 'utc', inKolkata)).toBe('2026-01-05 22:04:09');
    expect(timeOfDay(at, 'utc', inKolkata)).toBe('22:04:09');
  });

  it('is shown to the second in local time', () => {
    expect(dateAndTime(at, 'local', inKolkata)).toBe('2026-01-06 03:34:09');
    expect(timeOfDay(at, 'local', inNewfoundland)).toBe('18:34:09');
  });

  it('uses the clock of the browser for local time', () => {
    const now = new Date();
    expect(timeOfDay(now.getTime(), 'local')).toBe(now.toTimeString().slice(0, 8));
  });

  it('can be given in milliseconds since the epoch', () => {
    expect(dateAndTime(Date.parse(at), 'utc')).toBe('2026-01-05 22:04:09');
  });

  it('has a title with the time in the other zone', () => {
    expect(inOtherZone(at, 'local', inKolkata)).toBe('2026-01-05 22:04:09 UTC');
    expect(inOtherZone(at, 'utc', inKolkata)).toBe('2026-01-06 03:34:09 UTC+5:30');
    expect(inOtherZone(at, 'utc', inNewfoundland)).toBe('2026-01-05 18:34:09 UTC-3:30');
    expect(inOtherZone(at, 'utc', inParis)).toBe('2026-01-05 23:04:09 UTC+1');
    expect(inOtherZone(at, 'utc', inLondon)).toBe('2026-01-05 22:04:09 UTC');
  });

  it('is shown unchanged if the text is not a time', () => {
    expect(dateAndTime('soon', 'utc')).toBe('soon');
    expect(timeOfDay('soon', 'local')).toBe('soon');
    expect(inOtherZone('soon', 'local')).toBe('soon');
  });
});
