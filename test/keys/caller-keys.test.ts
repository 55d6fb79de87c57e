/** Tests the custom resource of a function's client key, with the permissions of its role in the stacks. */
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createCallerKeyPorts } from '../../aws/keys/ports.ts';
import { authorize } from '../../core/authorizer/authorize.ts';
import { callerSecretName, ensureCallerKey, removeCallerKey } from '../../core/keys/caller-keys.ts';
import type { KeyRecord } from '../../core/keys/client-keys.ts';
import { KEY_CACHE } from '../../core/limits.ts';
import { type AwsProxy, startAwsProxy } from '../../packages/emulator/aws-proxy/server.ts';
import { resolve } from '../../packages/emulator/cloudformation/intrinsics.ts';
import { createPermissions } from '../../packages/emulator/iam/permissions.ts';
import { type DeclaredStatement, parsePolicy } from '../../packages/emulator/iam/statement.ts';
import { createSecretStore } from '../../packages/emulator/secrets/secret-store.ts';
import { createSecretsApi } from '../../packages/emulator/secrets/secrets-api.ts';
import { type SmallCloudFormation, startSmallCloudFormation } from '../lambda/small-cloudformation.ts';
import { roleNamed } from '../lib/permissions.ts';
import { stackOf, synthesizeWith } from '../lib/synthesis.ts';
import { sharedEmulators } from '../runner/emulators.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

interface Answer {
  readonly Status: string;
  readonly Reason?: string;
  readonly PhysicalResourceId: string;
  readonly Data?: { readonly secret: string };
}

const emulated = useEmulatedDeployment();
const secrets = createSecretStore();
let proxy: AwsProxy;
let cloudFormation: SmallCloudFormation;

