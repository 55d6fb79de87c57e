/**
 * Calls every operation as every kind of caller: roles with each of their tokens, keys, and forms of the header. What
 * each caller may do is written out here, and not computed by the code under test. An operation that is missing here is
 * compared with its record.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKey, type KeyGrant, newSecret } from '../../core/keys/client-keys.ts';
import { allOperations } from '../../core/operations/all.ts';
import type { OperationDefinition } from '../../core/operations/operation.ts';
import { jobRoutes, managementRoutes, openapiRoute, type Route, stages } from '../../core/operations/routes.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { startIssuer, type TestIssuer, tokenOf } from '../users/issuer.ts';
import { type DeployedGateway, startDeployedGateway } from './deployed-gateway.ts';

const emulated = useEmulatedDeployment();
let gateway: DeployedGateway;
let issuer: TestIssuer;
let key: string;

const CLIENT = 'console-client';
const all: KeyGrant = { name: 'all', owner: 'ada', endpoints: ['*'], operations: ['*'], scopes: [] };

async function keyWith(grant: Partial<KeyGrant> = {}): Promise<string> {
  return (await createKey(emulated.ports, { ...all, ...grant }, randomBytes(64))).secret;
}

beforeAll(async () => {
  issuer = await startIssuer();
  Object.assign(process.env, { TOKEN_ISSUER: issuer.issuer, TOKEN_CLIENT: CLIENT });
  gateway = await startDeployedGateway(emulated.ports);
  key = await keyWith();
}, 120_000);
afterAll(async () => {
  await gateway.stop();
  await issuer.stop();
});

const reads = ['status', 'input', 'status-sync', 'stream', 'logs', 'requests', 'webhooks', 'health'];
const changes = ['run', 'runsync', 'openai', 'cancel', 'retry', 'resend'];
const lists = ['endpoints', 'releases', 'workers', 'find-job'];
const templateReads = ['list-templates', 'read-template'];
const templateWrites = ['create-template', 'remove-template', 'update-template'];
const keyOperations = ['list-keys', 'create-key', 'revoke-key'];
const written = [
  ...[reads, changes, lists, templateReads, templateWrites, keyOperations].flat(),
  ...['purge-queue', 'resume', 'session'],
];

/** Returns the operations that are missing above and have such a record. */
const added = (isWanted: (operation: OperationDefinition) => boolean) =>
  Object.entries<OperationDefinition>(allOperations)
    .filter(([name, operation]) => !written.includes(name) && isWanted(operation))
    .map(([name]) => name);

const isForKeys = ({ keyText, audience }: OperationDefinition) => keyText !== undefined || audience === 'all';

/** Operations of keys that permit everything. */
const everything = [...reads, ...changes, 'purge-queue', ...lists, 'session', ...added(isForKeys)];
/** Operations without an endpoint in their path. */
const anywhere = [
  ...['endpoints', 'find-job', 'session'],
  ...added((operation) => isForKeys(operation) && !operation.path.includes('{endpoint}')),
];

const roles: Readonly<Record<string, readonly string[]>> = {
  viewer: [...reads, ...lists, ...templateReads, 'session', ...added(({ role }) => role === 'viewer')],
  operator: [
    ...[...reads, ...lists, ...templateReads, 'session', ...changes, 'resume'],
    ...added(({ role }) => role !== 'admin'),
  ],
  admin: [
    ...[...reads, ...lists, ...templateReads, 'session', ...changes, 'resume', 'purge-queue'],
    ...[...templateWrites, ...keyOperations, ...added(() => true)],
  ],
};

function tokens(group: string) {
  const [signing] = issuer.keys;
  if (!signing) throw new Error('The issuer has no key.');
  const now = Math.floor(Date.now() / 1_000);
  const claims = { sub: '9f1c', iss: issuer.issuer, exp: now + 900, iat: now, 'cognito:groups': [group] };
  return {
    access: tokenOf({ ...claims, token_use: 'access', client_id: CLIENT, username: 'ada' }, signing),
    id: tokenOf({ ...claims, token_use: 'id', aud: CLIENT, 'cognito:username': 'ada' }, signing),
    refresh: `${randomBytes(40).toString('base64url')}.${randomBytes(12).toString('base64url')}..x.y`,
  };
}

type Kind = keyof ReturnType<typeof tokens>;

