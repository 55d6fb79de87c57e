/** Whether the user's HTTP server can take jobs. */
import type { Clock } from '../../core/clock.ts';
import { SECOND } from '../../core/limits.ts';
import type { Server } from '../../core/workers/server.ts';
import { callServer } from './request.ts';

/** Between two questions, while it starts and while it is idle. */
const START_PAUSE = SECOND / 4;
const IDLE_PAUSE = 5 * SECOND;
/** Who does not answer within this time has not answered. */
const ANSWER_LIMIT = 5 * SECOND;
/** It may fail to answer this often in a row before it is given nothing more, less one. */
const MOST_FAILURES = 3;

export interface Health {
  /** Waits until the server can take jobs. @returns aborts once it no longer can */
  up(): Promise<AbortSignal>;
  /** Whether it answers its health path at all, with 200 or not. */
  answers(): Promise<boolean>;
  /** It is not there: it can take no job until it answers with 200 again. */
  gone(): void;
  /** Resolves with a sentence when that takes longer than the server may take to start. */
  readonly lost: Promise<string>;
}

export interface HealthHost {
  readonly clock: Pick<Clock, 'now'>;
  pause(milliseconds: number, signal: AbortSignal): Promise<unknown>;
  /** Whether no job runs. A server that computes may well be unable to answer. */
  isIdle(): boolean;
}

/** @param ended ends the watch */
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

  /** The status of an answer, or why there is none. */
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

  /** @returns what the server said last, if that took too long */
  async function becomeUp(): Promise<number | string | undefined> {
    let since = clock.now();
    for (;;) {
      const said = await ask();
      if (said === 200 || ended.aborted) return undefined;
      // A server that still answers other requests is not dead.
      if (!isIdle()) since = clock.now();
      else if (clock.now() - since >= startTimeout) return said;
      await pause(START_PAUSE, ended);
    }
  }

  /** @param down aborts when it is known to be down */
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
