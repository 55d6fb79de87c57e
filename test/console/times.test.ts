/** Absolute times of the console, in the local zone of this process and in UTC. */
import { describe, expect, it } from '@jest/globals';
import { dateAndTime, inOtherZone, timeOfDay } from '../../console/time-format.ts';

const at = '2026-01-05T07:04:09.500Z';
const offset = -new Date(at).getTimezoneOffset();
/** The local zone of this process, as a UTC time that reads the same. */
const asLocal = (time: string) => new Date(new Date(time).getTime() + offset * 60_000).toISOString();

describe('an absolute time', () => {
  it('has the seconds in UTC', () => {
    expect(dateAndTime(at, 'utc')).toBe('2026-01-05 07:04:09');
    expect(timeOfDay(at, 'utc')).toBe('07:04:09');
  });

  it('has the seconds in local time', () => {
    expect(dateAndTime(at, 'local')).toBe(asLocal(at).slice(0, 19).replace('T', ' '));
    expect(timeOfDay(at, 'local')).toBe(asLocal(at).slice(11, 19));
  });

  it('reads milliseconds since the epoch as well', () => {
    expect(dateAndTime(Date.parse(at), 'utc')).toBe('2026-01-05 07:04:09');
  });

  it('names the other zone in its title', () => {
    expect(inOtherZone(at, 'local')).toBe('2026-01-05 07:04:09 UTC');
    expect(inOtherZone(at, 'utc')).toMatch(/^2026-01-0\d \d\d:\d\d:09 UTC/);
  });

  it('is shown as it came when it is no time', () => {
    expect(dateAndTime('soon', 'utc')).toBe('soon');
    expect(timeOfDay('soon', 'local')).toBe('soon');
    expect(inOtherZone('soon', 'local')).toBe('soon');
  });
});
