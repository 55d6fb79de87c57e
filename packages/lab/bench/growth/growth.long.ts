/** Measures short queues and few endpoints over the emulators of the test runner. `bench -- growth` measures more. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedEmulators } from '../../../../test/runner/emulators.ts';
import { BOUND, type Growth, growthsOf } from './growth.ts';
import { type Measured, measureOver } from './measure.ts';
import { operations } from './operations.ts';

let rows: readonly Measured[];

beforeAll(async () => {
  rows = await measureOver(
    { emulators: sharedEmulators() },
    { jobs: [100, 1_000], endpoints: [1, 20], messages: 1_000 },
  );
});

const named = (growths: readonly Growth[], name: string) => growths.find(({ operation }) => operation === name);

describe.each(operations)('$name', ({ name, grows }) => {
  it('makes at least one call', () => {
    expect(rows.filter(({ operation, calls }) => operation === name && calls > 0)).toHaveLength(4);
  });

  it('needs no more calls and units for more endpoints', () => {
    const { calls, wru, rru, sqs } = named(growthsOf(rows, 'endpoints'), name)?.exponents ?? {};
    expect({ calls, wru, rru, sqs }).toEqual({ calls: 0, wru: 0, rru: 0, sqs: 0 });
  });

  it('needs no more calls and units for more waiting jobs, or states why', () => {
    const growth = named(growthsOf(rows, 'jobs'), name);
    const { calls = 1, wru = 1, rru = 1, sqs = 1 } = growth?.exponents ?? {};
    const largest = Math.max(calls, wru, rru, sqs);
    if (grows === undefined) expect(largest).toBeLessThanOrEqual(BOUND);
    // A reason that is no longer needed must be removed.
    else expect(largest).toBeGreaterThan(BOUND);
  });
});
