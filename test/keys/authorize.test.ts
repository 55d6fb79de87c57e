import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AccessRequest, authorize } from '../../core/authorizer/authorize.ts';
import { createKey, hashOf, type KeyGrant, newSecret } from '../../core/keys/client-keys.ts';
import { DECISION_CACHE, KEY_CACHE, MINUTE, SECOND } from '../../core/limits.ts';
import {
  isForUsers,
  jobRoutes,
  keyOperations,
  managementRoutes,
  operations,
  type Route,
  templateScopes,
} from '../../core/operations/routes.ts';
import { Unauthorized } from '../../core/requests/errors.ts';
import { createDecisionCache } from '../../packages/emulator/gateway/decision-cache.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();

beforeAll(async () => {
  await emulated.deploy('echo');
  await emulated.deploy('other');
});

const all: KeyGrant = { name: 'test', owner: 'ada', endpoints: ['*'], operations: ['*'], scopes: [] };

async function keyWith(grant: Partial<KeyGrant> = {}): Promise<string> {
  const { secret } = await createKey(emulated.ports, { ...all, ...grant }, randomBytes(64));
  return secret;
}

const access = (authorization: string, request: Partial<AccessRequest> = {}) =>
  authorize(emulated.ports, { authorization, operation: 'run', endpoint: 'echo', ...request });

describe('the header of a key', () => {
  it.each([
    (key: string) => `Bearer ${key}`,
    (key: string) => `bearer ${key}`,
    (key: string) => `BEARER   ${key}`,
    (key: string) => `Bearer\t${key}`,
    (key: string) => `Bearer \t ${key}`,
    (key: string) => key,
  ])('can contain the key as %s', async (headerOf) => {
    const { caller, bucket } = await access(headerOf(await keyWith()));
    expect(caller.owner).toBe('ada');
    expect(bucket).toBe('echo');
  });

  it.each([
    () => '',
    () => 'Bearer',
    () => 'Bearer ',
    () => 'Basic SzpL',
    () => 'Bearer null',
    () => 'Bearer {"$ne":""}',
    (key: string) => `Bearer${key}`,
    (key: string) => `Bearer Bearer ${key}`,
    (key: string) => `Bearer: ${key}`,
    (key: string) => ` ${key}`,
    (key: string) => `${key} `,
    (key: string) => `Bearer ${key}, Bearer ${key}`,
    (key: string) => `Bearer ${key}\u0000`,
    (key: string) => `Bearer ${key}${'x'.repeat(8_000)}`,
    (key: string) => `Bearer ${key.slice(0, -1)}`,
    () => `Bearer ${newSecret(randomBytes(64))}`,
  ])('is refused because of its form, before a key is read: %s', async (headerOf) => {
    const secret = await keyWith();
    const refused = access(headerOf(secret));
    await expect(refused).rejects.toThrow(Unauthorized);
    await expect(refused).rejects.not.toThrow(secret);
  });
});

describe('a request without a known key', () => {
  it('is refused with the same message, whether the endpoint exists or not', async () => {
    for (const authorization of ['', `Bearer ${newSecret(randomBytes(64))}`]) {
      const reasonFor = (endpoint: string) =>
        access(authorization, { endpoint }).catch((error: Error) => error.message);
      expect(await reasonFor('nowhere')).toBe(await reasonFor('echo'));
      expect(await reasonFor('nowhere')).toContain('key');
    }
  });
});

