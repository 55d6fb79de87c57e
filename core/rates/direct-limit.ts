/**
 * Enforces the rate limits of requests that go directly to the ingress, without API Gateway and its usage plan: a
 * token bucket for each endpoint and operation, which all tasks of the ingress share.
 *
 * A task leases tokens in blocks, so that most requests cost no write. A task can hold tokens that another task
 * needs, so the bucket has one extra block for each of `directBlocks.tasks`. Requests within the contract's limit
 * are therefore never refused. Tokens of a block that lapses return to the bucket.
 */
import type { Clock } from '../clock.ts';
import { limitOf, type Operation } from '../operations/routes.ts';
import { TooManyRequests } from '../requests/errors.ts';
import { limitSentence, retryTime } from './throttle.ts';

/** The bucket of an endpoint and operation. */
export interface DirectBucket {
  /** Id of an endpoint, or `sharedBuckets.unknownEndpoint`. */
  readonly bucket: string;
  readonly operation: Operation;
  /** Number of tokens that are refilled in `RATE_WINDOW`. */
  readonly per10Seconds: number;
}

export interface DirectLimits {
  /**
   * Takes a token.
   * @param now milliseconds since the epoch
   * @returns whether the bucket had a token
   */
  take(bucket: DirectBucket, now: number): Promise<boolean>;
}

/**
 * Counts a request that goes directly to the ingress.
 * @param bucket result of `authorize` for the request: the endpoint, or `sharedBuckets.unknownEndpoint`
 * @throws TooManyRequests if the bucket is empty
 */
export async function admitDirect(
  { clock, directLimits }: { readonly clock: Clock; readonly directLimits: DirectLimits },
  operation: Operation,
  bucket: string,
): Promise<void> {
  const { per10Seconds } = limitOf(operation);
  if (await directLimits.take({ bucket, operation, per10Seconds }, clock.now())) return;
  const seconds = retryTime(operation);
  throw new TooManyRequests(`${limitSentence(bucket, operation)} Try again in ${seconds} s.`, seconds);
}
