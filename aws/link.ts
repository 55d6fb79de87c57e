import { SECOND } from '../core/limits.ts';
import type { Link } from '../core/sweeper/link.ts';

/** Time for the response, which is short and needs no wait. */
const LIMIT = 10 * SECOND;

/**
 * Calls the ingress through the link, and fails unless the ingress answers with success.
 * @param url of `linkRoute`, which API Gateway sends through the link
 */
export const createLink = (url: string): Link => ({
  async call() {
    const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(LIMIT), redirect: 'error' });
    if (!ok) throw new Error(`The ingress has answered ${status} to ${url}.`);
  },
});
