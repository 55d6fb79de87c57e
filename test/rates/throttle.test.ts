import { describe, expect, it } from '@jest/globals';
import { type Operation, operations } from '../../core/operations/routes.ts';
import { limitSentence, retryTime, sharedBuckets, throttleKey } from '../../core/rates/throttle.ts';

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

describe('the sentence of a refusal', () => {
  it.each([
    ['echo', 'run', 'key', 'Endpoint `echo` allows 1000 `run` requests per 10 seconds.'],
    ['*unknown', 'run', 'key', 'All endpoints that do not exist share a limit of 1000 `run` requests per 10 seconds.'],
    ['*management', 'endpoints', 'key', 'All callers share a limit of 100 `endpoints` requests per 10 seconds.'],
    [
      '*console',
      'webhooks',
      'user',
      'All users of the console share a limit of 100 `webhooks` requests per 10 seconds.',
    ],
  ] as const)('names the limit of the bucket %s', (bucket, operation, kind, sentence) => {
    expect(limitSentence(bucket, operation, kind)).toBe(sentence);
  });
});
