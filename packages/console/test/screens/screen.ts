/** Defines the screens of the console and their states, each with the service's responses. */
import type { Locator, Page } from 'playwright-core';
import type { Error as JobError, Schemas as JobSchemas } from '../../api/job-types.ts';
import type { Schemas as ManagementSchemas } from '../../api/management-types.ts';
import type { Role } from '../sign-in.ts';

type Schemas = JobSchemas & ManagementSchemas;

export interface Answer {
  readonly status: number;
  /** Body of the response. */
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Reply to a call that gets no response while the page is shown. */
export const held = 'held';

/** Reply to a call that cannot reach the service. */
export const unreachable = 'unreachable';

export type Reply = Answer | typeof held | typeof unreachable;

/**
 * Replies by method and path, such as `GET /v2/echo/health`; `*` matches a path segment. The replies of a list are
 * used in order, and its last reply is repeated. A function receives the URL.
 */
export type Answers = Readonly<Record<string, Reply | readonly Reply[] | ((url: URL) => Reply)>>;

export interface State {
  /** Name of the state. The names of the screen and the state form the names of the pictures. */
  readonly name: string;
  /** Path below `/console`. */
  readonly path: string;
  /** @default - admin */
  readonly role?: Role;
  /**
   * Replies in addition to those of the screen. A call without a reply is a problem. The service itself replies to
   * calls for the session and the OpenAPI descriptions.
   */
  readonly answers?: Answers;
  /** Performs the user's actions after the page has loaded. */
  readonly act?: (page: Page) => Promise<void>;
  /** Text or control that the page then shows. */
  readonly shows: (page: Page) => Locator;
  /** Messages of the browser that the state causes, in addition to those of refused calls. */
  readonly expected?: readonly RegExp[];
}

export interface Screen {
  readonly name: string;
  readonly answers: Answers;
  readonly states: readonly State[];
}

/** Creates a response with status 200. The generated types check its body. */
export const ok = <Name extends keyof Schemas>(body: Schemas[Name]): Answer => text(JSON.stringify(body));

/** Creates a response with this exact body, for bodies without a schema or with exact digits. */
export const text = (body: string): Answer => ({ status: 200, text: body });

export const refused = (
  status: number,
  code: JobError['code'],
  error: string,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  status,
  text: JSON.stringify({ error, code, requestId: '7b1f0c2e-5a44-4d3b-9c0a-1f2e3d4c5b6a' }),
  headers,
});

export const tooMany = refused(429, 'TOO_MANY_REQUESTS', 'This operation has a rate limit. Try again in 30 s.', {
  'retry-after': '30',
});

export const failed = refused(500, 'INTERNAL', 'The service failed. Try again.');

export const expired = refused(401, 'TOKEN_EXPIRED', 'The token has expired. Sign in again.');

export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
