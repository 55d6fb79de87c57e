/**
 * Sets how often an open page sends requests. A hidden tab sends none, because React Query pauses it. A tab without
 * input for `IDLE_AFTER` sends requests at most once a minute. After an error, the page waits for the time in the
 * response's `Retry-After`. Without this header, the interval doubles with each failure, to at most a minute.
 */

import { MINUTE, SECOND } from '../units.ts';
import { connection } from './connection.ts';
import { ApiError } from './error.ts';

const IDLE_AFTER = 15 * MINUTE;

/** Milliseconds between two requests of a page in use. */
export const intervals = {
  endpoint: 5 * SECOND,
  jobs: 15 * SECOND,
  jobChoices: 20 * SECOND,
  runningJob: SECOND,
  longRunningJob: 5 * SECOND,
  /** For a stream or log without recent data. */
  quiet: 15 * SECOND,
  logs: 5 * SECOND,
  releases: 10 * SECOND,
} as const;

/** The window, which is missing in tests under Node.js. */
interface Listening {
  readonly addEventListener?: (event: string, listener: () => void, options: object) => void;
}

let touchedAt = Date.now();
for (const event of ['pointerdown', 'keydown', 'wheel', 'focus', 'visibilitychange'])
  (globalThis as Listening).addEventListener?.(
    event,
    () => {
      touchedAt = Date.now();
    },
    { passive: true, capture: true },
  );

interface Asked {
  readonly state: { readonly error: unknown; readonly fetchFailureCount: number };
}

/** Returns the milliseconds until a query is repeated. */
export function intervalAfter({ state: { error, fetchFailureCount } }: Asked, usual: number, now = Date.now()): number {
  if (error !== null && error !== undefined) {
    const asked = error instanceof ApiError ? error.retryAfter : undefined;
    return asked ?? Math.min(MINUTE, usual * 2 ** Math.min(10, Math.max(1, fetchFailureCount)));
  }
  return now - touchedAt >= IDLE_AFTER ? Math.max(MINUTE, usual) : usual;
}

/**
 * Returns the `refetchInterval` of a query. The query is not repeated while the page is offline or its session has
 * expired.
 */
export const every =
  (usual: number) =>
  (query: Asked): number | false => {
    const { isOffline, isExpired } = connection();
    return isOffline || isExpired ? false : intervalAfter(query, usual);
  };
