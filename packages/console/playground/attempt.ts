/**
 * Creates idempotency keys, so that a run can safely be sent again. If the response of a run was lost, the service
 * might already have stored the job. The same request then gets the same key and returns the same job.
 */

export interface Attempts {
  /**
   * Returns the key for the request: the key of its last attempt if that attempt got no response, otherwise a new key.
   */
  keyOf(request: string): string;
  /** Records that the service has responded, so that the next request is a new run. */
  answered(): void;
}

/** @param newKey returns a unique key */
export function createAttempts(newKey: () => string): Attempts {
  let open: { readonly request: string; readonly key: string } | undefined;
  return {
    keyOf(request) {
      if (open?.request !== request) open = { request, key: newKey() };
      return open.key;
    },
    answered() {
      open = undefined;
    },
  };
}

/** @returns whether the job might have been stored despite this status; 0 means no response */
export const isUnanswered = (status: number): boolean => status === 0 || status >= 500;
