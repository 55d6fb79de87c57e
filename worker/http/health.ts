/** Watches whether the user's HTTP server can take jobs. */
import type { Clock } from '../../core/clock.ts';
import { SECOND } from '../../core/limits.ts';
import type { Server } from '../../core/workers/server-settings.ts';
import { callServer } from './request.ts';

/** Time between two health requests while the server starts. */
const START_PAUSE = SECOND / 4;
/** Time between two health requests while the server is up and idle. */
const IDLE_PAUSE = 5 * SECOND;
/** Time limit of a response. A slower server counts as one that does not respond. */
const RESPONSE_LIMIT = 5 * SECOND;
/** Number of failures in a row after which the server gets no more jobs. */
const MAX_FAILURES = 3;

export interface Health {
  /**
   * Waits until the server can take jobs.
   * @returns a signal that aborts when it no longer can
   */
  up(): Promise<AbortSignal>;
  /** Whether the server answers at its health path, with 200 or another status. */
  answers(): Promise<boolean>;
  /** Reports that the server is down. It can take no job until it answers with 200 again. */
  gone(): void;
  /** Resolves with a sentence when the server has been down for longer than it may take to start. */
  readonly lost: Promise<string>;
}

/** What the watch needs of the agent. */
export interface HealthHost {
  readonly clock: Pick<Clock, 'now'>;
  pause(milliseconds: number, signal: AbortSignal): Promise<unknown>;
  /**
   * Returns whether no job runs. Failed requests count only while no job runs, because a busy server may be unable to
   * respond.
   */
  isIdle(): boolean;
}

/**
 * Begins to watch the server.
 * @param ended aborts to stop the watch
 */
export function watchHealth(server: Server, { clock, pause, isIdle }: HealthHost, ended: AbortSignal): Health {
  const { port, healthPath: path, startTimeout } = server;
  const { promise: lost, resolve: reportLost } = Promise.withResolvers<string>();
  let up = Promise.withResolvers<AbortSignal>();
  let down: AbortController | undefined;

  function markDown(): void {
    if (!down) return;
    up = Promise.withResolvers();
    down.abort();
    down = undefined;
  }

  /** Returns the status of the response, or the reason why there is none. */
  async function ask(): Promise<number | string> {
    try {
      const signal = AbortSignal.any([ended, AbortSignal.timeout(RESPONSE_LIMIT)]);
      const response = await callServer({ port, path, signal });
      response.resume();
      return response.statusCode ?? 0;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /**
   * Waits until the server is up, or the watch ends.
   * @returns the last response, if the server was down for too long while no job ran
   */
  async function waitUntilUp(): Promise<number | string | undefined> {
    let since = clock.now();
    for (;;) {
      const response = await ask();
      if (response === 200 || ended.aborted) return undefined;
      if (!isIdle()) since = clock.now();
      else if (clock.now() - since >= startTimeout) return response;
      await pause(START_PAUSE, ended);
    }
  }

  /**
   * Waits until the server is down.
   * @param reported aborts when `gone` reports that the server is down
   */
  async function waitUntilDown(reported: AbortSignal): Promise<void> {
    const until = AbortSignal.any([reported, ended]);
    let failures = 0;
    while (failures < MAX_FAILURES && !until.aborted) {
      await pause(IDLE_PAUSE, until);
      const hasFailed = isIdle() && (await ask()) !== 200;
      failures = hasFailed ? failures + 1 : 0;
    }
    markDown();
  }

  async function watch(): Promise<void> {
    while (!ended.aborted) {
      const lastResponse = await waitUntilUp();
      if (lastResponse !== undefined) {
        const detail = typeof lastResponse === 'number' ? `its last answer was ${lastResponse}` : lastResponse;
        return reportLost(
          `The server did not answer ${path} on port ${port} with 200 within ${startTimeout} ms: ${detail}.`,
        );
      }
      down = new AbortController();
      up.resolve(down.signal);
      await waitUntilDown(down.signal);
    }
  }

  void watch();
  return {
    up: () => up.promise,
    answers: async () => typeof (await ask()) === 'number',
    gone: markDown,
    lost,
  };
}
