/** Compares the buckets of the stacks with the limits of the routes, in the emulation of API Gateway. */
import { describe, expect, it } from '@jest/globals';
import { array, assert, constantFrom, integer, property, tuple } from 'fast-check';
import { jobRoutes, managementRoutes, type Route } from '../../../core/operations/routes.ts';
import { bucketOf } from '../../../lib/api/rate-limits.ts';
import { createThrottle } from '../../../packages/emulator/gateway/throttle.ts';
import { PROPERTY_SEED, seedOf } from '../../runner/seed.ts';

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
