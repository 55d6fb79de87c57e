/**
 * Idempotency keys, which make it safe to send a run again. A run whose response was lost may have been stored: the
 * same request then gets the same key, and so the same job.
 */

export interface Attempts {
  /** The key of the request, the one that its last attempt had if that has no answer. */
  keyOf(request: string): string;
  /** The service has responded: the next request is another run. */
  answered(): void;
}

/** @param newKey makes keys that no other run has */
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

/** Statuses after which the request may have been stored nevertheless; 0 is no response. */
export const isUnanswered = (status: number): boolean => status === 0 || status >= 500;
