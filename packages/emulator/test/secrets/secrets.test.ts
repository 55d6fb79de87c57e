/** Tests the local Secrets Manager with the SDK, through the proxy. */
import { readFileSync, statSync } from 'node:fs';
import * as sdk from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AwsProxy, startAwsProxy } from '../../aws-proxy/server.ts';
import { createPermissions, type Permissions } from '../../iam/permissions.ts';
import { type DeclaredStatement, parsePolicy } from '../../iam/statement.ts';
import { createSecretStore } from '../../secrets/secret-store.ts';
import { createSecretsApi } from '../../secrets/secrets-api.ts';
import { inputs } from '../../secrets/secrets-input.ts';
import { lockStateDirectory, type StateDirectory } from '../../state/state-directory.ts';
import { credentialsOf } from '../credentials.ts';
import { unknownMembers } from '../sdk-model.ts';
import { newFolder } from '../small-service.ts';

const DAY = 86_400_000;
const nowhere = 'http://127.0.0.1:1';
const CANARY = 'canary-5d41402abc';
const arnOf = (name: string) => `arn:aws:secretsmanager:us-east-1:000000000000:secret:${name}`;

let state: StateDirectory;
let now: number;
let proxy: AwsProxy;
let permissions: Permissions;
let notices: string[];
let secrets: sdk.SecretsManagerClient;
let clients: sdk.SecretsManagerClient[];

function clientOf(role: string): sdk.SecretsManagerClient {
  const credentials = credentialsOf(proxy, role);
  const client = new sdk.SecretsManagerClient({
    region: 'us-east-1',
    endpoint: proxy.url,
    maxAttempts: 1,
    credentials,
  });
  clients.push(client);
  return client;
}

function roleThatMay(name: string, Action: string | string[], Resource: string | string[]) {
  const Statement: DeclaredStatement[] = [{ Effect: 'Allow', Action, Resource }];
  permissions.addRole(name);
  permissions.attach(name, parsePolicy({ Version: '2012-10-17', Statement }, 'policy', 'identity'));
  return clientOf(name);
}

beforeEach(async () => {
  state = lockStateDirectory(newFolder());
  now = Date.UTC(2030, 0, 1);
  permissions = createPermissions();
  notices = [];
  clients = [];
  const clock = () => now;
  const services = new Map([['secretsmanager', createSecretsApi(createSecretStore(state, clock), clock)]]);
  const emulators = { dynamodbUrl: nowhere, sqsUrl: nowhere, s3Url: nowhere };
  proxy = await startAwsProxy({
    emulators,
    permissions,
    tables: new Map(),
    services,
    notify: (text) => notices.push(text),
  });
  secrets = clientOf('operator');
});

afterEach(async () => {
  for (const client of clients) client.destroy();
  await proxy.stop();
  state.release();
});

const create = (Name: string, SecretString = 'value', more: Partial<sdk.CreateSecretCommandInput> = {}) =>
  secrets.send(new sdk.CreateSecretCommand({ Name, SecretString, ...more }));
const put = (SecretId: string, SecretString: string, ClientRequestToken?: string) =>
  secrets.send(new sdk.PutSecretValueCommand({ SecretId, SecretString, ClientRequestToken }));
const get = (SecretId: string, VersionStage?: string, client = secrets) =>
  client.send(new sdk.GetSecretValueCommand({ SecretId, VersionStage }));
const describeIt = (SecretId: string) => secrets.send(new sdk.DescribeSecretCommand({ SecretId }));
const remove = (SecretId: string, more: object = { RecoveryWindowInDays: 7 }) =>
  secrets.send(new sdk.DeleteSecretCommand({ SecretId, ...more }));
const namesIn = ({ SecretList = [] }: sdk.ListSecretsCommandOutput) => SecretList.map(({ Name }) => Name);

const missing = { name: 'ResourceNotFoundException' };
const deleted = { name: 'InvalidRequestException', message: expect.stringContaining('marked for deletion') };

