/** Serves the stages of all REST APIs, each below its name, and a page at `/`. */

import { randomUUID } from 'node:crypto';
import type { Metrics } from '../cloudwatch/metrics.ts';
import type { Functions } from '../functions/functions.ts';
import { LocalError } from '../local-error.ts';
import { type Listener, send } from '../network/address.ts';
import type { SlowBodies } from '../product.ts';
import type { Answer } from './authorize.ts';
import { type Pace, SlowBody } from './body.ts';
import { createDecisionCache } from './decision-cache.ts';
import type { HttpAnswer } from './gateway-response.ts';
import { answer, refusePath } from './handle.ts';
import type { Api } from './model.ts';
import { type IncomingRequest, incomingRequest, readRequest } from './request.ts';
import { createThrottle } from './throttle.ts';

export interface Gateway {
  /**
   * Handles a request from the distribution.
   * @throws if the request body is incomplete
   */
  readonly answer: (request: IncomingRequest) => Promise<HttpAnswer>;
  /** Handles requests from clients that call API Gateway directly. */
  readonly listener: Listener;
}

/** Returns the API that responds to requests for a stage that does not exist. */
function apiOf(apis: ReadonlyMap<string, Api>): Api {
  const [api] = apis.values();
  if (!api) throw new LocalError('No API is deployed.');
  return api;
}

/** Characters that a URL cannot contain. */
const UNSAFE = /["<>\\^`{|}\s]|[^\x21-\x7e]/g;

/** Splits a URL: `/v2/echo/run?x=1` is path `/echo/run` and query `x=1` of stage `v2`. */
function split(url: string): { stage: string; path: string; query: string } {
  const [path = '', ...query] = url.replace(UNSAFE, encodeURIComponent).split('?');
  const [, stage = '', ...rest] = path.split('/');
  return { stage, path: `/${rest.join('/')}`, query: query.join('?') };
}

export interface GatewayOptions {
  /** Returns the page at `/`. */
  readonly page: () => string;
  /** @default - bodies of any pace are read */
  readonly slowBodies?: SlowBodies | undefined;
  /**
   * The clock of the rate limits, of the authorizer's cache and of bodies, in milliseconds.
   * @default - the real time
   */
  readonly now?: (() => number) | undefined;
  /**
   * Replaces the pauses in which a body must make progress.
   * @default - real time
   */
  readonly pause?: Pace['pause'] | undefined;
  /** @default - requests are not measured */
  readonly metrics?: Pick<Metrics, 'put'> | undefined;
}

export function createGateway(
  apis: ReadonlyMap<string, Api>,
  functions: Functions,
  { page, slowBodies, now, pause, metrics }: GatewayOptions,
): Gateway {
  const parts = { functions, throttle: createThrottle(now), decisions: createDecisionCache<Answer>(now) };
  const pace = slowBodies && { ...slowBodies, now: now ?? Date.now, pause };
  const count = ({ name: ApiName, stage: Stage }: Api, { status }: HttpAnswer) => {
    const kind = Math.floor(status / 100);
    const counts = { Count: 1, '4XXError': kind === 4 ? 1 : 0, '5XXError': kind === 5 ? 1 : 0 };
    for (const dimensions of [{ ApiName }, { ApiName, Stage }]) metrics?.put('AWS/ApiGateway', dimensions, counts);
  };
  const answerOf = async (incoming: IncomingRequest): Promise<HttpAnswer> => {
    const { stage, path, query } = split(incoming.url);
    if (stage === '') return { status: 200, headers: [['Content-Type', 'text/html; charset=utf-8']], body: page() };
    const api = apis.get(stage);
    const id = randomUUID();
    try {
      const request = await readRequest(incoming, { id, path, query }, pace);
      // In AWS, the host of API Gateway responds to an unknown stage with 403 `{"message":"Forbidden"}`.
      const answered = await (api ? answer(parts, api, request) : refusePath(apiOf(apis), request));
      if (api) count(api, answered);
      return answered;
    } catch (error) {
      if (!slowBodies || !(error instanceof SlowBody)) throw error;
      const body = slowBodies.answer(error.received, id);
      const headers = [
        ['Content-Type', 'application/json'],
        ['X-Content-Type-Options', 'nosniff'],
      ] as const;
      return { status: 408, headers, body };
    }
  };
  return {
    answer: answerOf,
    listener: async (incoming, outgoing) => send(outgoing, await answerOf(incomingRequest(incoming))),
  };
}