/** Returns the policy that the stacks grant to the function. */
function policyOfFunction(): DeclaredStatement[] {
  const { template } = stackOf(synthesizeWith({}), 'Platform');
  const role = template.findResources('AWS::IAM::Role')[roleNamed(template, 'CallerKeys')];
  const documents = resolve(role?.Properties.Policies, {
    stackName: 'Platform',
    ref: (name) => (name === 'StorageKeysName' ? 'KEYS_TABLE' : name),
    attribute: (id) => `arn:aws:logs:us-east-1:000000000000:log-group:${id}:*`,
    imported: String,
    condition: () => true,
    mapped: () => undefined,
    localized: (text) => text,
  }) as { readonly PolicyDocument: { readonly Statement: DeclaredStatement[] } }[];
  return documents.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

beforeAll(async () => {
  await emulated.deploy('chat');
  // The client of the test is created before the environment becomes that of the function.
  await emulated.ports.keys.list();
  const permissions = createPermissions();
  permissions.addRole('maintain');
  const document = { Version: '2012-10-17', Statement: policyOfFunction() } as const;
  permissions.attach('maintain', parsePolicy(document, 'the policy', 'identity'));
  proxy = await startAwsProxy({
    emulators: sharedEmulators(),
    permissions,
    tables: new Map([['KEYS_TABLE', { partition: 'hash' }]]),
    services: new Map([['secretsmanager', createSecretsApi(secrets)]]),
    notify: () => undefined,
  });
  delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
  Object.assign(process.env, proxy.environment('maintain', 'Maintain'));
  cloudFormation = await startSmallCloudFormation();
});
afterAll(async () => {
  cloudFormation.stop();
  await proxy.stop();
});
afterEach(async () => {
  for (const secret of secrets.list()) secrets.remove(secret);
  for (const { hash } of await keys()) await emulated.ports.keys.remove(hash);
});

const keys = (): Promise<KeyRecord[]> => emulated.ports.keys.list();
const keyIn = ({ Data }: Answer) => secrets.find(Data?.secret ?? '')?.current.value ?? '';

/** Returns whether a request with the key may call the endpoint. */
async function opens(value: string, endpoint = 'chat'): Promise<boolean> {
  emulated.clock.advance(KEY_CACHE);
  return authorize(emulated.ports, { authorization: `Bearer ${value}`, operation: 'run', endpoint }).then(
    () => true,
    () => false,
  );
}

const propertiesOf = (endpoints: unknown, name: unknown = 'team/Caller') => ({ ServiceToken: 'arn', endpoints, name });
const send = async (event: object) =>
  (await cloudFormation.send(await import('../../lambda/keys/caller-keys.ts'), event)) as Answer;
const create = (endpoints: unknown = ['chat'], name?: unknown) =>
  send({ RequestType: 'Create', ResourceProperties: propertiesOf(endpoints, name) });
const update = (PhysicalResourceId: string, endpoints: readonly string[]) =>
  send({ RequestType: 'Update', PhysicalResourceId, ResourceProperties: propertiesOf(endpoints) });
const remove = (PhysicalResourceId: string, endpoints: unknown = ['chat']) =>
  send({ RequestType: 'Delete', PhysicalResourceId, ResourceProperties: propertiesOf(endpoints) });

/** The caller of the events, for tests that call the use-case. */
const caller = { stackId: 's', logicalId: 'l', endpoints: ['chat'], name: 'team/Caller' };
const crash = () => Promise.reject(new Error('crashed'));

describe('the client key of a function', () => {
  it('permits all operations on exactly its endpoints, and only the secret contains it', async () => {
    const lines = ['log', 'info', 'warn', 'error'] as const;
    const printed = lines.map((name) => jest.spyOn(console, name).mockImplementation(() => undefined));
    const created = await create(['voice', 'chat', 'chat']);
    const logged = JSON.stringify(printed.map(({ mock }) => mock.calls));
    for (const spy of printed) spy.mockRestore();
    expect(created).toMatchObject({
      Status: 'SUCCESS',
      PhysicalResourceId: expect.stringMatching(/^gpu-endpoints\/client-keys\/[0-9a-f]{20}$/),
      Data: { secret: expect.stringMatching(/:secret:gpu-endpoints\/client-keys\/[0-9a-f]{20}-\w{6}$/) },
    });
    const value = keyIn(created);
    expect(await keys()).toEqual([
      expect.objectContaining({
        name: 'team/Caller',
        owner: 'team/Caller',
        endpoints: ['chat', 'voice'],
        operations: ['*'],
        scopes: [],
      }),
    ]);
    expect([await opens(value), await opens(value, 'other')]).toEqual([true, false]);
    expect(JSON.stringify([created, await keys(), secrets.list()[0]?.description]) + logged).not.toContain(value);
  });

  it('stays the same if CloudFormation repeats the request, also in another order and at the same time', async () => {
    const first = await create(['chat', 'voice']);
    const value = keyIn(first);
    expect(await create(['voice', 'chat'])).toEqual(first);
    expect(await update(first.PhysicalResourceId, ['chat', 'voice'])).toEqual(first);
    const ports = createCallerKeyPorts();
    const two = { ...caller, endpoints: ['voice', 'chat'] };
    const ensure = () => ensureCallerKey(ports, 'gpu-endpoints', two, randomBytes(64));
    expect(await Promise.all([ensure(), ensure()])).toEqual([first.Data?.secret, first.Data?.secret]);
    expect([keyIn(first), secrets.list().length, (await keys()).length]).toEqual([value, 1, 1]);
    expect(await opens(value)).toBe(true);
  });

  it('is replaced if its endpoints change, and the old key is removed afterwards', async () => {
    const first = await create(['chat']);
    const second = await update(first.PhysicalResourceId, ['chat', 'voice']);
    expect(second.PhysicalResourceId).not.toBe(first.PhysicalResourceId);
    const values = [keyIn(first), keyIn(second)];
    expect([await opens(String(values[0])), await opens(String(values[1]), 'chat')]).toEqual([true, true]);
    await remove(first.PhysicalResourceId, ['chat']);
    expect([await opens(String(values[0])), await opens(String(values[1]), 'chat')]).toEqual([false, true]);
    expect(secrets.list().map(({ arn }) => arn)).toEqual([second.Data?.secret]);
  });

  it('is another key in another stack, for another resource and under another name', () => {
    const names = [caller, { ...caller, stackId: 't' }, { ...caller, logicalId: 'm' }, { ...caller, name: 'n' }].map(
      (each) => callerSecretName('gpu-endpoints', each),
    );
    expect(new Set(names).size).toBe(4);
  });

  it('is revoked and removed with its stack, also if the deletion is repeated', async () => {
    const created = await create();
    const value = keyIn(created);
    for (const _ of [1, 2])
      expect(await remove(created.PhysicalResourceId)).toMatchObject({
        Status: 'SUCCESS',
        PhysicalResourceId: created.PhysicalResourceId,
      });
    expect([await opens(value), await keys(), secrets.list()]).toEqual([false, [], []]);
  });

  it('is removed if CloudFormation received no response to its creation, and so has an id of its own', async () => {
    await create();
    expect(await remove('team-ClientKey-1ABCDEFGHIJK')).toMatchObject({
      Status: 'SUCCESS',
      PhysicalResourceId: 'team-ClientKey-1ABCDEFGHIJK',
    });
    expect([await keys(), secrets.list()]).toEqual([[], []]);
  });

  it('is revoked if an operator has scheduled the deletion of its secret', async () => {
    const created = await create();
    const [secret] = secrets.list();
    if (secret) secrets.put({ ...secret, goneAt: Date.now() + 60_000 });
    expect(await remove(created.PhysicalResourceId)).toMatchObject({ Status: 'SUCCESS' });
    expect([await keys(), secrets.list()]).toEqual([[], []]);
  });
});

describe('a crash', () => {
  it('after the secret is stored leaves no valid key, and the next attempt makes the stored secret valid', async () => {
    const ports = createCallerKeyPorts();
    const crashing = { clock: ports.clock, callerSecrets: ports.callerSecrets, keys: { create: crash, remove: crash } };
    await expect(ensureCallerKey(crashing, 'gpu-endpoints', caller, randomBytes(64))).rejects.toThrow('crashed');
    const [stored] = secrets.list();
    const value = stored?.current.value ?? '';
    expect([await opens(value), await keys()]).toEqual([false, []]);
    const repeated = await create();
    expect([repeated.Data?.secret, keyIn(repeated), await opens(value)]).toEqual([stored?.arn, value, true]);
    expect((await keys()).length).toBe(1);
  });

  it('after the secret is stored leaves nothing after CloudFormation rolls back', async () => {
    const ports = createCallerKeyPorts();
    const crashing = { clock: ports.clock, callerSecrets: ports.callerSecrets, keys: { create: crash, remove: crash } };
    await expect(ensureCallerKey(crashing, 'gpu-endpoints', caller, randomBytes(64))).rejects.toThrow('crashed');
    expect(await remove(callerSecretName('gpu-endpoints', caller))).toMatchObject({ Status: 'SUCCESS' });
    expect([await keys(), secrets.list()]).toEqual([[], []]);
  });

  it('before the secret is stored leaves no key', async () => {
    const ports = createCallerKeyPorts();
    const callerSecrets = { create: crash, find: crash, remove: crash };
    const crashing = { clock: ports.clock, keys: ports.keys, callerSecrets };
    await expect(ensureCallerKey(crashing, 'gpu-endpoints', caller, randomBytes(64))).rejects.toThrow('crashed');
    expect(await keys()).toEqual([]);
  });

  it('during the removal leaves the hash by which the next attempt revokes the key', async () => {
    const created = await create();
    const { keys: table, callerSecrets } = createCallerKeyPorts();
    const { PhysicalResourceId } = created;
    const unrevoked = { callerSecrets, keys: { create: crash, remove: crash } };
    await expect(removeCallerKey(unrevoked, PhysicalResourceId)).rejects.toThrow('crashed');
    expect(secrets.list().length).toBe(1);
    const kept = { keys: table, callerSecrets: { ...callerSecrets, remove: crash } };
    await expect(removeCallerKey(kept, PhysicalResourceId)).rejects.toThrow('crashed');
    expect([await keys(), secrets.list().length]).toEqual([[], 1]);
    expect(await remove(PhysicalResourceId)).toMatchObject({ Status: 'SUCCESS' });
    expect(secrets.list()).toEqual([]);
  });
});

describe('the custom resource', () => {
  it.each([
    ['an endpoint id', ['Chat'], 'team', '`endpoints'],
    ['all endpoints', ['*'], 'team', 'name each endpoint'],
    ['no endpoints', [], 'team', '`endpoints` must be a list'],
    ['a text as endpoints', 'chat', 'team', '`endpoints` must be a list'],
    ['an empty name', ['chat'], '', '`name` must be'],
    ['a name that is no owner', ['chat'], 'Größe', '`owner` must be'],
  ])('refuses %s, stores nothing, and can be rolled back', async (_, endpoints, name, reason) => {
    const refused = await create(endpoints, name);
    expect(refused).toMatchObject({ Status: 'FAILED', Reason: expect.stringContaining(reason) });
    expect([await keys(), secrets.list()]).toEqual([[], []]);
    expect(await remove(refused.PhysicalResourceId, endpoints)).toMatchObject({ Status: 'SUCCESS' });
  });

  it('fails instead of deleting a secret whose description no longer contains the hash', async () => {
    const created = await create();
    const [secret] = secrets.list();
    if (secret) secrets.put({ ...secret, description: 'Mine' });
    expect(await remove(created.PhysicalResourceId)).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining('must end with the hash of its key, got "Mine"'),
    });
    expect([secrets.list().length, (await keys()).length]).toEqual([1, 1]);
  });
});