describe('the local Secrets Manager', () => {
  it('stores a value under a name, and describes the secret without its value', async () => {
    const { ARN = '', VersionId } = await create('a/TOKEN', CANARY);
    await create('b', CANARY, { Description: 'a token' });
    expect(ARN).toMatch(new RegExp(`^${arnOf('a/TOKEN')}-[A-Za-z]{6}$`));
    for (const id of ['a/TOKEN', ARN, arnOf('a/TOKEN')])
      expect(await get(id)).toMatchObject({ ARN, SecretString: CANARY, VersionId, VersionStages: ['AWSCURRENT'] });
    const described = await describeIt('a/TOKEN');
    expect(described).toMatchObject({ ARN, CreatedDate: new Date(now) });
    expect(await describeIt('b')).toMatchObject({ Description: 'a token' });
    const list = await secrets.send(new sdk.ListSecretsCommand({}));
    expect(JSON.stringify([described, list])).not.toContain(CANARY);
    for (const id of ['TOKEN', `${arnOf('a/TOKEN')}-wrong1`]) await expect(get(id)).rejects.toMatchObject(missing);
  });

  it('returns the newest value, or the previous one on request', async () => {
    await create('a', 'one');
    await expect(get('a', 'AWSPREVIOUS')).rejects.toMatchObject(missing);
    now += DAY;
    await put('a', 'two');
    expect([(await get('a')).SecretString, (await get('a', 'AWSPREVIOUS')).SecretString]).toEqual(['two', 'one']);
    expect(await describeIt('a')).toMatchObject({
      CreatedDate: new Date(now - DAY),
      LastChangedDate: new Date(now),
    });
    await expect(put('b', 'x')).rejects.toMatchObject(missing);
  });

  it('executes a repeated request only one time, and refuses its token for another request', async () => {
    const ClientRequestToken = 'a'.repeat(32);
    const { ARN } = await create('a', 'one', { ClientRequestToken });
    expect(await create('a', 'one', { ClientRequestToken })).toMatchObject({ ARN });
    await expect(create('a', 'two', { ClientRequestToken })).rejects.toMatchObject({ name: 'ResourceExistsException' });
    await expect(create('a', 'one')).rejects.toThrow('The operation failed because the secret a already exists.');
    const again = 'b'.repeat(32);
    for (const _ of [1, 2]) await put('a', 'two', again);
    expect((await get('a', 'AWSPREVIOUS')).SecretString).toBe('one');
    await expect(put('a', 'three', again)).rejects.toMatchObject({ name: 'ResourceExistsException' });
  });

  it('retains a deleted secret and its name for the recovery window', async () => {
    const { ARN } = await create('a', 'one');
    expect((await remove('a')).DeletionDate).toEqual(new Date(now + 7 * DAY));
    const attempts = [get('a'), put('a', 'two'), remove('a')];
    await Promise.all(attempts.map((attempt) => expect(attempt).rejects.toMatchObject(deleted)));
    await expect(create('a')).rejects.toThrow('a secret with this name is already scheduled for deletion');
    expect((await describeIt('a')).DeletedDate).toBeInstanceOf(Date);
    expect(namesIn(await secrets.send(new sdk.ListSecretsCommand({})))).toEqual([]);
    expect(namesIn(await secrets.send(new sdk.ListSecretsCommand({ IncludePlannedDeletion: true })))).toEqual(['a']);
    await secrets.send(new sdk.RestoreSecretCommand({ SecretId: 'a' }));
    expect(await get('a')).toMatchObject({ ARN, SecretString: 'one' });

    await remove('a');
    now += 7 * DAY;
    await expect(get('a')).rejects.toMatchObject(missing);
    await create('b');
    expect(readFileSync(state.file('secrets.json'), 'utf8')).not.toContain('"name": "a"');
    await expect(secrets.send(new sdk.RestoreSecretCommand({ SecretId: 'a' }))).rejects.toMatchObject(missing);
    expect((await create('a', 'new')).ARN).not.toBe(ARN);
    await remove('a', { ForceDeleteWithoutRecovery: true });
    await create('a');
    await remove('a');
    await remove('a', { ForceDeleteWithoutRecovery: true });
    await create('a');
  });

  it('lists secrets by the beginning of their names, page by page', async () => {
    for (const name of ['b/2', 'a/1', 'b/1', 'b/3', 'B/4']) await create(name);
    const Filters = [{ Key: 'name' as const, Values: ['b/'] }];
    const pages: unknown[] = [];
    for await (const page of sdk.paginateListSecrets({ client: secrets, pageSize: 2 }, { Filters }))
      pages.push(namesIn(page));
    expect(pages).toEqual([['b/1', 'b/2'], ['b/3']]);
  });

  it('checks the policies of its callers', async () => {
    await create('team/A', CANARY);
    await create('other/A', CANARY);
    const reader = roleThatMay('reader', 'secretsmanager:GetSecretValue', `${arnOf('team/')}*`);
    const exact = roleThatMay('exact', 'secretsmanager:GetSecretValue', `${arnOf('team/A')}-??????`);
    const denied = (call: Promise<unknown>) => expect(call).rejects.toMatchObject({ name: 'AccessDeniedException' });
    for (const client of [reader, exact]) {
      for (const id of ['team/A', arnOf('team/A')])
        expect((await get(id, undefined, client)).SecretString).toBe(CANARY);
      await denied(get('other/A', undefined, client));
      await denied(client.send(new sdk.ListSecretsCommand({})));
      await denied(client.send(new sdk.DescribeSecretCommand({ SecretId: 'team/A' })));
      await denied(client.send(new sdk.CreateSecretCommand({ Name: 'team/B', SecretString: 'x' })));
    }
    // The ARN of a missing secret lacks the random suffix of AWS.
    await expect(get('team/gone', undefined, reader)).rejects.toMatchObject(missing);
    await denied(get('team/gone', undefined, exact));
    expect(notices.length).toBeGreaterThan(0);
    expect(notices.join()).not.toContain(CANARY);
  });

  it('names unsupported parameters and operations, but never shows the value', async () => {
    const outcomeOf = (call: Promise<unknown>) =>
      call.then(String, (error: Error) => `${error.name}: ${error.message}`);
    const said = [
      await outcomeOf(create('a', CANARY, { KmsKeyId: 'alias/own' })),
      await outcomeOf(create('not a name', CANARY)),
      await outcomeOf(create('a', CANARY.repeat(5000))),
      await outcomeOf(secrets.send(new sdk.CreateSecretCommand({ Name: 'a', SecretBinary: Buffer.from(CANARY) }))),
      await outcomeOf(remove('a', { RecoveryWindowInDays: 6 })),
      await outcomeOf(secrets.send(new sdk.RotateSecretCommand({ SecretId: 'a' }))),
    ];
    expect(said).toEqual([
      'InvalidParameterException: CreateSecret does not accept this KmsKeyId.',
      'InvalidParameterException: CreateSecret does not accept this Name.',
      'InvalidParameterException: CreateSecret does not accept this SecretString.',
      expect.stringMatching(/^InvalidParameterException: .* does not accept this SecretString, SecretBinary\.$/),
      'InvalidParameterException: DeleteSecret does not accept this RecoveryWindowInDays.',
      'UnknownOperationException: Secrets Manager has no operation RotateSecret on this machine.',
    ]);
    expect([...said, ...notices].join()).not.toContain(CANARY);
  });

  it('retains secrets between runs, in a file that only its owner can read', async () => {
    const { ARN } = await create('a', CANARY);
    expect(createSecretStore(state).find('a')).toMatchObject({ arn: ARN, current: { value: CANARY } });
    expect(statSync(state.file('secrets.json')).mode & 0o777).toBe(0o600);
  });

  it.each(Object.entries(inputs))('accepts only members of the SDK model for %s', (operation, schema) => {
    const model = (sdk as unknown as Record<string, unknown>)[`${operation}Request$`];
    expect(model).toBeDefined();
    expect(unknownMembers(schema, model, operation)).toEqual([]);
  });
});
