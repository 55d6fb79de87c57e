/** Tests the rights of users: tokens of an issuer over HTTP, verified by the code of the authorizer. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTokens } from '../../aws/users/tokens.ts';
import { authorize } from '../../core/authorizer/authorize.ts';
import { sessionOf } from '../../core/authorizer/caller.ts';
import { createKey } from '../../core/keys/client-keys.ts';
import { DECISION_CACHE, SECOND } from '../../core/limits.ts';
import { type Operation, operations } from '../../core/operations/routes.ts';
import { NotPermitted, TokenExpired, Unauthorized } from '../../core/requests/errors.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { newSigningKey, type SigningKey, startIssuer, type TestIssuer, tokenOf } from './issuer.ts';

const CLIENT = 'console-client';

const emulated = useEmulatedDeployment();
let issuer: TestIssuer;
let tokens: ReturnType<typeof createTokens>;

beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.stop());
beforeEach(() => {
  issuer.answerWith(200);
  tokens = createTokens({ issuer: issuer.issuer, client: CLIENT });
});

const issuersKey = (): SigningKey => issuer.keys[0] ?? newSigningKey();
const seconds = () => Math.floor(Date.now() / 1000);

/** Claims of an access token of Cognito. */
const claims = (more: object = {}) => ({
  sub: '9f1c',
  iss: issuer.issuer,
  client_id: CLIENT,
  token_use: 'access',
  scope: 'openid',
  exp: seconds() + 900,
  iat: seconds(),
  username: 'ada',
  'cognito:groups': ['operator'],
  ...more,
});

const access = (token: string, operation: Operation = 'cancel') =>
  authorize({ ...emulated.ports, tokens }, { authorization: `Bearer ${token}`, operation, endpoint: 'echo' });

const withGroups = (...groups: string[]) => tokenOf(claims({ 'cognito:groups': groups }), issuersKey());

describe('a valid access token', () => {
  it('admits its user, with a bucket separate from those of endpoints', async () => {
    const { caller, bucket } = await access(tokenOf(claims(), issuersKey()));
    expect(caller).toMatchObject({ kind: 'user', id: '9f1c', name: 'ada', owner: 'user:9f1c', endpoints: ['*'] });
    expect(bucket).toBe('*console');
  });

  it('causes one read of the keys for all tokens', async () => {
    const before = issuer.reads();
    for (let n = 0; n < 5; n += 1) await access(tokenOf(claims({ jti: String(n) }), issuersKey()));
    expect(issuer.reads() - before).toBe(1);
  });

  it('is accepted with a key that the issuer has added since', async () => {
    await access(tokenOf(claims(), issuersKey()));
    const added = newSigningKey();
    issuer.keys.push(added);
    await expect(access(tokenOf(claims(), added))).resolves.toBeDefined();
  });

  it('is refused by a deployment without users', async () => {
    const { ports } = emulated;
    const asked = { authorization: tokenOf(claims(), issuersKey()), operation: 'cancel', endpoint: 'echo' } as const;
    await expect(authorize(ports, asked)).rejects.toThrow('This deployment does not support user sign-in');
  });
});

describe('a token', () => {
  const changedGroups = () => {
    const [header, , signature] = withGroups('viewer').split('.');
    const payload = Buffer.from(JSON.stringify(claims({ 'cognito:groups': ['admin'] }))).toString('base64url');
    return [header, payload, signature].join('.');
  };

  it.each<[string, () => string]>([
    [
      'an ID token, which is for the page itself',
      () => tokenOf(claims({ token_use: 'id', aud: CLIENT }), issuersKey()),
    ],
    ['for another client', () => tokenOf(claims({ client_id: 'other' }), issuersKey())],
    ['from another issuer', () => tokenOf(claims({ iss: `${issuer.issuer}2` }), issuersKey())],
    ['signed with a foreign key', () => tokenOf(claims(), newSigningKey(issuersKey().kid))],
    ['without a signature', () => tokenOf(claims(), issuersKey(), { alg: 'none' })],
    ['signed with the public key as a secret', () => tokenOf(claims(), issuersKey(), { alg: 'HS256' })],
    ['signed with an unknown key', () => tokenOf(claims(), newSigningKey())],
    ['with a critical header', () => tokenOf(claims(), issuersKey(), { crit: ['b64'], b64: true })],
    ['with an empty critical header', () => tokenOf(claims(), issuersKey(), { crit: null })],
    ['not valid yet', () => tokenOf(claims({ nbf: seconds() + 600 }), issuersKey())],
    ['with changed groups', changedGroups],
    ['without an expiry', () => tokenOf(claims({ exp: undefined }), issuersKey())],
    ['not JSON', () => 'YQ.YQ.YQ'],
    ['with an empty part', () => `${withGroups('admin').split('.').slice(0, 2).join('.')}.`],
  ])('is refused if it is %s', async (_, make) => {
    const token = make();
    const refusal = access(token);
    await expect(refusal).rejects.toBeInstanceOf(Unauthorized);
    await expect(refusal).rejects.not.toThrow(token);
  });

  it('is refused as expired after its expiry, and only if it is genuine', async () => {
    const expired = claims({ exp: seconds() - 1 });
    await expect(access(tokenOf(expired, issuersKey()))).rejects.toBeInstanceOf(TokenExpired);
    await expect(access(tokenOf(expired, newSigningKey(issuersKey().kid)))).rejects.toBeInstanceOf(Unauthorized);
  });

  it('is refused before its expiry if the decision is cached beyond it', async () => {
    const token = tokenOf(claims({ exp: seconds() + 20 }), issuersKey());
    const request = { authorization: token, operation: 'cancel', endpoint: 'echo' } as const;
    const ports = { ...emulated.ports, tokens };
    await expect(authorize(ports, { ...request, cachedFor: DECISION_CACHE })).rejects.toBeInstanceOf(TokenExpired);
    await expect(authorize(ports, { ...request, cachedFor: SECOND })).resolves.toBeDefined();
  });

  it('causes a service error while the keys of the issuer cannot be read', async () => {
    issuer.answerWith(500);
    const failure = await access(tokenOf(claims(), issuersKey())).catch((error: Error) => error);
    expect(String(failure)).toContain('answered with status 500');
    issuer.answerWith(200);
    await expect(access(tokenOf(claims(), issuersKey()))).resolves.toBeDefined();
  });

  it('is refused each time if its key is unknown, and causes no further read for some time', async () => {
    await expect(access(tokenOf(claims(), newSigningKey()))).rejects.toBeInstanceOf(Unauthorized);
    const before = issuer.reads();
    for (let n = 0; n < 3; n += 1)
      await expect(access(tokenOf(claims(), newSigningKey()))).rejects.toBeInstanceOf(Unauthorized);
    expect(issuer.reads()).toBe(before);
    await expect(access(tokenOf(claims(), issuersKey()))).resolves.toBeDefined();
  });
});

