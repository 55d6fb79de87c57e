/** Failed webhooks and their keys. */

import { MAX_IDS } from '../../api/bulk.ts';
import type { FailedWebhook, WebhookList } from '../../api/job-types.ts';

/** Returns the key of a webhook. A retried job can have several webhooks. */
export const keyOf = ({ id, completion }: Pick<FailedWebhook, 'id' | 'completion'>): string => `${id}/${completion}`;

/**
 * @param key from `keyOf`
 * @returns the path that resends the webhook, relative to the endpoint's path
 */
export function resendPath(key: string): string {
  const [id = '', completion = ''] = key.split('/');
  return `/webhooks/${encodeURIComponent(id)}/resend?${new URLSearchParams({ completion })}`;
}

/** Explains why the last attempt failed. */
export function failureOf({ lastStatus, lastError }: FailedWebhook): string {
  if (lastStatus !== undefined) return `The receiver answered with status ${lastStatus}.`;
  return lastError ?? 'The receiver did not answer.';
}

/** Reads all pages, until the list ends or has the maximum number of webhooks for one run. */
export async function allFailed(read: (cursor: string | undefined) => Promise<WebhookList>): Promise<FailedWebhook[]> {
  const all: FailedWebhook[] = [];
  let cursor: string | undefined;
  do {
    const { webhooks, nextCursor } = await read(cursor);
    all.push(...webhooks);
    cursor = nextCursor;
  } while (cursor !== undefined && all.length < MAX_IDS);
  return all.slice(0, MAX_IDS);
}
