/** Tests of the state of an endpoint as its page shows it. */
import { describe, expect, it } from '@jest/globals';
import { costNote, dollars, hourlyCost, totalHourlyCost } from '../endpoint/cost.ts';
import { releaseName } from '../endpoint/release.ts';
import { piecesOf } from '../endpoint/sentence-times.ts';
import { stateOf } from '../endpoint/state.ts';
import { waitReasons } from '../endpoint/wait-reasons.ts';
import { workerShare, workerStates } from '../endpoint/worker-counts.ts';
import { endpointOf } from './endpoints.ts';

describe('the state of an endpoint', () => {
  it('contains the message of the provider and what helps', () => {
    const detail = 'A quota allows no more workers: vCPU. Since 2026-01-02T03:04:05.678Z.';
    const state = stateOf(endpointOf('e', { waitReason: 'QUOTA', waitDetail: detail }));
    expect(state).toMatchObject({ kind: 'condition', title: 'QUOTA', detail, helps: waitReasons.QUOTA.helps });
  });

  it('explains a condition without detail from the provider', () => {
    expect(stateOf(endpointOf('e', { waitReason: 'WORKER_EXITS' })).detail).toBe(waitReasons.WORKER_EXITS.means);
  });

  it('distinguishes workers that start from jobs for which no worker starts', () => {
    const starting = endpointOf('e', { jobs: { inQueue: 1 }, workers: { initializing: 1 } });
    expect(stateOf(starting)).toEqual({ kind: 'starting', title: 'Jobs wait, workers start' });
    expect(stateOf(endpointOf('e', { jobs: { inQueue: 1 } })).title).toBe('Jobs wait without workers');
  });

  it('contains the reason of a release that was rolled back', () => {
    const release = { state: 'ROLLED_BACK', version: 3, reason: '3 workers failed.' } as const;
    expect(stateOf(endpointOf('e', { release }))).toMatchObject({ kind: 'rolled-back', detail: '3 workers failed.' });
  });

  it('is empty, not a rollout, while no worker tries out the release', () => {
    const state = stateOf(endpointOf('e', { release: { state: 'IN_PROGRESS' } }));
    expect(state).toEqual({
      ...{ kind: 'empty', title: 'Scaled to zero' },
      detail: 'The next worker tries out the release.',
    });
  });

  it.each([
    ['waiting', { jobs: { inQueue: 1, inProgress: 1 }, workers: { ready: 1, running: 1 } }],
    ['running', { jobs: { inProgress: 1 }, workers: { ready: 1, running: 1 } }],
    ['ready', { workers: { ready: 1, idle: 1 } }],
    ['empty', {}],
    ['releasing', { workers: { initializing: 1 }, release: { state: 'IN_PROGRESS' } }],
  ] as const)('is %s', (kind, facts) => {
    expect(stateOf(endpointOf('e', facts)).kind).toBe(kind);
  });
});

describe('the workers of an endpoint', () => {
  const { workers } = endpointOf('e', { workers: { ready: 3, running: 2, idle: 1, throttled: 5 } }).health;

  it('are counted against its maximum', () => {
    expect(workerShare(workers, 8)).toBe('3 of 8');
  });

  it('are listed by state, without empty states', () => {
    expect(workerStates(workers).map(({ text }) => text)).toEqual(['2 running', '1 idle', '5 held back']);
  });

  const workerPrice = { hour: 0.5, region: 'eu-west-1', date: '2026-08-21' };
  const priced = endpointOf('e', { workers: { ready: 2, initializing: 1, throttled: 4 }, workerPrice });
  const unpriced = endpointOf('other', { workers: { ready: 9 } });

  it('are charged if they are ready or start', () => {
    expect(hourlyCost(priced)).toBe(1.5);
    expect(hourlyCost(unpriced)).toBeUndefined();
    expect(totalHourlyCost([priced, unpriced])).toBe(1.5);
    expect(totalHourlyCost([unpriced])).toBeUndefined();
  });

  it('have a cost with the Region and oldest date of the prices, and the excluded costs', () => {
    const older = endpointOf('old', { workerPrice: { ...workerPrice, date: '2026-06-17' } });
    const { text, excluded } = costNote([priced, older, endpointOf('idle')]);
    expect(text).toBe('prices of eu-west-1, 2026-06-17');
    expect(excluded).toMatch(/^On-demand prices\. Excludes disks, traffic and .* instances\.$/);
    expect(costNote([priced, unpriced]).excluded).toMatch(/Excludes other, whose price is unknown\.$/);
    expect(costNote([unpriced]).text).toBe('no price is known');
  });

  it.each([
    [0, '$0.00'],
    [1.2, '$1.20'],
    [0.004, '$0.004'],
  ])('have their cost of %d dollars shown as %s', (amount, text) => {
    expect(dollars(amount)).toBe(text);
  });
});

describe('a sentence from the service', () => {
  it('is split around its times', () => {
    expect(piecesOf('No capacity. Since 2026-01-02T03:04:05.678Z.')).toEqual([
      { text: 'No capacity. Since ', isTime: false },
      { text: '2026-01-02T03:04:05.678Z', isTime: true },
      { text: '.', isTime: false },
    ]);
  });

  it('has no empty pieces around a time', () => {
    expect(piecesOf('2026-01-02T03:04:05Z')).toEqual([{ text: '2026-01-02T03:04:05Z', isTime: true }]);
  });

  it('is one piece if it contains no times', () => {
    expect(piecesOf('Workers exit.')).toEqual([{ text: 'Workers exit.', isTime: false }]);
  });
});

describe('the name of a release', () => {
  it.each([
    [{ version: 7, revision: 12 }, 'v7'],
    [{ revision: 12 }, 'revision 12'],
    [{}, 'unnamed'],
  ])('for %j is %s', (release, name) => {
    expect(releaseName(release)).toBe(name);
  });
});
