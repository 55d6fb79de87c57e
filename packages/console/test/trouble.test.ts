/** Tests of sorting endpoints by urgency. */
import { describe, expect, it } from '@jest/globals';
import { byTrouble, inPlace, isInTrouble } from '../endpoint/trouble.ts';
import { endpointOf } from './endpoints.ts';

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

const busy = endpointOf('busy', { jobs: { inQueue: 9, inProgress: 1 }, workers: { ready: 1, running: 1 } });
const quiet = endpointOf('a-quiet');
const rolledBack = endpointOf('b-rolled-back', { release: { state: 'ROLLED_BACK', version: 2, reason: 'It failed.' } });
const stuck = endpointOf('c-stuck', { jobs: { inQueue: 1 } });
const broken = endpointOf('d-broken', { waitReason: 'WORKER_EXITS' });
const full = endpointOf('e-full', { waitReason: 'NO_CAPACITY', jobs: { inQueue: 3 } });

describe('the order of endpoints', () => {
  it('shows conditions, jobs without workers, releases that were rolled back, and the rest by name', () => {
    const sorted = byTrouble([busy, quiet, rolledBack, full, stuck, broken]);
    expect(idsOf(sorted)).toEqual(['d-broken', 'e-full', 'c-stuck', 'b-rolled-back', 'a-quiet', 'busy']);
  });

  it('does not treat busy workers as a problem', () => {
    expect([broken, stuck, rolledBack, busy, quiet].map(isInTrouble)).toEqual([true, true, true, false, false]);
  });

  it('shows jobs whose workers start after endpoints with problems', () => {
    const starting = endpointOf('z-starting', { jobs: { inQueue: 1 }, workers: { initializing: 1 } });
    expect(isInTrouble(starting)).toBe(false);
    expect(idsOf(byTrouble([quiet, starting, rolledBack]))).toEqual(['b-rolled-back', 'z-starting', 'a-quiet']);
  });

  it('sorts a low-priority job without workers as waiting, not as a condition', () => {
    const low = endpointOf('z-low', { jobs: { inQueue: 1 }, waitReason: 'LOW_PRIORITY' });
    expect(idsOf(byTrouble([rolledBack, low, broken]))).toEqual(['d-broken', 'z-low', 'b-rolled-back']);
  });

  it('keeps rows in place while the pointer is over them, and adds new rows at the end', () => {
    const rows = inPlace([broken, quiet, busy], ['busy', 'gone', 'a-quiet']);
    expect(idsOf(rows)).toEqual(['busy', 'a-quiet', 'd-broken']);
  });
});
