import { describe, expect, it } from '@jest/globals';
import { retryTime, sharedBuckets, throttleKey } from '../../core/rates/throttle.ts';
import { type Operation, operations } from '../../core/routes.ts';

describe('the time after which a refused request may be sent again', () => {
  it('is the window of an exact limit, and the time of one token for any other limit', () => {
    const exact = new Set<Operation>(['cancel', 'purge-queue', 'requests']);
    for (const operation of operations)
      expect([operation, retryTime(operation)]).toEqual([operation, exact.has(operation) ? 10 : 1]);
  });
});

describe("the value of a bucket's hidden key", () => {
  it('is long enough for API Gateway, and different for each deployment and bucket', () => {
    const values = ['Platform', 'Other'].flatMap((scope) =>
      ['echo', ...Object.values(sharedBuckets)].map((bucket) => throttleKey(scope, bucket)),
    );
    for (const value of values) expect(value).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(values).size).toBe(values.length);
  });
});