describe('a key', () => {
  it('permits only its endpoints and operations', async () => {
    const key = await keyWith({ endpoints: ['echo'], operations: ['run'] });
    await expect(access(key)).resolves.toBeDefined();
    for (const endpoint of ['other', 'nowhere', 'run', 'pods'])
      await expect(access(key, { endpoint })).rejects.toThrow(
        `The API key does not permit calls to the endpoint ${endpoint}.`,
      );
    for (const endpoint of ['"}', 'a\nb', 'x'.repeat(64)])
      await expect(access(key, { endpoint })).rejects.toThrow('The API key does not permit calls to this endpoint.');
    await expect(access(key, { operation: 'health' })).rejects.toThrow('does not permit the operation health');
  });

  it('permits operations on templates only with its scopes', async () => {
    const key = await keyWith({ operations: ['run'], scopes: ['templates:read'] });
    await expect(access(key, { operation: 'list-templates', endpoint: undefined })).resolves.toBeDefined();
    for (const [secret, operation] of [
      [key, 'update-template'],
      [await keyWith(), 'create-template'],
      [await keyWith({ scopes: ['templates:read'] }), 'remove-template'],
    ] as const)
      await expect(access(secret, { operation, endpoint: undefined })).rejects.toThrow(
        'The API key does not have the scope templates:write.',
      );
  });

  it('permits operations on templates with its scopes, even if it permits no endpoint', async () => {
    const key = await keyWith({ endpoints: [], operations: [], scopes: ['templates:write'] });
    await expect(access(key, { operation: 'update-template', endpoint: undefined })).resolves.toBeDefined();
    await expect(access(key)).rejects.toThrow(Unauthorized);
  });

  it('does not permit operations for users, even if it permits every operation', async () => {
    const key = await keyWith({ operations: ['*'], scopes: [...templateScopes] });
    const forUsers = operations.filter(isForUsers);
    expect(forUsers).toEqual(['resume', 'list-keys', 'create-key', 'revoke-key']);
    for (const operation of forUsers) {
      await expect(access(key, { operation })).rejects.toThrow(`No API key may call ${operation}: sign in`);
      await expect(access(await keyWith({ operations: [operation] }), { operation })).rejects.toThrow(Unauthorized);
      expect(keyOperations).not.toContain(operation);
    }
  });

  it('can change only jobs and templates', () => {
    const all: [string, Route][] = Object.entries({ ...jobRoutes, ...managementRoutes });
    const routes = all.filter(([, { audience }]) => audience !== 'users');
    const changing = routes.filter(([, { methods }]) => methods.some((method) => method !== 'GET'));
    expect(changing.map(([operation]) => operation).toSorted((one, other) => one.localeCompare(other))).toEqual([
      'cancel',
      'create-template',
      'openai',
      'purge-queue',
      'remove-template',
      'resend',
      'retry',
      'rollback',
      'run',
      'runsync',
      'status',
      'status-sync',
      'stream',
      'update-template',
    ]);
  });

  it.each(['Ω', ' lead', 'lead ', 'a\r\nb', '\u2028', ''])(
    'is refused if it was stored with an owner that no header can contain: %j',
    async (owner) => {
      const refused = access(await keyWith({ owner }));
      await expect(refused).rejects.toThrow(Unauthorized);
      await expect(refused).rejects.toThrow('The owner of the API key must be printable ASCII characters');
    },
  );

  it('is refused a minute after it was revoked, by the caches of a process and of API Gateway together', async () => {
    const key = await keyWith();
    const decisions = createDecisionCache<object>(() => emulated.clock.now());
    const authorizer = { id: 'a', resultTtl: DECISION_CACHE / SECOND };
    const decide = () => decisions.read(authorizer, [key, '/v2/echo/run'], () => access(key));
    await access(key);
    await emulated.ports.keys.remove(hashOf(key));
    const revokedAt = emulated.clock.now();
    emulated.clock.advance(KEY_CACHE - 1);
    await decide();
    emulated.clock.advance(DECISION_CACHE - 1);
    await expect(decide()).resolves.toBeDefined();
    emulated.clock.advance(1);
    await expect(decide()).rejects.toThrow('does not exist');
    expect(emulated.clock.now() - revokedAt).toBeLessThanOrEqual(MINUTE);
  });

  it('is refused as soon as it expires', async () => {
    const expiresAt = emulated.clock.now() + 1_000;
    const key = await keyWith({ expiresAt });
    emulated.clock.advance(999);
    await expect(access(key)).resolves.toBeDefined();
    emulated.clock.advance(1);
    await expect(access(key)).rejects.toThrow(`expired at ${new Date(expiresAt).toISOString()}`);
  });

  it('is refused before it expires if the decision is cached beyond its expiry', async () => {
    const expiresAt = emulated.clock.now() + DECISION_CACHE + 1;
    const key = await keyWith({ expiresAt });
    await expect(access(key, { cachedFor: DECISION_CACHE })).resolves.toBeDefined();
    emulated.clock.advance(1);
    await expect(access(key, { cachedFor: DECISION_CACHE })).rejects.toThrow(
      `The API key expires at ${new Date(expiresAt).toISOString()}, in less than 30 s. A key is refused in its last 30 s`,
    );
    await expect(access(key)).resolves.toBeDefined();
    emulated.clock.advance(DECISION_CACHE);
    await expect(access(key, { cachedFor: DECISION_CACHE })).rejects.toThrow(
      `The API key expired at ${new Date(expiresAt).toISOString()}.`,
    );
  });
});

describe('the rate-limit bucket', () => {
  it('belongs to the endpoint, to all unknown endpoints, or to management', async () => {
    const key = await keyWith();
    expect((await access(key, { endpoint: 'other' })).bucket).toBe('other');
    expect((await access(key, { endpoint: 'nowhere' })).bucket).toBe('*unknown');
    expect((await access(key, { operation: 'endpoints', endpoint: undefined })).bucket).toBe('*management');
  });

  it('is correct for a new endpoint immediately, and for a removed endpoint after the cache of a process', async () => {
    const { ports, clock } = emulated;
    const key = await keyWith();
    const bucketOfBrief = async () => (await access(key, { endpoint: 'brief' })).bucket;
    expect(await bucketOfBrief()).toBe('*unknown');
    await emulated.deploy('brief');
    expect(await bucketOfBrief()).toBe('brief');
    await ports.endpoints.remove('brief');
    clock.advance(KEY_CACHE - 1);
    expect(await bucketOfBrief()).toBe('brief');
    clock.advance(1);
    expect(await bucketOfBrief()).toBe('*unknown');
  });
});
