import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authorize } from '../../../core/authorizer/authorize.ts';
import { hashOf } from '../../../core/keys/client-keys.ts';
import { DAY, HOUR, KEY_CACHE } from '../../../core/limits.ts';
import { keyOperations } from '../../../core/operations/routes.ts';
import { useEmulatedDeployment } from '../../support/use-emulated-deployment.ts';
import { parseOutput } from '../command-output.ts';

const emulated = useEmulatedDeployment();
const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-keys-'));

beforeAll(async () => {
  await emulated.deploy('echo');
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

function keys(...args: string[]) {
  // The test runner's environment is a copy. The deployment above has set the addresses of the emulators in it.
  const options = { encoding: 'utf8', env: process.env } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/cli.ts', 'keys', ...args], options);
  return { status, stdout, stderr };
}

describe('keys create', () => {
  it('creates a key in the table from the outputs file, and the key works immediately', async () => {
    const outputs = join(folder, 'outputs.json');
    writeFileSync(outputs, JSON.stringify({ Platform: { KeysTable: 'KEYS_TABLE' } }));
    const { stdout } = keys('create', '--name', 'ci', '--owner', 'ada', '--outputs', outputs, '--json');
    const { id, secret } = parseOutput<{ id: string; secret: string }>('keys create', stdout);
    expect(id).toBe(hashOf(secret).slice(0, 12));
    const { caller } = await authorize(emulated.ports, { authorization: secret, operation: 'run', endpoint: 'echo' });
    expect(caller).toMatchObject({ name: 'ci', owner: 'ada', endpoints: ['*'], scopes: [] });
    expect(new Set(caller.operations())).toEqual(new Set([...keyOperations, 'session']));
  });

  it('limits the key as requested, and prints its secret once', async () => {
    const limits = [
      '--endpoints',
      'echo,other',
      '--operations',
      'run',
      '--expires',
      '2d',
      '--scopes',
      'templates:read',
    ];
    const { stdout, stderr } = keys('create', '--name', 'ci', '--table', 'KEYS_TABLE', ...limits);
    expect(stderr).toContain('shown only once');
    expect(stderr).toContain('Next: npx gpu-endpoints login --url URL');
    const authorization = stdout.trim();
    expect(stderr).toContain(`The id of the key is ${hashOf(authorization).slice(0, 12)}.`);
    const { caller } = await authorize(emulated.ports, { authorization, operation: 'run', endpoint: 'echo' });
    expect(caller).toMatchObject({ owner: 'ci', endpoints: ['echo', 'other'], scopes: ['templates:read'] });
    expect(caller.operations()).toEqual(['run', 'list-templates', 'read-template', 'session']);
    const key = await emulated.ports.keys.read(hashOf(authorization));
    expect((key?.expiresAt ?? 0) - (key?.createdAt ?? 0)).toBeCloseTo(2 * DAY, -3);
  });

  it('sets a budget, which `keys update` changes and removes', async () => {
    const table = ['--table', 'KEYS_TABLE'];
    const { stdout } = keys('create', '--name', 'ci', '--max-dollars-per-day', '2.5', ...table, '--json');
    const { id } = parseOutput<{ id: string }>('keys create', stdout);
    const stored = async () =>
      (await emulated.ports.keys.list()).find(({ hash }) => hash.startsWith(id))?.maxDollarsPerDay;
    expect(await stored()).toBe(2.5);
    expect(keys('ls', ...table).stdout).toMatch(new RegExp(`${id}.* 2\\.5 `));
    const json = keys('update', id, '--max-dollars-per-day', '19', ...table, '--json');
    expect(parseOutput('keys update', json.stdout)).toMatchObject({ id, maxDollarsPerDay: 19 });
    const changed = keys('update', id, '--max-dollars-per-day', '20', ...table);
    expect(changed.stdout).toContain(`${id} (ci, of ci) has a budget of $20 a day (UTC) within a minute.`);
    expect(await stored()).toBe(20);
    expect(keys('update', id, '--max-dollars-per-day', 'none', ...table).stdout).toContain('has no budget');
    expect(await stored()).toBeUndefined();
  });

  it.each([
    [['create', '--name', 'x', '--max-dollars-per-day', '0'], 'It must be US dollars from 0.01 to 1000000.'],
    [['update', '000000000000', '--max-dollars-per-day', 'many'], 'It must be US dollars from 0.01 to 1000000.'],
    [['update', '000000000000', '--table', 'KEYS_TABLE'], "required option '--max-dollars-per-day <dollars>'"],
    [['update', '000000000000', '--max-dollars-per-day', '1', '--table', 'KEYS_TABLE'], 'There is no key 000000000000'],
    [['create'], "required option '--name <name>' not specified"],
    [['create', '--name', ''], '--name is empty'],
    [
      ['create', '--name', 'x', '--operations', 'fly'],
      `--operations must be ${keyOperations.join(', ')} or *, got "fly"`,
    ],
    [['create', '--name', 'x', '--owner', ''], '--owner is empty'],
    [['create', '--name', 'x', '--endpoints', 'echo,Not_One'], '--endpoints must be endpoint ids or *, got "Not_One"'],
    [
      ['create', '--name', 'x', '--scopes', 'templates:read,all'],
      '--scopes must be templates:read, templates:write or templates:secrets, got "all"',
    ],
    [
      ['create', '--name', 'x', '--expires', '0d'],
      '--expires must be a period such as 30d or 12h, a date such as 2030-01-31',
    ],
    [['create', '--name', 'x', '--expires', '2030-13-01'], 'got "2030-13-01"'],
    [['create', '--name', 'x', '--expires', '2020-01-31'], '--expires 2020-01-31 is in the past'],
    [['ls', '--outputs', 'missing.json'], 'missing.json'],
    [['revoke', '--table', 'KEYS_TABLE'], "missing required argument 'id'"],
    [['revoke', 'abcd', 'efgh', '--table', 'KEYS_TABLE'], 'Expected 1 argument but got 2'],
    [['revoke', 'abc', '--table', 'KEYS_TABLE'], 'must be 6 to 64 characters of 0-9 and a-f, got "abc"'],
    [['revoke', '00000000000000', '--table', 'KEYS_TABLE'], 'There is no key 00000000000000'],
    [['create', '--name', 'x', '--outputs', 'missing.json'], 'missing.json'],
    [['create', '--name', 'x', '--nonsense'], '--nonsense'],
  ])('prints one sentence and no stack trace for %j', (args, sentence) => {
    const { status, stderr } = keys(...args);
    expect(status).toBe(1);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('warns of an endpoint that does not exist now', () => {
    const outputs = join(folder, 'with-endpoints.json');
    writeFileSync(
      outputs,
      JSON.stringify({ Platform: { KeysTable: 'KEYS_TABLE', EndpointsTable: 'ENDPOINTS_TABLE' } }),
    );
    const { status, stderr } = keys('create', '--name', 'x', '--endpoints', 'echo,ecko', '--outputs', outputs);
    expect(stderr).toContain('There is no endpoint ecko now. The key may call it once it is deployed.');
    expect(stderr).not.toContain('no endpoint echo ');
    expect(status).toBe(0);
  });

  it('refuses a budget in a deployment without history, and warns of endpoints without a price', async () => {
    const withHistory = (HistoryDays: string) => {
      const outputs = join(folder, `history-${HistoryDays}.json`);
      const Platform = { KeysTable: 'KEYS_TABLE', EndpointsTable: 'ENDPOINTS_TABLE', HistoryDays };
      writeFileSync(outputs, JSON.stringify({ Platform }));
      return ['--outputs', outputs];
    };
    const budget = ['--max-dollars-per-day', '5'];
    const refusal =
      '--max-dollars-per-day must be omitted with `historyDays: 0`, because the service then sums no costs.';
    const before = (await emulated.ports.keys.list()).length;
    const refused = keys('create', '--name', 'x', ...budget, ...withHistory('0'));
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining(refusal)]);
    expect((await emulated.ports.keys.list()).length).toBe(before);
    expect(keys('create', '--name', 'x', ...withHistory('0')).status).toBe(0);

    const warning =
      'The price of the workers of echo is unknown, so their time does not count in the budget of the key.';
    const { status, stdout, stderr } = keys('create', '--name', 'x', ...budget, ...withHistory('30'));
    expect([status, stderr]).toEqual([0, expect.stringContaining(warning)]);
    const id = hashOf(stdout.trim()).slice(0, 12);
    expect(keys('update', id, ...budget, ...withHistory('0')).stderr).toContain(refusal);
    expect(keys('update', id, ...budget, ...withHistory('30')).stderr).toContain(warning);
    expect(keys('update', id, '--max-dollars-per-day', 'none', ...withHistory('0')).status).toBe(0);
  });

  it('sets the expiry from --expires', async () => {
    const make = (expires: string) => keys('create', '--name', 'x', '--table', 'KEYS_TABLE', '--expires', expires);
    const expiries = ['5h', '2030-01-31', '2030-01-31T12:30Z'].map((text) => make(text).stdout.split('\n')[0] ?? '');
    const records = await Promise.all(expiries.map((secret) => emulated.ports.keys.read(hashOf(secret))));
    const [hours, date, time] = records.map((record) => record?.expiresAt);
    expect((hours ?? 0) - (records[0]?.createdAt ?? 0)).toBeCloseTo(5 * HOUR, -3);
    expect([date, time]).toEqual([Date.UTC(2030, 0, 31), Date.UTC(2030, 0, 31, 12, 30)]);
  });
});

describe('keys', () => {
  const made = (...args: string[]) => {
    const { stdout } = keys('create', '--name', 'listed', '--owner', 'bob', '--table', 'KEYS_TABLE', '--json', ...args);
    return parseOutput<{ secret: string; id: string }>('keys create', stdout);
  };

  it('lists what each key may do, without its secret and its hash', () => {
    const { secret, id } = made('--endpoints', 'echo', '--scopes', 'templates:write');
    const { id: brief } = made('--expires', '30d');
    const plain = keys('ls', '--table', 'KEYS_TABLE').stdout;
    expect(plain).toMatch(/^ID +NAME +OWNER +EXPIRES +\$\/DAY +ENDPOINTS +OPERATIONS +SCOPES\n/);
    expect(plain).toMatch(new RegExp(`^${id} +listed +bob +never +none +echo +\\* +templates:write$`, 'm'));
    expect(plain).toMatch(new RegExp(`^${brief} .* in (?:29|30) d `, 'm'));
    const json = keys('ls', '--table', 'KEYS_TABLE', '--json').stdout;
    const found = parseOutput<{ keys: { id: string }[] }>('keys ls', json).keys.find((key) => key.id === id);
    expect(found).toMatchObject({ name: 'listed', owner: 'bob', endpoints: ['echo'], scopes: ['templates:write'] });
    for (const text of [plain, json]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(hashOf(secret));
    }
  });

  it('revokes one key, which is refused as soon as the cache has expired', async () => {
    const [gone, kept] = [made(), made()];
    const call = ({ secret }: { secret: string }) =>
      authorize(emulated.ports, { authorization: secret, operation: 'run', endpoint: 'echo' });
    await call(gone);
    const { status, stdout } = keys('revoke', gone.id, '--table', 'KEYS_TABLE');
    expect([status, stdout]).toEqual([0, expect.stringContaining(`Revoked ${gone.id} (listed, of bob).`)]);
    expect(stdout).toContain('60 seconds');
    emulated.clock.advance(KEY_CACHE);
    await expect(call(gone)).rejects.toThrow('does not exist in this deployment');
    await call(kept);
    expect(keys('ls', '--table', 'KEYS_TABLE').stdout).not.toContain(gone.id);
    const json = keys('revoke', kept.id.slice(0, 8), '--table', 'KEYS_TABLE', '--json').stdout;
    expect(parseOutput('keys revoke', json)).toEqual({ id: kept.id });
  });

  it('revokes no key if two ids begin with the argument', async () => {
    const record = { name: 'twin', owner: 'o', endpoints: ['*'], operations: ['*'], scopes: [], createdAt: 1 };
    const twins = ['1', '2'].map((last) => `abcdef${'0'.repeat(57)}${last}`);
    for (const hash of twins) await emulated.ports.keys.create({ ...record, hash });
    const { status, stderr } = keys('revoke', 'abcdef', '--table', 'KEYS_TABLE');
    expect([status, stderr]).toEqual([1, expect.stringContaining('Send more characters')]);
    for (const hash of twins) expect(await emulated.ports.keys.read(hash)).toBeDefined();
  });
});
