/** Decides about retries like the SDK's standard strategy, but without pauses. */

interface RetryToken {
  getRetryCount(): number;
  getRetryDelay(): number;
}

const TRIES = 3;
const token = (count: number): RetryToken => ({ getRetryCount: () => count, getRetryDelay: () => 0 });

export const retriesAtOnce = {
  mode: 'standard',
  acquireInitialRetryToken: async () => token(0),
  async refreshRetryTokenForRetry(last: RetryToken, { errorType }: { readonly errorType: string }) {
    const isRetryable = errorType === 'THROTTLING' || errorType === 'TRANSIENT';
    if (!isRetryable || last.getRetryCount() + 1 >= TRIES)
      throw new Error('The error is not retryable, or no attempts are left.');
    return token(last.getRetryCount() + 1);
  },
  recordSuccess: () => undefined,
};
