/** Calls that are answered when there is something to say, or when a while has passed. */
import type { ServerResponse } from 'node:http';
import { SECOND } from '../../core/limits.ts';

/** Shorter than the time-out of clients, and than what a container is given to stop. */
export const HOLD = 20 * SECOND;

/** Aborts when the caller has gone. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

export function sendJson(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(text);
}
