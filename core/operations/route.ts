/** The form of a route and of its limit. */

/** Permissions of keys for templates, independent of their endpoints and operations. */
export const templateScopes = ['templates:read', 'templates:write', 'templates:secrets'] as const;

export type TemplateScope = (typeof templateScopes)[number];

/** A rate limit per endpoint and operation (docs/explanation/limits.md). */
export interface RouteLimit {
  /** Number of requests in 10 seconds that are never refused, even if all arrive at once. */
  readonly per10Seconds: number;
  /**
   * Number of concurrent requests that the contract allows. Only requests that wait for a job count; if the limit is
   * exact, all requests count.
   * @default - concurrent requests are not counted (docs/explanation/limits.md)
   */
  readonly concurrent?: number;
  /** Whether the handler counts the calls, so that no window of 10 seconds admits more than the limit. */
  readonly exact?: boolean;
}

export interface Route {
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[];
  /**
   * Path below the base address. `{endpoint}`, `{job}`, `{template}` and `{key}` are parameters, and `{path+}`
   * matches all remaining segments.
   */
  readonly path: string;
  readonly limit: RouteLimit;
  /** Whether the response is streamed, without API Gateway's limits of 10 MB and 29 seconds. */
  readonly streamed?: boolean;
  /**
   * Whether CORS allows all headers, because OpenAI's clients send their version and platform in additional headers.
   * @default false
   */
  readonly anyHeader?: boolean;
  /** The scope that a key must have, regardless of its operations. */
  readonly scope?: TemplateScope;
  /**
   * `users`: only users who have signed in to the console, and no API keys. `all`: all keys and users, regardless of
   * their permissions.
   * @default - keys that cover the operation, and users by role
   */
  readonly audience?: 'users' | 'all';
}
