/** Tests users of the console over HTTP: the link in the terminal, PKCE, tokens, roles and limits. */
import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newSigningKey, type SigningKey, tokenOf } from '../users/issuer.ts';
import { sharedAssembly } from './assembly.ts';
import { type Answer, call, type LocalService, newStateDir, startService, stopService } from './local-service.ts';
import { signInAs, type Tokens } from './user-token.ts';

let service: LocalService;
let origin: string;
/** Tokens by user group. */
const tokens = new Map<string, Tokens>();

const post = (path: string, form: Readonly<Record<string, string>>, headers: Record<string, string> = {}) =>
  fetch(`${origin}/cognito/${path}`, { method: 'POST', headers, body: new URLSearchParams(form), redirect: 'manual' });

/** Returns the claims of a token without verifying it. */
const claimsIn = (token = '') =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Readonly<Record<string, unknown>>;

beforeAll(async () => {
  service = await startService(newStateDir(), { args: ['--assembly', await sharedAssembly()] });
  origin = new URL(service.JobApiUrl).origin;
  const opened = await fetch(service.ConsoleUrl, { redirect: 'manual' });
  expect(opened.headers.get('location')).toBe(`${origin}/console/`);
  for (const group of ['viewer', 'operator', 'admin']) tokens.set(group, await signInAs(service, group));
}, 120_000);
afterAll(() => stopService(service));

const ask = (token: string | undefined, method: string, path: string, body?: string): Promise<Answer> =>
  call(service, method, `${origin}${path}`, { headers: { Authorization: `Bearer ${token}` }, ...(body && { body }) });

const as = (group: string, method: string, path: string, body?: string) =>
  ask(tokens.get(group)?.access_token, method, path, body);

const outcome = async (answer: Promise<Answer>) => {
  const { status, json } = await answer;
  return [status, json.code];
};

