/** Tests `gpu-endpoints secrets` and `gpu-endpoints registry` with a local Secrets Manager. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { secretNameOf } from '../../../core/templates/vault.ts';
import { type SecretService, startSecretService } from '../../support/secret-service.ts';
import { parseOutput } from '../command-output.ts';

const CANARY = 'canary-5d41402abc';

let service: SecretService;
let printed: string;
const stateDir = mkdtempSync(join(tmpdir(), 'gpu-endpoints-secrets-'));

beforeAll(async () => {
  service = await startSecretService();
  const outputs = { Platform: { Deployment: 'gpu-endpoints', AwsEnvironment: service.environment } };
  writeFileSync(join(stateDir, 'outputs.json'), JSON.stringify(outputs));
});
afterEach(() => {
  // Each run checks that no command prints a value.
  expect(printed).not.toContain(CANARY);
});
afterAll(async () => {
  rmSync(stateDir, { recursive: true });
  await service.stop();
});

/** @param environment variables that replace those of this process. The default AWS address does not answer. */
async function run(command: string, args: string[], input = '', environment: Readonly<Record<string, string>> = {}) {
  const aws = { LOCAL_STATE_DIR: stateDir, AWS_ENDPOINT_URL: 'http://127.0.0.1:1', AWS_REGION: 'eu-west-1' };
  const child = spawn(process.execPath, ['bin/cli.ts', command, ...args], {
    env: { ...process.env, ...aws, ...environment },
  });
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.once('exit', resolve);
  // A command that refuses its arguments does not read its input.
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  printed = stdout + stderr;
  return { status, stdout, stderr };
}

const secrets = (args: string[], input?: string) => run('secrets', [...args, '--env', 'local'], input);
const logins = (args: string[], input?: string) => run('registry', [...args, '--env', 'local'], input);
const variable = (name: string) => service.store.find(secretNameOf('gpu-endpoints', 'env', name))?.current.value;
const login = (name: string) => service.store.find(secretNameOf('gpu-endpoints', 'registryAuth', name))?.current.value;

describe('registry', () => {
  it('stores a login in the format of ECS, and prints how templates refer to it', async () => {
    const { status, stdout } = await logins(['create', 'hub', '--username', 'ada'], `${CANARY}\n`);
    expect([status, stdout]).toEqual([0, 'Created hub. Templates refer to it as "containerRegistryAuthId": "hub".\n']);
    expect(login('hub')).toBe(JSON.stringify({ username: 'ada', password: CANARY }));
    const { stdout: list } = await logins(['ls', '--json']);
    const at = '2030-01-01T00:00:00.000Z';
    expect(parseOutput('registry ls', list)).toEqual({ logins: [{ name: 'hub', createdAt: at, changedAt: at }] });
    expect((await secrets(['ls'])).stdout).toBe('There are no secrets.\n');
    expect((await logins(['rotate', 'hub', '--username', 'eve'], 'other')).status).toBe(0);
    expect(login('hub')).toBe('{"username":"eve","password":"other"}');
  });

  it('requires a username and a password', async () => {
    const { stderr } = await logins(['create', 'x'], CANARY);
    expect(stderr).toContain("required option '--username <user>' not specified");
    const empty = await logins(['create', 'x', '--username', 'ada'], '\n');
    expect([empty.status, empty.stderr]).toEqual([1, 'The password is empty.\n']);
    expect(login('x')).toBeUndefined();
  });
});

