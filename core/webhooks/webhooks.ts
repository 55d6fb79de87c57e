import { deployed, type Endpoints } from '../endpoints/store.ts';
import { messageId } from '../jobs/delivery-key.ts';
import { webhookListLimits } from '../limits.ts';
import { cursorOf, positionIn } from '../requests/cursor.ts';
import { pageLimit, type QueryValue } from '../requests/validation.ts';
import type { Deliveries, Failure } from './store.ts';

/** A request for a list of failed deliveries, with unparsed query parameters. */
export interface ListRequest {
  readonly endpoint: string;
  /** Maximum number of deliveries per page. */
  readonly limit?: QueryValue | undefined;
  readonly cursor?: QueryValue | undefined;
}

/** A FAILED delivery in a response. */
export interface FailedWebhook {
  /**
   * Id of the job. The next field is the number of its completion, which is the number of retries before this
   * completion.
   */
  readonly id: string;
  readonly completion: number;
  readonly webhookId: string;
  readonly failedAt: string;
  /** Number of attempts since the delivery was created or last sent again. */
  readonly attempts: number;
  /** Number of times that the delivery was sent again. */
  readonly resent: number;
  /** Last status of the receiver, and why the last attempt failed. */
  readonly lastStatus?: number;
  readonly lastError?: string;
  /** Scheme, host and port of the URL; absent if they are unknown. */
  readonly receiver?: string;
}

export interface WebhookList {
  readonly webhooks: readonly FailedWebhook[];
  readonly nextCursor?: string;
}

type ListPorts = { readonly deliveries: Deliveries; readonly endpoints: Endpoints };

/**
 * Lists the failed deliveries of an endpoint that were not sent again, newest failure first.
 *
 * Input: endpoint, limit, cursor. Output: a page, and a cursor if there are more deliveries.
 *  1. Refuse an unknown endpoint, a limit out of bounds, and a cursor of another list.
 *  2. Read one page of the list. Deliveries that were sent again in the meantime are omitted, so a page can have
 *     fewer than `limit`.
 */
export async function webhooks(ports: ListPorts, request: ListRequest): Promise<WebhookList> {
  const max = pageLimit(request.limit, webhookListLimits.page);
  const { id: endpoint } = await deployed(ports, request.endpoint);
  const before = request.cursor === undefined ? undefined : failureIn(endpoint, request.cursor);

  const listed: Failure[] = [];
  for await (const failure of ports.deliveries.failures(endpoint, before)) if (listed.push(failure) > max) break;
  const page = listed.slice(0, max);
  const last = listed.length > max ? page.at(-1) : undefined;
  const found = await Promise.all(page.map((failure) => failedWebhook(ports, failure)));
  return {
    webhooks: found.filter((one) => one !== undefined),
    ...(last && { nextCursor: cursorOf(listOf(endpoint), positionOf(last)) }),
  };
}

async function failedWebhook({ deliveries }: ListPorts, failure: Failure): Promise<FailedWebhook | undefined> {
  const delivery = await deliveries.read(failure, 'now');
  if (delivery?.failedAt !== failure.failedAt) return undefined;
  const { attempts, round: resent, lastStatus, lastError, receiver } = delivery;
  const { id, completion, failedAt } = failure;
  const at = new Date(failedAt).toISOString();
  return {
    id,
    completion,
    webhookId: messageId(failure),
    failedAt: at,
    attempts,
    resent,
    ...(lastStatus !== undefined && { lastStatus }),
    ...(lastError !== undefined && { lastError }),
    ...(receiver !== undefined && { receiver }),
  };
}

const listOf = (endpoint: string) => `failed webhooks of ${endpoint}`;
const positionOf = ({ failedAt, id, completion }: Failure) => `${failedAt} ${id} ${completion}`;

const POSITION = /^\d{1,15} [\w-]{1,128} \d{1,9}$/;

function failureIn(endpoint: string, cursor: QueryValue): Failure {
  const [failedAt, id = '', completion] = positionIn(listOf(endpoint), cursor, POSITION).split(' ');
  return { endpoint, id, completion: Number(completion), failedAt: Number(failedAt) };
}
