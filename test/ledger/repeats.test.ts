import { expect, it } from '@jest/globals';
import { createRepeats } from '../../core/ledger/repeats.ts';
import { ledgerRepeats } from '../../core/limits.ts';
import { MovedClock } from '../support/emulated-deployment.ts';

it('permits three repetitions in ten minutes for each endpoint', () => {
  const clock = new MovedClock();
  const repeats = createRepeats(clock);
  const take = (endpoint: string) => repeats.take(endpoint);
  expect(Array.from({ length: 5 }, () => take('a'))).toEqual([true, true, true, false, false]);
  expect(take('b')).toBe(true);
  clock.advance(ledgerRepeats.within - 1);
  expect(take('a')).toBe(false);
  clock.advance(1);
  expect(take('a')).toBe(true);
});
