/** CORS: off, unless the context `corsOrigin` names the origin whose web pages may call the interfaces. */
import { Duration } from 'aws-cdk-lib';
import type { IResource } from 'aws-cdk-lib/aws-apigateway';
import type { IConstruct } from 'constructs';
import { methodsByPath, type Route } from '../../core/operations/routes.ts';
import type { Setting } from '../settings/field-text.ts';
import { InvalidSetting } from '../settings/settings.ts';

const SETTING = 'corsOrigin';

/**
 * Reports whether a value is `*` or an origin in the notation of browsers: without path, trailing slash and default
 * port.
 */
function isOrigin(value: unknown): value is string {
  if (value === '*') return true;
  if (typeof value !== 'string' || !/^https?:\/\/[a-z0-9.:[\]-]+$/.test(value)) return false;
  return URL.canParse(value) && new URL(value).origin === value;
}

/**
 * Returns the origin that CORS allows, or undefined. There is only one origin, because a gateway response can contain
 * a constant and cannot choose from a list.
 * @throws InvalidSetting
 */
export function corsOriginOf(scope: IConstruct): string | undefined {
  const value: unknown = scope.node.tryGetContext(SETTING);
  if (value === undefined || value === '') return undefined;
  if (isOrigin(value)) return value;
  throw new InvalidSetting(
    `The context \`${SETTING}\` must be one origin such as https://console.example.com, or *, got ${JSON.stringify(value)}.`,
  );
}

export const corsOriginSetting: Setting = {
  read: corsOriginOf,
  text: {
    description: 'Origin whose web pages can call the interfaces.',
    type: 'string',
    without: 'no origin',
    allowed: 'one origin, such as `https://console.example.com`, or `*`',
    guide: 'webPages',
  },
};

/**
 * Adds the method that answers preflight requests. The method needs no key, because browsers send none with
 * preflights.
 */
function addPreflight(resource: IResource, origin: string, methods: readonly string[], headers: string[]): void {
  resource.addCorsPreflight({
    allowOrigins: [origin],
    allowMethods: [...methods],
    allowHeaders: headers,
    maxAge: Duration.hours(1),
  });
}

/** Headers of requests that a page may send. */
const named = ['Content-Type', 'Idempotency-Key', 'traceparent'];

/** Adds one preflight method to each path; the method covers all routes that share the path. */
export function addPreflights(
  root: IResource,
  origin: string,
  routes: readonly Pick<Route, 'path' | 'methods' | 'anyHeader'>[],
): void {
  const anyHeader = new Set(routes.filter((route) => route.anyHeader).map(({ path }) => path));
  for (const [path, methods] of methodsByPath(routes)) {
    // `*` does not include `Authorization`.
    const headers = ['Authorization', ...(anyHeader.has(path) ? ['*'] : named)];
    addPreflight(root.resourceForPath(path), origin, methods, headers);
  }
}
