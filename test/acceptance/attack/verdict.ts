/** Checks the replies to a hostile request. */

import { MARKER } from './endpoints.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './replies.ts';
import type { HostileRequest } from './requests.ts';

/** Returns the parsed body, or undefined if it is not JSON. */
function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Returns whether the body is an error in the shape of both interfaces or of OpenAI. */
function isError(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || !('error' in json)) return false;
  const { error } = json;
  const isOpenAi = typeof error === 'object' && error !== null && 'message' in error && 'type' in error;
  return isOpenAi || ('code' in json && 'requestId' in json);
}

/**
 * Returns 500 for an error in the body of a streamed 200, because a stream that has begun can only report a
 * failure there.
 */
function statusOf({ status, body }: Reply): number {
  const json = status === 200 ? jsonOf(body) : undefined;
  return isError(json) && !('id' in (json as object)) ? 500 : status;
}

/** @returns statuses of the replies, or how the exchange ended without a reply */
export const outcomeOf = ({ replies, end }: Exchange): string[] =>
  replies.length > 0 ? replies.map((reply) => String(statusOf(reply))) : [end];

/**
 * Status with which servers refuse a request before it reaches an API. They then close the connection, so that
 * requests which the client sent after it get no reply.
 */
const HEAD_TOO_LARGE = 431;

/** Page with which CloudFront refuses a `GET` with a body, an unknown method, and an invalid or too long address. */
const EDGE_PAGE = /^<!doctype html>\n<title>ERROR: The request could not be satisfied<\/title>/;
const isOfEdge = ({ status, body }: Reply) => [400, 403, 413].includes(status) && EDGE_PAGE.test(body);

/** The distribution redirects `/` to the console. */
const isToConsole = ({ status, body }: Reply) => status === 302 && body === '';

/** Returns the first problem of the replies, or undefined. */
export function problemOf(
  { broken, method }: HostileRequest,
  { replies, end, lasted }: Exchange,
  secrets: readonly string[],
): string | undefined {
  if (end === 'silent') return `no answer within ${Math.round(lasted)} ms`;
  const mayClose = broken || replies.at(-1)?.status === HEAD_TOO_LARGE;
  if (end === 'closed' && !mayClose)
    return `the connection was closed after ${replies.length} replies, in ${Math.round(lasted)} ms`;
  for (const reply of replies) {
    const { status, body } = reply;
    if (statusOf(reply) >= 500) return `answered ${status} ${body}`;
    if ([MARKER, ...secrets].some((secret) => body.includes(secret))) return `reveals ${body}`;
    // Besides pages, only a scrape of Prometheus is no JSON.
    const isPage = status === 200 && (body.startsWith('<!doctype html>') || body.startsWith('# TYPE '));
    const json = jsonOf(body);
    if (broken || method === 'HEAD' || isPage || isOfEdge(reply) || isToConsole(reply)) continue;
    if (status === HEAD_TOO_LARGE) continue;
    if (json === undefined || (status >= 400 && !isError(json))) return `answered ${status} with ${body || 'no body'}`;
  }
  return undefined;
}