describe('secrets', () => {
  it('stores a value from stdin without its final line break, and rotates, deletes and restores it', async () => {
    const { stdout } = await secrets(['create', 'TOKEN'], `${CANARY}\nsecond\n\n`);
    expect(stdout).toContain('Created TOKEN. Templates refer to it as {{secrets:TOKEN}}');
    expect(variable('TOKEN')).toBe(`${CANARY}\nsecond\n`);
    const again = await secrets(['create', 'TOKEN'], CANARY);
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('TOKEN already exists')]);

    expect((await secrets(['rotate', 'TOKEN'], 'new')).stdout).toContain('Running workers continue with the old value');
    expect(variable('TOKEN')).toBe('new');
    expect((await secrets(['ls'])).stdout).toMatch(/^NAME +CREATED +VALUE SET\nTOKEN +.* ago +.* ago\n$/);
    const [found] = parseOutput<{ secrets: object[] }>('secrets ls', (await secrets(['ls', '--json'])).stdout).secrets;
    expect(found).toMatchObject({ name: 'TOKEN', createdAt: expect.stringMatching(/^2030-01-01T/) });

    const { stdout: gone } = await secrets(['delete', 'TOKEN']);
    expect(gone).toContain('`restore` can recover it until 2030-01-08T00:00:00.000Z');
    const { stderr } = await secrets(['create', 'TOKEN'], CANARY);
    expect(stderr).toContain('TOKEN was deleted, and its name is taken for 7 days');
    const { stdout: restored } = await secrets(['restore', 'TOKEN', '--json']);
    expect(parseOutput('secrets restore', restored)).toEqual({ name: 'TOKEN' });
    expect(variable('TOKEN')).toBe('new');
  });

  it('uses the account of the environment by default', async () => {
    const { status } = await run('secrets', ['create', 'DEPLOYED'], 'x', service.environment);
    expect([status, variable('DEPLOYED')]).toEqual([0, 'x']);
  });

  it.each([
    [['create'], "missing required argument 'name'"],
    [['create', 'A', CANARY], 'because other users could see an argument'],
    [['create', 'A', '--username', 'ada'], "unknown option '--username'"],
    [['create', 'A', '--value', CANARY], "unknown option '--value'"],
    [['create', 'A-B'], '"A-B" is not a valid name: a name must be 1 to 128 characters'],
    [['rotate', 'MISSING'], 'MISSING does not exist.'],
    [['delete'], "missing required argument 'name'"],
    [['delete', 'A', 'B'], 'Expected 1 argument but got 2'],
    [['delete', 'MISSING'], 'MISSING does not exist.'],
    [['restore', 'DEPLOYED'], 'DEPLOYED is not deleted, so it cannot be restored.'],
    [['ls', 'A'], 'Expected 0 arguments but got 1'],
  ])('prints one sentence and no stack trace for %j', async (args, sentence) => {
    const { status, stderr } = await secrets(args, CANARY);
    expect([status, stderr]).toEqual([1, expect.stringContaining(sentence)]);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('separates the secrets of deployments', async () => {
    const env = { ...service.environment };
    const of = (deployment: string, ...args: string[]) =>
      run('secrets', [...args, '--deployment', deployment], CANARY, env);
    expect((await of('prod', 'create', 'APART')).status).toBe(0);
    expect(service.store.find('prod/env/APART')?.current.value).toBe(CANARY);
    expect(variable('APART')).toBeUndefined();
    expect((await of('test', 'ls')).stdout).toBe('There are no secrets.\n');
  });

  it('reports that `dev` is not running', async () => {
    const { stderr } = await run('secrets', ['ls', '--env', 'local'], '', { LOCAL_STATE_DIR: 'nowhere' });
    expect(stderr).toContain('nowhere/outputs.json does not exist: run `npm start` in another terminal.');
  });

  it('prints the reason why the value is not an option', async () => {
    const { status, stdout } = await run('secrets', ['create', '--help']);
    expect([status, stdout]).toEqual([0, expect.stringContaining('every process on the machine can see arguments')]);
  });
});

describe.each([
  ['secrets', secrets, []],
  ['registry', logins, ['--username', 'ada']],
] as const)('%s with --json', (command, of, options) => {
  it('prints the recorded form of each change', async () => {
    const changed = async (verb: string, ...args: readonly string[]) => {
      const { stdout, stderr } = await of([verb, 'recorded', ...args, '--json'], CANARY);
      expect(stderr).toBe('');
      return parseOutput(`${command} ${verb}`, stdout);
    };
    const name = 'recorded';
    expect(await changed('create', ...options)).toEqual({ name });
    expect(await changed('rotate', ...options)).toEqual({ name });
    expect(await changed('delete')).toEqual({ name, restorableUntil: '2030-01-08T00:00:00.000Z' });
    expect(await changed('restore')).toEqual({ name });
  });
});
