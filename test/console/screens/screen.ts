/** A screen of the console and the states that it can be in, each with the service's answers. */
import type { Locator, Page } from 'playwright-core';
import type { Error as JobError, Schemas as JobSchemas } from '../../../console/api/job-types.ts';
import type { Schemas as ManagementSchemas } from '../../../console/api/management-types.ts';
import type { Role } from '../sign-in.ts';

type Schemas = JobSchemas & ManagementSchemas;

export interface Answer {
  readonly status: number;
  /** As it is sent. */
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call that is not answered while the page is shown. */
export const held = 'held';

/** A call that finds no service. */
export const unreachable = 'unreachable';

export type Reply = Answer | typeof held | typeof unreachable;

/**
 * Answers by what is called: a method and a path, such as `GET /v2/echo/health`; `*` is a part of a path.
 * A list is answered in its order, and its last one again and again. A function gets the address.
 */
export type Answers = Readonly<Record<string, Reply | readonly Reply[] | ((url: URL) => Reply)>>;

export interface State {
  /** With the name of the screen that of its pictures. */
  readonly name: string;
  /** Below `/console`. */
  readonly path: string;
  /** @default - admin */
  readonly role?: Role;
  /**
   * Added to those of the screen. A call without an answer is a problem; that of the session is answered by the
   * service.
   */
  readonly answers?: Answers;
  /** Acts as the user does when the page is loaded. */
  readonly act?: (page: Page) => Promise<void>;
  /** The text or control that the page shows then. */
  readonly shows: (page: Page) => Locator;
  /** Messages that the browser has for it, beside those of refused calls. */
  readonly expected?: readonly RegExp[];
}

export interface Screen {
  readonly name: string;
  readonly answers: Answers;
  readonly states: readonly State[];
}

/** @param Schema of the body, from the generated types */
export const ok = <Name extends keyof Schemas>(body: Schemas[Name]): Answer => text(JSON.stringify(body));

/** A body that no schema describes, or whose very characters count. */
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
