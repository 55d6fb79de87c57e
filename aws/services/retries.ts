/**
 * Repeats failed calls with the strategy of the SDK, which decides about the errors, the number of attempts and the
 * pauses. The SDK's own middleware creates an exception with its stack for each call, also if the call succeeds
 * (ADR 0027).
 */
import {
  getRetryAfterHint,
  isServerError,
  isThrottlingError,
  isTransientError,
  type resolveRetryConfig,
  type StandardRetryStrategy,
} from '@smithy/core/retry';
import { onAbort } from './request-handler.ts';

type Strategy = Pick<StandardRetryStrategy, 'acquireInitialRetryToken' | 'refreshRetryTokenForRetry' | 'recordSuccess'>;
type Failure = Parameters<Strategy['refreshRetryTokenForRetry']>[1];
type CallError = NonNullable<Failure['error']>;

function kindOf(error: CallError): Failure['errorType'] {
  if (isThrottlingError(error)) return 'THROTTLING';
  if (isTransientError(error)) return 'TRANSIENT';
  return isServerError(error) ? 'SERVER_ERROR' : 'CLIENT_ERROR';
}

function describe(error: CallError): Failure {
  const retryAfterHint = getRetryAfterHint(error.$response);
  return { error, errorType: kindOf(error), ...(retryAfterHint && { retryAfterHint }) };
}

/** @throws {DOMException} AbortError if the signal is aborted before the promise settles */
async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  return Promise.race([promise, aborted]).finally(onAbort(signal, reject));
}

interface Response {
  readonly output: { readonly $metadata: { attempts?: number } };
}

/**
 * Makes a call until it succeeds, or fails with an error after which it is not repeated.
 * @param options `abortSignal` ends a pause between attempts
 * @returns the response, with the number of attempts in its metadata
 * @throws the error of the last attempt, with the number of attempts in its metadata
 */
export async function withRetries<Output extends Response>(
  { retryStrategy }: Pick<ReturnType<typeof resolveRetryConfig>, 'retryStrategy'>,
  attempt: () => Promise<Output>,
  { abortSignal: signal }: { readonly abortSignal?: AbortSignal | undefined },
): Promise<Output> {
  // The configuration creates no strategy of the first version, which the type includes.
  const strategy = (await retryStrategy()) as Strategy;
  let token = await strategy.acquireInitialRetryToken('');
  for (let attempts = 1; ; attempts += 1) {
    try {
      const response = await attempt();
      strategy.recordSuccess(token);
      response.output.$metadata.attempts = attempts;
      return response;
    } catch (thrown) {
      const error = thrown as CallError;
      // The strategy itself makes the pause before the next attempt.
      const next = strategy.refreshRetryTokenForRetry(token, describe(error)).catch(() => undefined);
      const renewed = await unlessAborted(next, signal);
      if (!renewed) {
        error.$metadata = { ...error.$metadata, attempts };
        throw error;
      }
      token = renewed;
    }
  }
}
