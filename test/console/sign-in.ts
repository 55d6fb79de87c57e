/** Signs in to the console. Until `npm start` has an issuer, this file is the issuer, and calls carry the key of the service. */
import type { Page } from 'playwright-core';
import { jobRoutes, managementRoutes, type Route } from '../../core/routes.ts';
import type { LocalService } from '../acceptance/local-service.ts';

export type Role = 'viewer' | 'operator' | 'admin';

const LIFE = 900;
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Unsigned: the page reads it, and does not check the signature. */
function idToken(issuer: string): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: 'console', sub: 'user', iat: now, exp: now + LIFE };
  return `${encoded({ alg: 'none' })}.${encoded(claims)}.x`;
}

const ISSUER = /amazoncognito\.com/;

/** Answers in the place of the sign-in pages. */
async function standIn(page: Page): Promise<void> {
  await page.route(ISSUER, async (route) => {
    const url = new URL(route.request().url());
    const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };
    if (url.pathname === '/oauth2/authorize') {
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', 'code');
      back.searchParams.set('state', url.searchParams.get('state') ?? '');
      await route.fulfill({ status: 302, headers: { Location: back.href } });
      return;
    }
    const tokens = { access_token: 'stand.in.token', refresh_token: 'refresh', token_type: 'Bearer', expires_in: LIFE };
    const body = JSON.stringify({ ...tokens, id_token: idToken(url.origin) });
    await route.fulfill({ status: 200, headers, contentType: 'application/json', body });
  });
}

const operations: readonly (readonly [operation: string, route: Route])[] = Object.entries({
  ...jobRoutes,
  ...managementRoutes,
});
const mayCall = (role: Role) =>
  operations.filter(([, { methods }]) => role !== 'viewer' || methods.includes('GET')).map(([operation]) => operation);

/** Opens the console as a user of the role, and waits for its first page. @param path below `/console` */
export async function signIn(page: Page, service: LocalService, role: Role, path = '/'): Promise<void> {
  await standIn(page);
  const { origin } = new URL(service.JobApiUrl);
  const session = { user: `the ${role}`, groups: [role], owner: 'platform', operations: mayCall(role) };
  await page.route(`${origin}/v1/session`, (route) => route.fulfill({ json: session }));
  await page.route(
    (url) => url.origin === origin && /^\/v[12]\//.test(url.pathname) && url.pathname !== '/v1/session',
    (route) => route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${service.ApiKey}` } }),
  );
  await page.goto(`${origin}/console${path}`);
  await page.locator('#console-header').waitFor();
}