interface Caller {
  readonly name: string;
  /** The headers `Authorization`. */
  readonly header: () => Promise<string | string[] | undefined> | string | string[] | undefined;
  readonly permitted: readonly string[];
}

const users: Caller[] = Object.entries(roles).flatMap(([role, permitted]) =>
  (['access', 'id', 'refresh'] as const).map((kind: Kind) => ({
    name: `the ${kind} token of the role ${role}`,
    header: () => `Bearer ${tokens(role)[kind]}`,
    permitted: kind === 'access' ? permitted : [],
  })),
);

const grants: [name: string, grant: Partial<KeyGrant>, permitted: readonly string[]][] = [
  ['a key for everything', {}, everything],
  ['a key for one endpoint', { endpoints: ['echo'] }, everything],
  ['a key for another endpoint', { endpoints: ['other'] }, anywhere],
  [
    'a key for two operations',
    { operations: ['run', 'health'] },
    ['run', 'health', 'session', ...added(({ audience }) => audience === 'all')],
  ],
  [
    'a key for templates',
    { operations: [], scopes: ['templates:write'] },
    [
      ...templateWrites,
      'session',
      ...added(({ scope, audience }) => scope === 'templates:write' || audience === 'all'),
    ],
  ],
  ['a key that expires within the cached decision', { expiresAt: Date.now() + 1_000 }, []],
];

const keys: Caller[] = grants.map(([name, grant, permitted]) => ({
  name,
  header: async () => `Bearer ${await keyWith(grant)}`,
  permitted,
}));

const valid: [name: string, header: () => string | string[]][] = [
  ['only the key', () => key],
  ['`bearer` in lower case', () => `bearer ${key}`],
  ['two spaces', () => `Bearer  ${key}`],
  ['a tab', () => `Bearer\t${key}`],
  ['a key after another one', () => ['Bearer no', `Bearer ${key}`]],
];
const invalid: [name: string, header: () => string | string[] | undefined][] = [
  ['no header', () => undefined],
  ['an empty header', () => ''],
  ['`Bearer` alone', () => 'Bearer'],
  ['another scheme', () => `Basic ${key}`],
  ['`Bearer` two times', () => `Bearer Bearer ${key}`],
  ['text after the key', () => `Bearer ${key} x`],
  ['a key before another one', () => [`Bearer ${key}`, 'Bearer no']],
  ['an unknown key', () => `Bearer ${newSecret(randomBytes(64))}`],
];
const forms: Caller[] = [
  ...valid.map(([name, header]) => ({ name: `a request with ${name}`, header, permitted: everything })),
  ...invalid.map(([name, header]) => ({ name: `a request with ${name}`, header, permitted: [] })),
];

const operations: [name: string, stage: string, route: Route][] = [
  ...Object.entries<Route>(jobRoutes).map(([name, route]): [string, string, Route] => [name, stages.jobs, route]),
  ...Object.entries<Route>(managementRoutes).map(([name, route]): [string, string, Route] => [
    name,
    stages.management,
    route,
  ]),
];

const pathOf = (stage: string, { path }: Pick<Route, 'path'>) =>
  `/${stage}${path
    .replace('{endpoint}', 'echo')
    .replace('{path+}', 'v1/models')
    .replace(/\{\w+\}/g, 'x-1')}`;

const callers = [...users, ...keys, ...forms];

describe('the authorization of a request', () => {
  it.each(callers)('$name permits exactly its operations', async ({ header, permitted }) => {
    const authorization = await header();
    const outcomes = [];
    for (const [name, stage, route] of operations) {
      for (const method of route.methods) {
        gateway.pass();
        const { status, served, body } = await gateway.ask(method, pathOf(stage, route), authorization);
        const isRefused = status === 401 && /"code":"(?:UNAUTHORIZED|NOT_PERMITTED)"/.test(body);
        outcomes.push([method, name, isRefused ? 'refused' : [status, served?.operation]]);
      }
    }
    const expected = operations.flatMap(([name, , { methods }]) =>
      methods.map((method) => [method, name, permitted.includes(name) ? [200, name] : 'refused']),
    );
    expect(outcomes).toEqual(expected);
    const description = await gateway.ask('GET', pathOf(stages.jobs, openapiRoute), authorization);
    expect(description.status).toBe(200);
  });

  it('is tested with 28 callers and all operations', () => {
    expect(callers).toHaveLength(28);
    expect(operations).toHaveLength(Object.keys(jobRoutes).length + Object.keys(managementRoutes).length);
  });
});
