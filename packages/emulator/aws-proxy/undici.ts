/**
 * The parts of undici that the proxy needs. The entry of the package also loads fetch, WebSocket and caches, which takes
 * a sixth of the time in which `npm start` loads its modules. The paths fit the pinned version only.
 */
import { createRequire } from 'node:module';
import type * as undici from 'undici';

const load = createRequire(import.meta.url);

export type Pool = undici.Pool;
export const Pool = load('undici/lib/dispatcher/pool.js') as typeof undici.Pool;

interface Api {
  /** The entry of the package makes this function a method of every dispatcher. */
  request(this: undici.Dispatcher, options: undici.Dispatcher.RequestOptions): Promise<undici.Dispatcher.ResponseData>;
}

const api = load('undici/lib/api/index.js') as Api;

/** Sends a request. */
export const request = (dispatcher: undici.Dispatcher, options: undici.Dispatcher.RequestOptions) =>
  api.request.call(dispatcher, options);
