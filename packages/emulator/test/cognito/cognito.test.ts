/**
 * Tests the local issuer, which replaces Cognito, over HTTP: its pages, its tokens and the requests that it
 * refuses.
 */
import { createHash, createPublicKey, type JsonWebKey, randomBytes, verify } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClientDefinition, client as clientSchema } from '../../cognito/definitions.ts';
import { readIdentity } from '../../cognito/identity.ts';
import { openLink, serveIssuer } from '../../cognito/server.ts';
import { type Address, openAddress } from '../../network/address.ts';

const POOL = 'us-east-1_pool';
const CLIENT = 'console';
const kept = new Map<string, unknown>();
const state = {
  readJson: <Content>(name: string) => kept.get(name) as Content | undefined,
  writeJson: (name: string, content: unknown) => void kept.set(name, content),
};
const identity = readIdentity(state);

let address: Address;
let origin: string;
let callback: string;
let now = Date.now();

beforeAll(async () => {
  address = await openAddress(0);
  origin = `http://127.0.0.1:${address.port}`;
  callback = `${origin}/console/signed-in`;
  const {
    CallbackURLs: callbacks,
    LogoutURLs: logouts,
    ...settings
  } = clientSchema.parse({
    UserPoolId: POOL,
    GenerateSecret: false,
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthFlows: ['code'],
    AllowedOAuthScopes: ['openid'],
    CallbackURLs: [callback],
    LogoutURLs: [`${origin}/console/`],
    SupportedIdentityProviders: ['COGNITO'],
    AccessTokenValidity: 15,
    IdTokenValidity: 15,
    RefreshTokenValidity: 8,
    TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'hours' },
    RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 10 },
    EnableTokenRevocation: true,
  });
  const clients: ClientDefinition[] = [CLIENT, 'another'].map((id) => ({ ...settings, id, callbacks, logouts }));
  const groups = ['viewer', 'operator', 'admin'].map((GroupName) => ({
    UserPoolId: POOL,
    GroupName,
    Description: `Has the permissions of ${GroupName}s.`,
  }));
  const userPools = new Map([[POOL, { id: POOL, groups, clients }]]);
  address.serve(serveIssuer({ identity, userPools, origin, openCommand: 'npx sample open', now: () => now }));
});
afterAll(() => address.stop());
beforeEach(() => {
  now = Date.now();
});

const verifier = randomBytes(32).toString('base64url');
const cookie = () => ({ Cookie: `sign-in-${address.port}=${identity.code}` });

