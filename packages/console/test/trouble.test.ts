/** Tests of sorting endpoints by urgency. */
import { describe, expect, it } from '@jest/globals';
import type { Alarm, Endpoint, Recent } from '../api/management-types.ts';
import { imageVersion } from '../pages/overview/image-version.ts';
import { hoursOf, isFailing, lastDay, percentOf } from '../pages/overview/recent.ts';
import { byTrouble, inPlace, problemsOf, rowOf } from '../pages/overview/trouble.ts';
import { endpointOf } from './endpoints.ts';

const sorted = (endpoints: readonly Endpoint[]) => byTrouble(endpoints.map((endpoint) => rowOf(endpoint, [])));
const isInTrouble = (endpoint: Endpoint) => problemsOf(endpoint, []).length > 0;

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

const busy = endpointOf('busy', { jobs: { inQueue: 9, inProgress: 1 }, workers: { ready: 1, running: 1 } });
const quiet = endpointOf('a-quiet');
const rolledBack = endpointOf('b-rolled-back', { release: { state: 'ROLLED_BACK', version: 2, reason: 'It failed.' } });
const stuck = endpointOf('c-stuck', { jobs: { inQueue: 1 } });
const broken = endpointOf('d-broken', { waitReason: 'WORKER_EXITS' });
const full = endpointOf('e-full', { waitReason: 'NO_CAPACITY', jobs: { inQueue: 3 } });

describe('the order of endpoints', () => {
  it('shows conditions, jobs without workers, releases that were rolled back, and the rest by name', () => {
    expect(idsOf(sorted([busy, quiet, rolledBack, full, stuck, broken]))).toEqual([
      'd-broken',
      'e-full',
      'c-stuck',
      'b-rolled-back',
      'a-quiet',
      'busy',
    ]);
  });

  it('does not treat busy workers as a problem', () => {
    expect([broken, stuck, rolledBack, busy, quiet].map(isInTrouble)).toEqual([true, true, true, false, false]);
  });

  it('shows jobs whose workers start after endpoints with problems', () => {
    const starting = endpointOf('z-starting', { jobs: { inQueue: 1 }, workers: { initializing: 1 } });
    expect(isInTrouble(starting)).toBe(false);
    expect(idsOf(sorted([quiet, starting, rolledBack]))).toEqual(['b-rolled-back', 'z-starting', 'a-quiet']);
  });

  it('sorts a low-priority job without workers as waiting, not as a condition', () => {
    const low = endpointOf('z-low', { jobs: { inQueue: 1 }, waitReason: 'LOW_PRIORITY' });
    expect(idsOf(sorted([rolledBack, low, broken]))).toEqual(['d-broken', 'z-low', 'b-rolled-back']);
  });

  it('keeps rows in place while the pointer is over them, and adds new rows at the end', () => {
    const rows = inPlace([broken, quiet, busy], ['busy', 'gone', 'a-quiet']);
    expect(idsOf(rows)).toEqual(['busy', 'a-quiet', 'd-broken']);
  });
});

const recent = (lastHour: Partial<Recent['lastHour']>): { readonly recent: Recent } => ({
  recent: {
    lastHour: { ended: 0, failed: 0, failedWebhooks: 0, ...lastHour },
    hours: [],
    today: { dollars: 0, unpricedTime: 0 },
    summedTo: '2026-11-23T03:10:00.000Z',
  },
});

const alarm = (name: string, endpoint: string, state: Alarm['state'] = 'ALARM'): Alarm => ({
  ...{ name, endpoint, state, fullName: `${endpoint}-${name}` },
  ...{ since: '2026-11-23T03:00:00.000Z', reason: 'Threshold crossed.', description: `What ${name} means.` },
});

const wordsOf = (endpoint: Endpoint, alarms: readonly Alarm[] = []) =>
  problemsOf(endpoint, alarms).map(({ word }) => word);

describe('the problems of an endpoint', () => {
  it.each([
    [62, 25, ['Failing']],
    [10, 2, []],
    [2, 2, []],
    [3, 3, ['Failing']],
  ])('of whose %d jobs %d failed are %j', (ended, failed, words) => {
    expect(wordsOf({ ...quiet, ...recent({ ended, failed }) })).toEqual(words);
  });

  it('have webhooks that failed within the last hour', () => {
    expect(wordsOf({ ...quiet, ...recent({ failedWebhooks: 22 }) })).toEqual(['Webhooks fail']);
    expect(wordsOf({ ...quiet, ...recent({ failedWebhooks: 1 }) })).toEqual([]);
  });

  it('have its alarms that have gone off, and each kind once', () => {
    const alarms = [alarm('AlarmsFailing', 'a-quiet'), alarm('AlarmsWaiting', 'a-quiet', 'OK')];
    expect(wordsOf(quiet, [...alarms, alarm('AlarmsWaiting', 'busy')])).toEqual(['Failing']);
    const failing = { ...quiet, ...recent({ ended: 62, failed: 25 }) };
    expect(problemsOf(failing, alarms)).toMatchObject([
      { detail: '25 of 62 jobs (40 %) failed within the last hour.' },
    ]);
    expect(wordsOf(quiet, [alarm('SomethingNewHappened', 'a-quiet')])).toEqual(['Something New Happened']);
  });

  it('are sorted by urgency, and say in a word what the service says in a code', () => {
    const endpoint = { ...full, ...recent({ ended: 62, failed: 25, failedWebhooks: 22 }) };
    expect(wordsOf(endpoint)).toEqual(['No capacity', 'Failing', 'Webhooks fail']);
  });
});

describe('what happened lately', () => {
  it.each([
    [0, 0, '0 %'],
    [1000, 1, '<1 %'],
    [62, 25, '40 %'],
  ])('is of %d jobs %d: %s', (ended, failed, text) => {
    expect(percentOf({ ended, failed })).toBe(text);
  });

  it('has 24 hours up to now, also those without jobs', () => {
    const hours = hoursOf(
      { hours: [{ from: '2026-11-23T02:00:00.000Z', ended: 7, failed: 1 }] },
      Date.parse('2026-11-23T03:12:40Z'),
    );
    expect(hours).toHaveLength(24);
    expect(hours.slice(-2).map(({ ended }) => ended)).toEqual([7, 0]);
    expect(hours.at(0)?.from).toBe(Date.parse('2026-11-22T04:00:00Z'));
  });

  it('has the failures of 24 hours, also of those that are over', () => {
    const hours = [
      { from: '2026-11-22T03:00:00.000Z', ended: 900, failed: 900 },
      { from: '2026-11-22T22:00:00.000Z', ended: 20, failed: 12 },
      { from: '2026-11-23T02:00:00.000Z', ended: 20, failed: 0 },
    ];
    const day = lastDay({ hours }, Date.parse('2026-11-23T03:12:40Z'));
    expect(day).toEqual({ ended: 40, failed: 12 });
    expect(isFailing(day)).toBe(true);
    expect(wordsOf({ ...quiet, recent: { ...recent({ ended: 20 }).recent, hours } })).toEqual([]);
  });

  it.each([
    ['registry.example.com:5000/team/sdxl:1.4.2', '1.4.2'],
    [`1234.dkr.ecr.eu-west-1.amazonaws.com/cdk-assets:${'0123456789abcdef'.repeat(4)}`, '01234567'],
    [`team/sdxl@sha256:${'fedcba9876543210'.repeat(4)}`, 'fedcba98'],
    ['registry.example.com:5000/team/sdxl', undefined],
    [undefined, undefined],
  ])('shows the version of %s as %s', (image, version) => {
    expect(imageVersion(image)).toBe(version);
  });
});