describe('a user who has signed in', () => {
  it.each([
    ['viewer', ['viewer'], expect.stringMatching(/^user:[0-9a-f-]{36}$/)],
    ['operator', ['operator'], expect.stringMatching(/^user:[0-9a-f-]{36}$/)],
    ['admin', ['admin'], 'platform'],
  ])('receives a session with the permissions of the role %s', async (user, groups, owner) => {
    const { status, json } = await as(user, 'GET', '/v1/session');
    expect(status).toBe(200);
    expect(json).toMatchObject({ user, groups, owner, endpoints: ['*'] });
    expect((json.operations as string[]).includes('run')).toBe(user !== 'viewer');
    expect((json.operations as string[]).includes('purge-queue')).toBe(user === 'admin');
  });

  it('can call the operations of the role; other calls are refused, and the error names the groups that can call', async () => {
    const submitted = await as('operator', 'POST', '/v2/echo/run', '{"input":{"text":"hello"}}');
    expect(submitted.status).toBe(200);
    const status = `/v2/echo/status/${submitted.json.id}`;
    for (const group of ['viewer', 'operator', 'admin']) expect((await as(group, 'GET', status)).status).toBe(200);

    const refused = await as('viewer', 'POST', '/v2/echo/run', '{"input":{}}');
    expect([refused.status, refused.json.code]).toEqual([401, 'NOT_PERMITTED']);
    expect(refused.json.error).toContain('The operation run needs the group operator or admin.');
    expect(await outcome(as('operator', 'POST', '/v2/echo/purge-queue'))).toEqual([401, 'NOT_PERMITTED']);
    expect((await as('admin', 'POST', '/v2/echo/purge-queue')).status).toBe(200);
  });

  it('can make a call that waits, which the ingress serves', async () => {
    const { status, json } = await as('operator', 'POST', '/v2/echo/runsync', '{"input":{"text":"hello"}}');
    expect([status, json.status]).toEqual([200, 'COMPLETED']);
  });

  it('can renew the token, and sign out', async () => {
    const { refresh_token: first = '', access_token: access } = tokens.get('viewer') ?? {};
    const client_id = String(claimsIn(access).client_id);
    const renewed = await post('oauth2/token', { grant_type: 'refresh_token', client_id, refresh_token: first });
    const { access_token: next, refresh_token: second = '' } = (await renewed.json()) as Record<string, string>;
    expect((await ask(next, 'GET', '/v1/session')).json.user).toBe('viewer');
    await post('oauth2/revoke', { client_id, token: second });
    const again = await post('oauth2/token', { grant_type: 'refresh_token', client_id, refresh_token: second });
    expect(again.status).toBe(400);
  });

  it('cannot send a large body directly to the ingress, and the error explains why', async () => {
    const large = JSON.stringify({ input: 'x'.repeat(3_100_000) });
    const { status, json } = await as('operator', 'POST', '/v2/echo/run', large);
    expect([status, json.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(json.error).toContain('needs an API key instead of the access token of a user. Send it from a program with');
  });
});

describe('a token', () => {
  /** Returns a token with changed claims, signed by the issuer's key or by another key. */
  function forged(
    changes: object,
    key: 'its own' | 'another' = 'its own',
    header: Readonly<Record<string, unknown>> = {},
  ): string {
    const kept = JSON.parse(readFileSync(join(service.stateDir, 'cognito.json'), 'utf8')) as {
      kid: string;
      key: JsonWebKey;
    };
    const own: SigningKey = {
      kid: kept.kid,
      jwk: kept.key,
      privateKey: createPrivateKey({ key: kept.key, format: 'jwk' }),
    };
    const claims = { ...claimsIn(tokens.get('admin')?.access_token), ...changes };
    return tokenOf(claims, key === 'its own' ? own : newSigningKey(kept.kid), header);
  }
  const seconds = (from: number) => Math.floor(Date.now() / 1000) + from;

  it("is valid if it is signed by the issuer's key and has the claims of an admin", async () => {
    expect((await ask(forged({}), 'GET', '/v1/session')).json.user).toBe('admin');
  });

  it.each<[string, () => string, string]>([
    ['that has expired', () => forged({ exp: seconds(-1) }), 'TOKEN_EXPIRED'],
    ['that expires while API Gateway caches the decision', () => forged({ exp: seconds(20) }), 'TOKEN_EXPIRED'],
    ['that is an ID token', () => tokens.get('admin')?.id_token ?? '', 'UNAUTHORIZED'],
    ['of another client', () => forged({ client_id: 'other' }), 'UNAUTHORIZED'],
    ['of another issuer', () => forged({ iss: `${origin}/cognito/us-east-1_other` }), 'UNAUTHORIZED'],
    ['signed with a different key', () => forged({}, 'another'), 'UNAUTHORIZED'],
    ['without a signature', () => forged({}, 'its own', { alg: 'none' }), 'UNAUTHORIZED'],
    ['that is not valid yet', () => forged({ nbf: seconds(600) }), 'UNAUTHORIZED'],
    ['with changed groups', () => changedGroups(), 'UNAUTHORIZED'],
    ['of a user without a role', () => forged({ 'cognito:groups': ['strangers'] }), 'NOT_PERMITTED'],
    ['of a user in no group', () => forged({ 'cognito:groups': undefined }), 'NOT_PERMITTED'],
  ])('%s is refused with 401', async (_, make, code) => {
    const token = make();
    for (const path of ['/v1/session', '/v2/echo/health']) {
      const { status, json, text } = await ask(token, 'GET', path);
      expect([status, json.code]).toEqual([401, code]);
      expect(json.requestId).toEqual(expect.any(String));
      expect(text).not.toContain(token);
    }
  });

  it("is refused with 401 each time if its key is unknown after the issuer's keys are read again", async () => {
    for (const kid of ['unknown', 'other', 'another', 'unknown']) {
      const token = forged({}, 'its own', { kid });
      expect(await outcome(ask(token, 'GET', '/v1/session'))).toEqual([401, 'UNAUTHORIZED']);
    }
    expect((await as('viewer', 'GET', '/v1/session')).status).toBe(200);
  });

  function changedGroups(): string {
    const [header, , signature] = (tokens.get('viewer')?.access_token ?? '').split('.');
    const claims = { ...claimsIn(tokens.get('viewer')?.access_token), 'cognito:groups': ['admin'] };
    return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
  }
});

describe('a client key', () => {
  it('has the same permissions as in a deployment without users, and its session lists them', async () => {
    const { status, json } = await call(service, 'GET', `${origin}/v1/session`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ user: 'first', groups: [], owner: 'platform', endpoints: ['*'] });
    expect(json.operations).toEqual(expect.arrayContaining(['run', 'purge-queue', 'create-template']));
  });
});

describe('the rate limits', () => {
  /**
   * Makes the calls one after another.
   * @returns the number of 200 responses
   */
  async function admitted(count: number, ask: () => Promise<Answer>): Promise<number> {
    let answered = 0;
    for (let n = 0; n < count; n += 1) if ((await ask()).status === 200) answered += 1;
    return answered;
  }
  const requests = '/v2/echo/requests?limit=1';

  it('of clients are not used up by console users, and those of console users are not used up by clients', async () => {
    const byPage = () => as('viewer', 'GET', requests);
    const byClient = () => call(service, 'GET', `${origin}${requests}`);
    expect(await admitted(15, byPage)).toBe(15);
    expect(await admitted(10, byClient)).toBe(10);
    expect(await byClient()).toMatchObject({ status: 429, json: { code: 'TOO_MANY_REQUESTS' } });
    expect(await admitted(5, byPage)).toBe(5);
  });
});
