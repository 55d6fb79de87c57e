/** Calls the interfaces of a deployment over HTTP. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from '../../core/authorizer/caller.ts';
import { stages } from '../../core/operations/routes.ts';
import { nearestName } from '../../lib/settings/nearest.ts';
import { DEV, LOCAL } from '../environment-name.ts';
import { missingIn, remedyOf } from './permissions.ts';
import type { Service } from './service.ts';

/** Longest time without an answer, in milliseconds. The longest call waits for 300 s. */
const PATIENCE = 330_000;

/** How often a call is repeated that exceeds a rate limit: such a call has changed nothing. */
const REPEATS = 5;

/** The answer of the service to a call that it refuses, or that no service is there. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  /** Code of the service, or `UNREACHABLE`. */
  readonly code: string;

  constructor(message: string, { code, ...options }: ErrorOptions & { readonly code: string }) {
    super(message, options);
    this.code = code;
  }
}

interface Refusal {
  readonly error?: string;
  readonly code?: string;
  readonly requestId?: string;
}

export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the call early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Calls one interface: the one for jobs, or the one for management. */
export type Interface = keyof typeof stages;

const withoutKey = ({ key }: Service, message: string) => message.replaceAll(key, 'API_KEY');

async function fetched(service: Service, address: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    init.signal?.throwIfAborted();
    const { cause, message } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    const remedy =
      service.name === LOCAL ? `Does \`${DEV}\` still run?` : 'Check the address with `npx gpu-endpoints profiles`.';
    throw new CallFailed(
      withoutKey(service, `${address.origin} cannot be reached: ${reason || 'no answer'}. ${remedy}`),
      {
        code: 'UNREACHABLE',
        cause: error,
      },
    );
  }
}

/** Returns the body, which is text if something between this machine and the service has answered. */
async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return { error: `${response.url} answered ${response.status} with a body that is not JSON` };
  }
}

/** Returns the names that exist, with the nearest one first if it is close to the name that does not exist. */
export function suggestion(name: string, existing: readonly string[]): string {
  if (existing.length === 0) return 'There is none.';
  const nearest = nearestName(name, existing);
  return nearest === undefined ? `There are ${existing.join(', ')}.` : `Did you mean ${nearest}?`;
}

async function endpointsNear(service: Service, path: string): Promise<string> {
  const [, name = ''] = /^\/(?:endpoints\/)?([^/]+)/.exec(path) ?? [];
  const { endpoints } = await call<{ endpoints: readonly { id: string }[] }>(
    service,
    'management',
    'GET',
    '/endpoints',
  );
  return suggestion(
    decodeURIComponent(name),
    endpoints.map(({ id }) => id),
  );
}

/** Returns what the key may do and how to get another, if the service refuses an operation or an endpoint. */
async function explained(service: Service, refusal: string): Promise<string> {
  const missing = missingIn(refusal);
  if (missing === undefined) return '';
  const session = await call<Session>(service, 'management', 'GET', '/session').catch(() => undefined);
  return session === undefined ? '' : ` ${remedyOf(missing, session)}`;
}

async function refused(service: Service, path: string, status: number, body: unknown): Promise<CallFailed> {
  const { error = `The service answered ${status}.`, code = String(status), requestId } = body as Refusal;
  const request = requestId === undefined ? '' : `, request ${requestId}`;
  const near = code === 'ENDPOINT_NOT_FOUND' ? ` ${await endpointsNear(service, path).catch(() => '')}` : '';
  const permission = status === 401 || status === 403 ? await explained(service, error) : '';
  return new CallFailed(withoutKey(service, `${error}${near}${permission} (${code}${request})`), { code });
}

/**
 * Calls the service. A call that exceeds a rate limit is repeated after the time that the service names.
 * @param path below the address of the interface, such as `/echo/run`
 * @throws CallFailed if the service refuses the call or cannot be reached
 */
export async function call<Answer>(
  service: Service,
  to: Interface,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { query = {}, body, headers, signal }: CallOptions = {},
): Promise<Answer> {
  const address = new URL(`${service.url}/${stages[to]}${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) address.searchParams.set(name, String(value));
  for (let repeats = 0; ; repeats += 1) {
    const limit = AbortSignal.timeout(PATIENCE);
    const response = await fetched(service, address, {
      method,
      headers: {
        Authorization: `Bearer ${service.key}`,
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    const answer = await bodyOf(response);
    const seconds = Number(response.headers.get('retry-after'));
    if (response.ok) return answer as Answer;
    if (response.status !== 429 || !seconds || repeats === REPEATS)
      throw await refused(service, path, response.status, answer);
    await pause(seconds * 1000, undefined, signal && { signal });
  }
}

/** Returns a segment of a path, in which an id cannot become two segments. */
export const segment = (id: string): string => encodeURIComponent(id);
