/** Tests how many workers of stale revisions a release leaves with jobs. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Lease } from '../../core/workers/lease.ts';
import { precedenceOf } from '../../core/workers/succession.ts';
import { releaseOf } from '../releases/settings.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';

const NOW = 1_000;
const WANTED = 2;
const release = { ...releaseOf(`arn:f:${WANTED}`), edition: 1 };

const state = fc.record({
  revision: fc.constantFrom(undefined, 1, WANTED, 3),
  readySince: fc.constantFrom(null, 1),
  jobs: fc.constantFrom<string[]>([], ['j']),
  retiring: fc.constantFrom(undefined, true),
  silent: fc.constantFrom(undefined, true),
  unprotected: fc.constantFrom(undefined, 'WORKS' as const, 'WAITS' as const),
  endsAt: fc.constantFrom(NOW - 1, NOW),
});
const fleets = fc
  .array(state, { maxLength: 8 })
  .map((states) => states.map((its, n): Lease => ({ endpoint: 'e', worker: `w${n}`, removeAfter: 1, ...its })));

const isReady = ({ readySince, retiring, silent, unprotected, jobs, endsAt }: Lease) =>
  endsAt >= NOW && readySince !== null && !retiring && !silent && !(unprotected === 'WAITS' && jobs.length === 0);

describe('the precedence of workers of stale revisions', () => {
  it('leaves as many ready workers with jobs as the service is to run, and all before a new worker is ready', () => {
    const property = fc.property(fleets, fc.integer({ min: 0, max: 5 }), (leases, desiredWorkers) => {
      const ready = leases.filter(isReady);
      const stale = ready.filter(({ revision }) => revision !== WANTED);
      const of = ({ worker }: Lease) => precedenceOf({ release, desiredWorkers, minWorkers: 9 }, leases, worker, NOW);
      if (stale.length === ready.length) return void expect(stale.every((lease) => of(lease) === 'EQUAL')).toBe(true);
      const superseded = stale.filter((lease) => of(lease) === 'SUPERSEDED');
      expect(superseded).toHaveLength(Math.max(0, Math.min(stale.length, ready.length - desiredWorkers)));
      expect(stale.some((lease) => of(lease) === 'EQUAL')).toBe(false);
      // Workers without a job stop first.
      const others = stale.filter((lease) => !superseded.includes(lease));
      const stopsBusy = superseded.some(({ jobs }) => jobs.length > 0);
      expect(stopsBusy && others.some(({ jobs }) => jobs.length === 0)).toBe(false);
    });
    fc.assert(property, { seed: seedOf(PROPERTY_SEED), numRuns: 500 });
  });
});
