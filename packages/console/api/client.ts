/** Sends requests to the interfaces of this origin with the session's token. */
import type { SignIn } from '../session/sign-in.ts';
import { connection, setConnection } from './connection.ts';
import { ApiError, errorOf, unreachable } from './error.ts';

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  /** JSON text, sent unchanged so that numbers keep their digits. */
  readonly text?: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Client {
  /** @throws ApiError if the response is not 2xx, if there is no response, or if the browser is offline */
  send(path: string, options?: RequestOptions): Promise<Response>;
  /**
   * Returns the JSON of the response.
   * @throws ApiError
   */
  json<T>(path: string, options?: RequestOptions): Promise<T>;
  /**
   * Returns the response as text, so that numbers keep their digits.
   * @throws ApiError
   */
  text(path: string, options?: RequestOptions): Promise<string>;
}

function addressOf(path: string, query: RequestOptions['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Operation that every valid token may call. */
const SESSION = '/v1/session';

const isBrowserOffline = () => globalThis.navigator?.onLine === false;

/** Records in the page's connection state that the session has expired or that the browser is offline. */
function applied(error: ApiError): ApiError {
  if (error.needsSignIn) setConnection({ isExpired: true });
  if (error.status === 0 && isBrowserOffline()) setConnection({ isOffline: true });
  return error;
}

/** @returns whether the service accepts the token */
async function accepts(token: string): Promise<boolean> {
  const response = await fetch(SESSION, { headers: { Authorization: `Bearer ${token}` } }).catch(() => undefined);
  return response?.ok === true;
}

export function createClient(signIn: Pick<SignIn, 'token'>): Client {
  async function send(path: string, options: RequestOptions = {}): Promise<Response> {
    const { method = 'GET', body, text, query, headers, signal } = options;
    // Without this check, pending timers and retries would still send requests.
    if (connection().isOffline && isBrowserOffline()) throw unreachable(new Error('the browser is offline.'));
    const token = await signIn.token();
    if (token === undefined)
      throw applied(new ApiError('Sign in to continue.', { status: 401, code: 'TOKEN_EXPIRED' }));
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(addressOf(path, query), {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(content !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(content !== undefined && { body: content }),
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw applied(unreachable(error));
    });
    if (!response.ok) throw applied(await errorOf(response, () => accepts(token)));
    return response;
  }

  return {
    send,
    json: async <T>(path: string, options?: RequestOptions) => (await (await send(path, options)).json()) as T,
    text: async (path, options) => (await send(path, options)).text(),
  };
}
