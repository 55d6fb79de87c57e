/** A client that follows the contract: it retries with growing pauses after 429, 5xx, and a broken connection. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Outputs } from '../local-service.ts';

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Client {
  /**
   * Sends a request, with retries.
   * @param path such as `/echo/health`
   * @throws if all attempts fail without a final response
   */
  ask(
    method: string,
    path: string,
    request?: { body?: string | undefined; headers?: Record<string, string> },
  ): Promise<Reply>;
  /** Number of retries by reason: a status, or `cut` for a broken connection. */
  readonly repeats: Readonly<Record<string, number>>;
  /** Error responses whose body is not `{error, code, requestId}`. */
  readonly malformed: readonly string[];
}

/**
 * Maximum number of attempts. One thread serves all calls of a function, so a crash breaks about half of the
 * waiting calls.
 */
const TRIES = 20;
const FIRST_PAUSE = 100;
const MAX_PAUSE = 2_000;

const isError = ({ error, code, requestId }: Reply['json']) =>
  [error, code, requestId].every((member) => typeof member === 'string' && member !== '');

/**
 * The load balancer answers calls to a dead ingress task with HTML pages, which API Gateway forwards
 * (docs/reference/errors.md).
 */
const isOfLoadBalancer = ({ status, text }: Reply) => [502, 503, 504].includes(status) && text.startsWith('<html>');

function parse(text: string): Reply['json'] {
  try {
    return JSON.parse(text) as Reply['json'];
  } catch {
    return {};
  }
}

/** A streamed response that has begun can report a failure only in its body. */
const statusOf = ({ status }: Response, json: Reply['json']) =>
  status === 200 && isError(json) && !('id' in json) ? 500 : status;

export function createClient({ JobApiUrl, ApiKey }: Pick<Outputs, 'JobApiUrl' | 'ApiKey'>): Client {
  const repeats: Record<string, number> = {};
  const malformed: string[] = [];

  async function once(method: string, path: string, { body, headers }: Parameters<Client['ask']>[2] = {}) {
    try {
      const Authorization = `Bearer ${ApiKey}`;
      const response = await fetch(JobApiUrl + path, {
        method,
        body: body ?? null,
        headers: headers ?? { Authorization },
      });
      const text = await response.text();
      const json = parse(text);
      const reply: Reply = { status: statusOf(response, json), text, json };
      const members = Object.keys(json)
        .toSorted((one, other) => one.localeCompare(other))
        .join();
      const isWellFormed = (isError(json) && members === 'code,error,requestId') || isOfLoadBalancer(reply);
      if (reply.status >= 400 && !isWellFormed) malformed.push(`${method} ${path}: ${reply.status} ${text}`);
      return reply;
    } catch {
      return undefined;
    }
  }

  return {
    repeats,
    malformed,
    async ask(method, path, request) {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const reply = await once(method, path, request);
        if (reply && reply.status < 500 && reply.status !== 429) return reply;
        const reason = String(reply?.status ?? 'cut');
        repeats[reason] = (repeats[reason] ?? 0) + 1;
        // Spread the retries, because clients that were refused together would otherwise retry together.
        await delay(Math.min(FIRST_PAUSE * 2 ** tries, MAX_PAUSE) * (0.5 + Math.random()));
      }
      throw new Error(`${method} ${path} had no final response in ${TRIES} attempts: ${JSON.stringify(repeats)}.`);
    },
  };
}
