/** Absolute times of the console, in UTC and in local time. */
import { describe, expect, it } from '@jest/globals';
import { dateAndTime, inOtherZone, timeOfDay } from '../../console/time-format.ts';

const at = '2026-01-05T22:04:09.500Z';
const inKolkata = () => 330;
const inNewfoundland = () => -210;
const inParis = () => 60;
const inLondon = () => 0;

describe('an absolute time', () => {
  it('has the seconds in UTC', () => {
    expect(dateAndTime(at, 'utc', inKolkata)).toBe('2026-01-05 22:04:09');
    expect(timeOfDay(at, 'utc', inKolkata)).toBe('22:04:09');
  });

  it('has the seconds in local time', () => {
    expect(dateAndTime(at, 'local', inKolkata)).toBe('2026-01-06 03:34:09');
    expect(timeOfDay(at, 'local', inNewfoundland)).toBe('18:34:09');
  });

  it('takes the clock of the browser for local time', () => {
    const now = new Date();
    expect(timeOfDay(now.getTime(), 'local')).toBe(now.toTimeString().slice(0, 8));
  });

  it('reads milliseconds since the epoch as well', () => {
    expect(dateAndTime(Date.parse(at), 'utc')).toBe('2026-01-05 22:04:09');
  });

  it('names the zone that the page does not show in its title', () => {
    expect(inOtherZone(at, 'local', inKolkata)).toBe('2026-01-05 22:04:09 UTC');
    expect(inOtherZone(at, 'utc', inKolkata)).toBe('2026-01-06 03:34:09 UTC+5:30');
    expect(inOtherZone(at, 'utc', inNewfoundland)).toBe('2026-01-05 18:34:09 UTC-3:30');
    expect(inOtherZone(at, 'utc', inParis)).toBe('2026-01-05 23:04:09 UTC+1');
    expect(inOtherZone(at, 'utc', inLondon)).toBe('2026-01-05 22:04:09 UTC');
  });

  it('is shown as it came when it is no time', () => {
    expect(dateAndTime('soon', 'utc')).toBe('soon');
    expect(timeOfDay('soon', 'local')).toBe('soon');
    expect(inOtherZone('soon', 'local')).toBe('soon');
  });
});
