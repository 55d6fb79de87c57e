/** Web pages of another origin as clients: off, unless the context `corsOrigin` names the one that may call. */
import { Duration } from 'aws-cdk-lib';
import type { IResource } from 'aws-cdk-lib/aws-apigateway';
import type { IConstruct } from 'constructs';
import { methodsByPath, type Route } from '../../core/routes.ts';
import { InvalidSetting } from '../settings/settings.ts';

const SETTING = 'corsOrigin';

/** `*`, or an origin as browsers send it: without a path, a slash at its end, or a port that goes without saying. */
function isOrigin(value: unknown): value is string {
  if (value === '*') return true;
  if (typeof value !== 'string' || !/^https?:\/\/[a-z0-9.:[\]-]+$/.test(value)) return false;
  return URL.canParse(value) && new URL(value).origin === value;
}

/**
 * One origin, because a gateway response can hold a constant and cannot choose from a list.
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

/** Lets browsers ask before they send what a form could not: without a key, because they send none then. */
function addPreflight(resource: IResource, origin: string, methods: readonly string[], headers: string[]): void {
  resource.addCorsPreflight({
    allowOrigins: [origin],
    allowMethods: [...methods],
    allowHeaders: headers,
    maxAge: Duration.hours(1),
  });
}

/** Routes may share a path; they are asked for together. */
export function addPreflights(
  root: IResource,
  origin: string,
  routes: readonly Pick<Route, 'path' | 'methods' | 'anyHeader'>[],
): void {
  const anyHeader = new Set(routes.filter((route) => route.anyHeader).map(({ path }) => path));
  for (const [path, methods] of methodsByPath(routes)) {
    // `*` does not stand for `Authorization`.
    const headers = anyHeader.has(path) ? ['Authorization', '*'] : ['Authorization', 'Content-Type', 'Idempotency-Key'];
    addPreflight(root.resourceForPath(path), origin, methods, headers);
  }
}
