/** Webhooks that failed, and the key of each. */

import { MOST } from '../../../api/bulk.ts';
import type { FailedWebhook, WebhookList } from '../../../api/job-types.ts';

/** A job has a webhook for each of its ends: it may have been retried. */
export const keyOf = ({ id, completion }: Pick<FailedWebhook, 'id' | 'completion'>): string => `${id}/${completion}`;

/** @param key from `keyOf` @returns the path that sends it again, below that of the endpoint */
export function resendPath(key: string): string {
  const [id = '', completion = ''] = key.split('/');
  return `/webhooks/${encodeURIComponent(id)}/resend?${new URLSearchParams({ completion })}`;
}

/** Why the last attempt failed. */
export function failureOf({ lastStatus, lastError }: FailedWebhook): string {
  if (lastStatus !== undefined) return `The receiver answered with status ${lastStatus}.`;
  return lastError ?? 'The receiver did not answer.';
}

/** Reads page after page, until the list ends or has as many as one run sends. */
export async function allFailed(read: (cursor: string | undefined) => Promise<WebhookList>): Promise<FailedWebhook[]> {
  const all: FailedWebhook[] = [];
  let cursor: string | undefined;
  do {
    const { webhooks, nextCursor } = await read(cursor);
    all.push(...webhooks);
    cursor = nextCursor;
  } while (cursor !== undefined && all.length < MOST);
  return all.slice(0, MOST);
}
