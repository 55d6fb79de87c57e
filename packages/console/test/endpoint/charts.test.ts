/** Tests of the charts of an endpoint: their axes, shapes, marks and time. */
import { describe, expect, it } from '@jest/globals';
import type { EndpointEvent, EndpointSeries } from '../../api/management-types.ts';
import { placeIn, ticksOf, topOf } from '../../charts/scale.ts';
import { barPath, indexAt, linePath } from '../../charts/shapes.ts';
import { openAlarms } from '../../endpoint/alarm.ts';
import { endsOf } from '../../pages/endpoint/ends.ts';
import { marksOf } from '../../pages/endpoint/marks.ts';
import { chartsOf } from '../../pages/endpoint/measures.ts';
import { isIn, periodOf, timesOf, typedTime } from '../../pages/endpoint/period.ts';
import { alarms, events, seriesOf } from '../screens/history.ts';

const HOUR = 3_600_000;
const span = { from: 0, to: 10 * HOUR };

describe('the axes of a chart', () => {
  it('place an instant outside of the time at its nearest end', () => {
    expect([-HOUR, 5 * HOUR, 11 * HOUR].map((at) => placeIn(span, at))).toEqual([0, 0.5, 1]);
  });

  it('name round times of the zone', () => {
    expect(ticksOf({ from: HOUR / 2, to: 10 * HOUR }, 0)).toEqual([3 * HOUR, 6 * HOUR, 9 * HOUR]);
    expect(ticksOf({ from: HOUR / 2, to: 10 * HOUR }, HOUR)).toEqual([2 * HOUR, 5 * HOUR, 8 * HOUR]);
  });

  it('end at 1, 2 or 5 times a power of ten', () => {
    expect([0, 0.3, 1, 412, 52_000].map(topOf)).toEqual([1, 0.5, 1, 500, 100_000]);
  });
});

describe('the shapes of a chart', () => {
  const axes = { span, starts: [0, HOUR, 5 * HOUR], step: HOUR, top: 10 };

  it('interrupt a line where nothing happened, and show a single value', () => {
    expect(linePath([10, 5, 0], axes)).toBe('M0 0H100L100 50H200M500 100H600');
  });

  it('stack bars', () => {
    expect(barPath([5, undefined, 0], [5, 1, 1], axes)).toBe('M12 50V0H88V50Z');
  });

  it('know the value below the pointer, and that there is none in a gap', () => {
    expect([1, HOUR, 3 * HOUR, 5.5 * HOUR].map((at) => indexAt(at, axes.starts, HOUR))).toEqual([0, 1, undefined, 2]);
  });
});

describe('the figures of an endpoint', () => {
  it('have the jobs of the charts, of which cancelled and purged ones have not failed', () => {
    const ended = { COMPLETED: 90, WORKER_ERROR: 7, EXECUTION_TIMEOUT: 5, CANCELLED: 3, PURGED: 2 };
    expect(endsOf({ ended, requeued: 4 })).toEqual({ completed: 90, failed: 12, requeued: 4 });
  });

  it('have above them the alarms of the endpoint that have gone off', () => {
    const [alarm] = alarms;
    if (!alarm) throw new Error('There is no alarm.');
    const others = [
      { ...alarm, endpoint: 'whisper' },
      { ...alarm, name: 'AlarmsFailing', state: 'OK' as const },
      { ...alarm, name: 'AlarmsNoWorker', since: '2026-11-23T03:11:00.000Z' },
    ];
    expect(openAlarms('sdxl', [...alarms, ...others]).map(({ name }) => name)).toEqual([
      'AlarmsNoWorker',
      'AlarmsWaiting',
    ]);
  });
});

describe('the charts of an endpoint', () => {
  const series: EndpointSeries = seriesOf(new URL('http://localhost/?step=hour'));

  it('show p95 of the whole time as a number', () => {
    const waited = chartsOf(series).find(({ title }) => title === 'Waited before the start');
    expect(waited?.series.map(({ title, total }) => [title, total])).toContainEqual(['p95', 12_400]);
  });

  it('show failures below completed jobs', () => {
    expect(chartsOf(series)[0]?.series.map(({ title }) => title)).toEqual([
      'WORKER_ERROR',
      'EXECUTION_TIMEOUT',
      'COMPLETED',
    ]);
  });

  it('mark releases, conditions, changes and alarms that have gone off, newest first', () => {
    const marks = marksOf('sdxl', events, [...alarms, ...alarms.map((alarm) => ({ ...alarm, endpoint: 'chat' }))], 0);
    expect(marks.map(({ kind, title }) => `${kind}: ${title}`)).toEqual([
      'alarm: Alarm AlarmsWaiting',
      'condition: NO_CAPACITY',
      'change: Resumed, by user ada',
      'release: v7 is complete',
      'release: v7 began, by key deploy-bot',
      'change: Template changed: imageName, env, by key deploy-bot',
      'condition: Budget is 80 % spent',
    ]);
  });

  it('mark the end of a condition', () => {
    const end: EndpointEvent = { kind: 'CONDITION', at: '2026-01-01T00:00:00.000Z', from: 'QUOTA' };
    expect(marksOf('sdxl', [end], [], 0)[0]?.title).toBe('QUOTA has ended');
  });
});

describe('the time of an endpoint page', () => {
  const of = (query: string) => periodOf(new URLSearchParams(query));

  it('is the last 24 hours unless the address has a range', () => {
    expect(timesOf(of(''), 24 * HOUR)).toEqual({ since: '1970-01-01T00:00:00.000Z', until: undefined });
    expect(of('range=7d&since=yesterday')).toMatchObject({ range: { id: '7d' }, since: undefined });
  });

  it('is the selected part, which has the events between its ends', () => {
    const period = of('since=2026-01-01T00:00Z&until=2026-01-02T00:00Z');
    expect(timesOf(period)).toEqual({ since: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' });
    expect([isIn(period, '2026-01-01T12:00:00.000Z'), isIn(period, '2026-01-02T12:00:00.000Z')]).toEqual([true, false]);
  });

  it('can be typed', () => {
    expect(typedTime(' 2026-11-23 03:10', 'utc')).toBe('2026-11-23T03:10:00.000Z');
    expect(['03:10', '2026-13-40 03:10', ''].map((text) => typedTime(text, 'utc'))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