describe('groups', () => {
  it.each([
    ['viewer', 'status', true],
    ['viewer', 'logs', true],
    ['viewer', 'run', false],
    ['viewer', 'cancel', false],
    ['operator', 'run', true],
    ['operator', 'resend', true],
    ['operator', 'create-template', false],
    ['operator', 'purge-queue', false],
    ['admin', 'purge-queue', true],
    ['admin', 'update-template', true],
    ['admin', 'status', true],
  ] as const)('decide whether the role %s may call %s', async (group, operation, may) => {
    const asked = access(withGroups(group), operation);
    if (may) await expect(asked).resolves.toBeDefined();
    else await expect(asked).rejects.toBeInstanceOf(NotPermitted);
  });

  it('permit each role the operations of lesser roles, and admins all operations', async () => {
    const allowed = async (group: string) => (await access(withGroups(group), 'session')).caller.operations();
    const [viewer, operator, admin] = await Promise.all(['viewer', 'operator', 'admin'].map(allowed));
    expect(new Set(operator)).toEqual(new Set([...(operator ?? []), ...(viewer ?? [])]));
    expect(admin).toEqual(operations);
    expect(viewer?.length).toBeLessThan(operator?.length ?? 0);
  });

  it('are named in the refusal if they would permit the call', async () => {
    await expect(access(withGroups('viewer'), 'cancel')).rejects.toThrow('needs the group operator or admin');
    await expect(access(withGroups('operator'), 'purge-queue')).rejects.toThrow('needs the group admin');
  });

  it.each([[[]], [['Admin']], [['admins']], [['owner:ada']]])('give no role if they are %j', async (groups) => {
    const refusal = access(withGroups(...groups), 'session');
    await expect(refusal).rejects.toBeInstanceOf(NotPermitted);
    await expect(refusal).rejects.toThrow('not in any of the groups viewer, operator, admin');
  });

  it.each([
    [['viewer'], 'user:9f1c'],
    [['operator', 'unknown'], 'user:9f1c'],
    [['admin'], 'platform'],
    [['viewer', 'admin'], 'platform'],
    [['viewer', 'owner:team-a'], 'team-a'],
    [['admin', 'owner:team-a'], 'team-a'],
  ])('make a user of %j act as the owner %s', async (groups, owner) => {
    const { caller } = await access(withGroups(...groups), 'session');
    expect(caller.owner).toBe(owner);
  });

  it.each([
    ['owner:équipe', '"owner:\\u00e9quipe"'],
    ['owner:', '"owner:"'],
    ['owner: a', '"owner: a"'],
    ['owner:a\nb', '"owner:a\\nb"'],
  ])('are refused if %j sets an invalid owner, with the name in ASCII', async (group, shown) => {
    for (const role of ['viewer', 'admin']) {
      const refusal = access(withGroups(role, group), 'session');
      await expect(refusal).rejects.toBeInstanceOf(NotPermitted);
      await expect(refusal).rejects.toThrow(
        `The name after \`owner:\` in the group ${shown} must be printable ASCII characters without a space`,
      );
    }
    await expect(access(withGroups('viewer', 'owner:team-a', group), 'session')).rejects.toBeInstanceOf(NotPermitted);
  });

  it('are refused if they name two owners', async () => {
    await expect(access(withGroups('viewer', 'owner:a', 'owner:b'), 'session')).rejects.toThrow('several groups');
  });
});

describe('a session', () => {
  it('has the name of the user and the rights of the groups', async () => {
    const { caller } = await access(withGroups('viewer', 'owner:team-a'), 'session');
    const { operations: allowed, ...rest } = sessionOf(caller);
    expect(rest).toEqual({ user: 'ada', groups: ['viewer', 'owner:team-a'], owner: 'team-a', endpoints: ['*'] });
    expect(allowed).toContain('logs');
    expect(allowed).not.toContain('run');
  });

  it('exists for every key, regardless of its permissions', async () => {
    const grant = { name: 'ci', owner: 'ada', endpoints: ['echo'], operations: ['run'], scopes: [] };
    const { secret } = await createKey(emulated.ports, grant, randomBytes(64));
    const { caller } = await authorize(emulated.ports, { authorization: secret, operation: 'session' });
    const operationsOfKey = ['run', 'session'];
    expect(sessionOf(caller)).toEqual({
      user: 'ci',
      groups: [],
      owner: 'ada',
      operations: operationsOfKey,
      endpoints: ['echo'],
    });
  });
});
