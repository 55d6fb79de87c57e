import { describe, expect, it } from '@jest/globals';
import { array, assert, constantFrom, integer, property, tuple } from 'fast-check';
import { jobRoutes, managementRoutes, type Route } from '../../../../core/operations/routes.ts';
import { bucketOf } from '../../../../lib/api/rate-limits.ts';
import { PROPERTY_SEED, seedOf } from '../../../../test/runner/seed.ts';
import { createThrottle } from '../../gateway/throttle.ts';

describe('a token bucket', () => {
  let time = 0;
  const limit = { rate: 10, burst: 3 };
  const admitted = (throttle: ReturnType<typeof createThrottle>, times: number, bucket = 'a') =>
    Array.from({ length: times }, () => throttle.admits(bucket, limit)).filter(Boolean).length;

  it('is full at first and holds as many tokens as the burst limit', () => {
    const throttle = createThrottle(() => time);
    expect(admitted(throttle, 5)).toBe(3);
  });

  it('refills at the rate up to the burst limit', () => {
    const throttle = createThrottle(() => time);
    admitted(throttle, 3);
    time += 99;
    expect(admitted(throttle, 1)).toBe(0);
    time += 1;
    expect(admitted(throttle, 2)).toBe(1);
    time += 60_000;
    expect(admitted(throttle, 10)).toBe(3);
  });

  it('does not lose fractions of tokens when it refuses a request', () => {
    const throttle = createThrottle(() => time);
    admitted(throttle, 3);
    for (let step = 0; step < 9; step += 1) {
      time += 10;
      expect(admitted(throttle, 1)).toBe(0);
    }
    time += 10;
    expect(admitted(throttle, 1)).toBe(1);
  });

  it('admits exactly rate times time plus burst', () => {
    const throttle = createThrottle(() => time);
    let count = 0;
    for (let millisecond = 0; millisecond <= 10_000; millisecond += 1) {
      count += admitted(throttle, 1);
      time += 1;
    }
    expect(count).toBe(10 * 10 + 3);
  });

  it('is independent of other buckets', () => {
    const throttle = createThrottle(() => time);
    admitted(throttle, 3, 'a');
    expect(admitted(throttle, 3, 'b')).toBe(3);
  });
});

describe.each(Object.entries<Route>({ ...jobRoutes, ...managementRoutes }))('the limit of %s', (_, { limit }) => {
  const WINDOW = 10_000;
  const { per10Seconds } = limit;
  const { rateLimit: rate, burstLimit: burst } = bucketOf(limit);
  const evenly = WINDOW / per10Seconds;
  /** Requests that a full bucket admits, plus its refill of ten seconds. */
  const max = 2 * per10Seconds;

  /** Returns the times of the admitted requests. */
  function admittedOf(arrivals: readonly number[]): number[] {
    let time = 0;
    const throttle = createThrottle(() => time);
    return arrivals.filter((arrival) => {
      time = arrival;
      return throttle.admits('a', { rate, burst });
    });
  }

  /** Returns the highest number of requests in any ten seconds. */
  function maxInAWindow(times: readonly number[]): number {
    let first = 0;
    return times.reduce((found, time, last) => {
      while (time - (times[first] ?? 0) > WINDOW) first += 1;
      return Math.max(found, last - first + 1);
    }, 0);
  }

  it('admits all requests that arrive evenly at the rate', () => {
    const even = Array.from({ length: 3 * per10Seconds }, (_, n) => Math.round(n * evenly * 1000) / 1000);
    expect(admittedOf(even)).toHaveLength(even.length);
  });

  it('admits the whole limit at the same time', () => {
    expect(admittedOf(Array.from({ length: 2 * per10Seconds }, () => 0))).toHaveLength(per10Seconds);
  });

  /** Bursts, with pauses of any length between them. */
  const crowd = tuple(
    integer({ min: 1, max }),
    constantFrom(0, Math.floor(evenly / 3), evenly, 3 * evenly),
    integer({ min: 0, max: 12_000 }),
  );
  const arrivalsOf = (parts: readonly (readonly [count: number, between: number, pause: number])[]) => {
    let time = 0;
    return parts.flatMap(([count, between, pause]) => {
      time += pause;
      return Array.from({ length: count }, () => (time += between));
    });
  };
  const crowds = array(crowd, { minLength: 1, maxLength: 6 }).map(arrivalsOf);
  const options = { seed: seedOf(PROPERTY_SEED), numRuns: 40 };

  it('refuses no request of a client within the limit, for any pattern of requests', async () => {
    await assert(
      property(crowds, (arrivals) => {
        const within: number[] = [];
        for (const arrival of arrivals) {
          const former = within.at(-per10Seconds);
          if (former === undefined || arrival - former >= WINDOW) within.push(arrival);
        }
        expect(admittedOf(within)).toHaveLength(within.length);
      }),
      options,
    );
  });

  it('admits at most twice the limit in any ten seconds, and reaches that maximum', async () => {
    await assert(
      property(crowds, (arrivals) => {
        expect(maxInAWindow(admittedOf(arrivals))).toBeLessThanOrEqual(max);
      }),
      options,
    );
    const greedy = Array.from({ length: 2 * WINDOW }, (_, millisecond) => millisecond);
    const crowded = [...Array.from({ length: per10Seconds }, () => 0), ...greedy];
    expect(maxInAWindow(admittedOf(crowded))).toBe(max);
  });
});
