import { describe, expect, it } from '@jest/globals';
import { type Operation, operations } from '../../core/routes.ts';
import { retryTime, sharedBuckets, throttleKey } from '../../core/throttle.ts';

describe('the time after which a refused request may be sent again', () => {
  it('is what a token takes: 5 s for /purge-queue, and the least that the header can say for all else', () => {
    const times = new Map<Operation, number>(operations.map((operation) => [operation, retryTime(operation)]));
    expect(times.get('purge-queue')).toBe(5);
    times.delete('purge-queue');
    expect(new Set(times.values())).toEqual(new Set([1]));
  });
});

describe("the value of a bucket's hidden key", () => {
  it('is long enough for API Gateway, and its own for each deployment and bucket', () => {
    const values = ['Platform', 'Other'].flatMap((scope) =>
      ['echo', ...Object.values(sharedBuckets)].map((bucket) => throttleKey(scope, bucket)),
    );
    for (const value of values) expect(value).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(values).size).toBe(values.length);
  });
});