const queryOf = (changes: Readonly<Record<string, string>> = {}) =>
  new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT,
    redirect_uri: callback,
    scope: 'openid',
    state: 'a state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  }).toString();

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${origin}/cognito/${path}`, { headers, redirect: 'manual' });
const post = (path: string, form: Readonly<Record<string, string>>, headers: Record<string, string> = {}) =>
  fetch(`${origin}/cognito/${path}`, { method: 'POST', headers, body: new URLSearchParams(form), redirect: 'manual' });

/**
 * Chooses a group on the page.
 * @returns the URL of the redirect
 */
async function choose(group: string, query = queryOf()): Promise<URL> {
  const response = await post('oauth2/authorize', { query, group }, cookie());
  expect(response.status).toBe(303);
  return new URL(response.headers.get('location') ?? '');
}

const codeFor = async (group: string) => (await choose(group)).searchParams.get('code') ?? '';

async function token(form: Readonly<Record<string, string>>) {
  const response = await post('oauth2/token', { client_id: CLIENT, ...form });
  return { status: response.status, json: (await response.json()) as Readonly<Record<string, string>> };
}

const redeem = (code: string, changes: Readonly<Record<string, string>> = {}) =>
  token({ grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier, ...changes });
const renew = (refreshToken = '', changes = {}) =>
  token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...changes });

/** Returns the claims of a token, after a check of its signature with the published key. */
async function claimsOf(token = ''): Promise<Readonly<Record<string, unknown>>> {
  const { keys } = (await (await get(`${POOL}/.well-known/jwks.json`)).json()) as { keys: [JsonWebKey] };
  const [header = '', claims = '', signature = ''] = token.split('.');
  const key = createPublicKey({ key: keys[0], format: 'jwk' });
  const signed = Buffer.from(`${header}.${claims}`);
  expect(verify('RSA-SHA256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true);
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Readonly<Record<string, unknown>>;
}

describe('the sign-in page', () => {
  it('offers the groups of the pool to a browser that has opened the link', async () => {
    const response = await get(`oauth2/authorize?${queryOf()}`, cookie());
    const page = await response.text();
    expect(response.status).toBe(200);
    for (const group of ['viewer', 'operator', 'admin']) expect(page).toContain(`value="${group}"`);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('asks any other browser for the code, and signs in no user', async () => {
    const others: Record<string, string>[] = [
      {},
      { Cookie: `sign-in-${address.port}=wrong` },
      { Cookie: `other=${identity.code}` },
    ];
    for (const headers of others) {
      const response = await get(`oauth2/authorize?${queryOf()}`, headers);
      expect(response.status).toBe(403);
      const page = await response.text();
      expect(page).toContain(`${origin}/cognito/open?code=...`);
      expect(page).toContain('<code>npx sample open</code>');
      expect(page).not.toContain(identity.code);
      const posted = await post('oauth2/authorize', { query: queryOf(), group: 'admin' }, headers);
      expect([posted.status, posted.headers.get('location')]).toEqual([403, null]);
    }
  });

  it('opens with the link from the terminal, which sets a cookie for these pages only', async () => {
    const link = new URL(
      openLink(origin, new Map([[POOL, { id: POOL, groups: [], clients: [{} as ClientDefinition] }]]), identity),
    );
    const response = await get(link.pathname.slice('/cognito/'.length) + link.search);
    expect([response.status, response.headers.get('location')]).toEqual([303, `${origin}/console/`]);
    const set = response.headers.get('set-cookie') ?? '';
    for (const attribute of ['Path=/cognito/', 'HttpOnly', 'SameSite=Strict']) expect(set).toContain(attribute);
    const [pair = ''] = set.split(';');
    expect((await get(`oauth2/authorize?${queryOf()}`, { Cookie: pair })).status).toBe(200);
  });

  it.each(['', 'the link of '])('also accepts %sthe code in its form, and redirects to the page', async (whole) => {
    const code = whole === '' ? identity.code : ` ${origin}/cognito/open?code=${identity.code} `;
    const response = await post('open', { code, query: queryOf() });
    expect(response.headers.get('location')).toBe(`${origin}/cognito/oauth2/authorize?${queryOf()}`);
  });

  it('refuses a wrong code', async () => {
    for (const response of [await get('open?code=wrong'), await get('open'), await post('open', { code: '' })])
      expect([response.status, response.headers.get('set-cookie')]).toEqual([401, null]);
  });

  it.each([
    ['another path', '/console/other'],
    ['a query', '/console/signed-in?a=b'],
    ['a slash at its end', '/console/signed-in/'],
    ['another case', '/console/Signed-in'],
  ])('never redirects to a URL with %s', async (_, path) => {
    const query = queryOf({ redirect_uri: `${origin}${path}` });
    for (const response of [
      await get(`oauth2/authorize?${query}`, cookie()),
      await post('oauth2/authorize', { query, group: 'admin' }, cookie()),
    ])
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });

  it.each([
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a request without a challenge', { code_challenge: '' }, 'invalid_request'],
    ['tokens without a code', { response_type: 'token' }, 'unsupported_response_type'],
    [
      'scopes that the client is not allowed to request',
      { scope: 'openid aws.cognito.signin.user.admin' },
      'invalid_scope',
    ],
  ])('refuses %s, and redirects to the client with the error', async (_, changes, error) => {
    const response = await get(`oauth2/authorize?${queryOf(changes)}`, cookie());
    const { searchParams } = new URL(response.headers.get('location') ?? '');
    expect(Object.fromEntries(searchParams)).toEqual({ error, state: 'a state' });
  });

  it('escapes markup from the request', async () => {
    const markup = '"><b>';
    for (const response of [
      await get(`oauth2/authorize?${queryOf({ state: markup })}`, cookie()),
      await post('open', { code: 'wrong', query: markup }),
    ])
      expect(await response.text()).not.toContain('<b>');
  });

  it.each(['evil.example', 'evil.example:3000', '127.0.0.1.evil.example', 'localhost@evil.example'])(
    'refuses the Host %j',
    async (host) => {
      for (const path of [
        `oauth2/authorize?${queryOf()}`,
        `open?code=${identity.code}`,
        `${POOL}/.well-known/jwks.json`,
      ]) {
        const { promise, resolve } = Promise.withResolvers<[number | undefined, string]>();
        const options = { headers: { Host: host, ...cookie() } };
        httpRequest(`${origin}/cognito/${path}`, options, async (response) =>
          resolve([response.statusCode, await text(response)]),
        ).end();
        const [status, body] = await promise;
        expect(status).toBe(403);
        expect(body).toContain('127.0.0.1');
      }
    },
  );
});

describe('an authorization code', () => {
  it('is exchanged for tokens that the issuer signed, with the chosen group', async () => {
    const led = await choose('operator');
    expect(led.href.split('?')[0]).toBe(callback);
    expect(led.searchParams.get('state')).toBe('a state');
    const { status, json } = await redeem(led.searchParams.get('code') ?? '');
    expect(status).toBe(200);
    expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
    const common = { iss: `${origin}/cognito/${POOL}`, 'cognito:groups': ['operator'] };
    const access = { ...common, token_use: 'access', client_id: CLIENT, username: 'operator' };
    expect(await claimsOf(json.access_token)).toMatchObject(access);
    expect(await claimsOf(json.id_token)).toMatchObject({ ...common, token_use: 'id', aud: CLIENT });
  });

  it('can be redeemed only one time', async () => {
    const code = await codeFor('viewer');
    expect((await redeem(code)).status).toBe(200);
    expect(await redeem(code)).toEqual({ status: 400, json: { error: 'invalid_grant' } });
  });

  it.each([
    ['another verifier', { code_verifier: 'wrong' }],
    ['no verifier', { code_verifier: '' }],
    ['another address', { redirect_uri: 'http://127.0.0.1/console/' }],
    ['another client', { client_id: 'another' }],
  ])('is refused with %s, and becomes invalid', async (_, changes) => {
    const code = await codeFor('admin');
    expect(await redeem(code, changes)).toEqual({ status: 400, json: { error: 'invalid_grant' } });
    expect((await redeem(code)).status).toBe(400);
  });

  it('is refused after five minutes', async () => {
    const code = await codeFor('viewer');
    now += 5 * 60_000;
    expect((await redeem(code)).status).toBe(400);
  });

  it('is refused if the client is unknown or the grant type is different', async () => {
    const code = await codeFor('viewer');
    expect((await redeem(code, { client_id: 'nobody' })).json).toEqual({ error: 'invalid_client' });
    expect((await redeem(code, { grant_type: 'password' })).json).toEqual({ error: 'unsupported_grant_type' });
    expect((await redeem(code, { grant_type: 'toString' })).json).toEqual({ error: 'unsupported_grant_type' });
  });
});

describe('a refresh token', () => {
  const signIn = async () => (await redeem(await codeFor('viewer'))).json;

  it('is exchanged for new tokens, and can be used again within the grace period', async () => {
    const { refresh_token: first } = await signIn();
    const renewed = await renew(first);
    expect(renewed.status).toBe(200);
    expect(await claimsOf(renewed.json.access_token)).toMatchObject({ username: 'viewer' });
    expect(renewed.json.refresh_token).not.toBe(first);
    now += 9_999;
    expect((await renew(first)).status).toBe(200);
    now += 1;
    expect(await renew(first)).toEqual({ status: 400, json: { error: 'invalid_grant' } });
    expect((await renew(renewed.json.refresh_token)).status).toBe(200);
  });

  it('is valid for eight hours from the sign-in, even if it is renewed', async () => {
    let { refresh_token: token } = await signIn();
    for (let hour = 1; hour < 8; hour += 1) {
      now += 3_600_000;
      ({ refresh_token: token } = (await renew(token)).json);
    }
    now += 3_600_000;
    expect((await renew(token)).status).toBe(400);
  });

  it('is revoked together with all tokens of its sign-in', async () => {
    const { refresh_token: first = '' } = await signIn();
    const { refresh_token: second = '' } = (await renew(first)).json;
    const { refresh_token: other } = await signIn();
    expect((await post('oauth2/revoke', { token: second, client_id: CLIENT })).status).toBe(200);
    expect([(await renew(first)).status, (await renew(second)).status, (await renew(other)).status]).toEqual([
      400, 400, 200,
    ]);
  });

  it('is refused if another client sends it', async () => {
    const { refresh_token: token = '' } = await signIn();
    expect((await renew(token, { client_id: 'another' })).status).toBe(400);
    await post('oauth2/revoke', { token, client_id: 'another' });
    expect((await renew(token)).status).toBe(200);
  });
});

describe('the issuer', () => {
  it('redirects only to the console when a user signs out', async () => {
    const leave = (to: string) => get(`logout?${new URLSearchParams({ client_id: CLIENT, logout_uri: to })}`);
    expect((await leave(`${origin}/console/`)).headers.get('location')).toBe(`${origin}/console/`);
    for (const to of ['https://evil.example/', `${origin}/console`, ''])
      expect([(await leave(to)).status, (await leave(to)).headers.get('location')]).toEqual([400, null]);
  });

  it('uses the same key and code in every run, so tokens stay valid in the next run', () => {
    const again = readIdentity(state);
    expect([again.kid, again.code, again.jwk]).toEqual([identity.kid, identity.code, identity.jwk]);
    expect(readIdentity({ readJson: () => undefined, writeJson: () => undefined }).code).not.toBe(identity.code);
  });

  it('publishes no part of the private key', async () => {
    const keys = await (await get(`${POOL}/.well-known/jwks.json`)).json();
    expect(keys).toEqual({
      keys: [{ kty: 'RSA', n: expect.any(String), e: 'AQAB', kid: identity.kid, alg: 'RS256', use: 'sig' }],
    });
  });

  it('returns 404 for other paths', async () => {
    for (const path of ['', 'oauth2/token', `${POOL}/oauth2/token`, 'toString', 'nowhere/.well-known/jwks.json'])
      expect((await get(path)).status).toBe(404);
  });
});
