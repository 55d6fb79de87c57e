/** Watches whether the user's HTTP server can take jobs. */
import type { Clock } from '../../core/clock.ts';
import { SECOND } from '../../core/limits.ts';
import type { Server } from '../../core/workers/server.ts';
import { callServer } from './request.ts';

/** Time between two health requests, while the server starts and while it is idle. */
const START_PAUSE = SECOND / 4;
const IDLE_PAUSE = 5 * SECOND;
/** Time limit of a response. A slower server counts as one that does not answer. */
const ANSWER_LIMIT = 5 * SECOND;
/** Number of failures in a row after which the server gets no more jobs. */
const MOST_FAILURES = 3;

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

export interface HealthHost {
  readonly clock: Pick<Clock, 'now'>;
  pause(milliseconds: number, signal: AbortSignal): Promise<unknown>;
  /** Returns whether no job runs. A server that computes may be unable to answer. */
  isIdle(): boolean;
}

/** @param ended aborts to stop the watch */
export function watchHealth(server: Server, { clock, pause, isIdle }: HealthHost, ended: AbortSignal): Health {
  const { port, healthPath: path, startTimeout } = server;
  const { promise: lost, resolve: isLost } = Promise.withResolvers<string>();
  let up = Promise.withResolvers<AbortSignal>();
  let down: AbortController | undefined;

  function turnDown(): void {
    if (!down) return;
    up = Promise.withResolvers();
    down.abort();
    down = undefined;
  }

  /** Returns the status of the response, or the reason why there is none. */
  async function ask(): Promise<number | string> {
    try {
      const signal = AbortSignal.any([ended, AbortSignal.timeout(ANSWER_LIMIT)]);
      const response = await callServer({ port, path, signal });
      response.resume();
      return response.statusCode ?? 0;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /**
   * Waits until the server is up.
   * @returns its last response, if the start took too long
   */
  async function becomeUp(): Promise<number | string | undefined> {
    let since = clock.now();
    for (;;) {
      const said = await ask();
      if (said === 200 || ended.aborted) return undefined;
      // The limit does not apply while jobs run, because a server that computes might not answer.
      if (!isIdle()) since = clock.now();
      else if (clock.now() - since >= startTimeout) return said;
      await pause(START_PAUSE, ended);
    }
  }

  /**
   * Waits until the server is down.
   * @param down aborts when another call has found the server down
   */
  async function becomeDown(down: AbortSignal): Promise<void> {
    const until = AbortSignal.any([down, ended]);
    for (let failures = 0; failures < MOST_FAILURES && !until.aborted; ) {
      await pause(IDLE_PAUSE, until);
      failures = isIdle() && (await ask()) !== 200 ? failures + 1 : 0;
    }
    turnDown();
  }

  async function watch(): Promise<void> {
    while (!ended.aborted) {
      const said = await becomeUp();
      if (said !== undefined) {
        const answer = typeof said === 'number' ? `its last answer was ${said}` : said;
        return isLost(
          `The server did not answer ${path} on port ${port} with 200 within ${startTimeout} ms: ${answer}.`,
        );
      }
      down = new AbortController();
      up.resolve(down.signal);
      await becomeDown(down.signal);
    }
  }

  void watch();
  return {
    up: () => up.promise,
    answers: async () => typeof (await ask()) === 'number',
    gone: turnDown,
    lost,
  };
}
