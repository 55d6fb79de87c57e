import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createVault } from '../../aws/templates/vault.ts';
import { DAY } from '../../core/limits.ts';
import { type Vault, VaultRefusal } from '../../core/templates/vault.ts';
import { type SecretService, startSecretService } from '../support/secret-service.ts';

let service: SecretService;
let vault: Vault;

beforeAll(async () => {
  service = await startSecretService();
  Object.assign(process.env, service.environment);
  vault = createVault('gpu-endpoints');
});
afterAll(() => service.stop());

const heldAt = (id: string | undefined) => service.store.find(id ?? '')?.current.value;
const refused = (call: Promise<unknown>, sentence: string) =>
  expect(call).rejects.toMatchObject({
    constructor: VaultRefusal,
    message: expect.stringContaining(sentence),
  });

describe('the vault', () => {
  it('stores values of each kind under separate names, and returns their ARNs', async () => {
    await vault.create('env', 'same', 'a variable');
    await vault.create('registryAuth', 'same', 'a login');
    const [variable, login] = [await vault.find('env', 'same'), await vault.find('registryAuth', 'same')];
    expect(variable).toMatch(/:secret:gpu-endpoints\/env\/same-\w{6}$/);
    expect(login).toMatch(/:secret:gpu-endpoints\/registry-auth\/same-\w{6}$/);
    expect([heldAt(variable), heldAt(login)]).toEqual(['a variable', 'a login']);
    expect(await vault.find('env', 'other')).toBeUndefined();
  });

  it('lists the values of a kind by name, even if there is more than one page', async () => {
    const names = Array.from({ length: 120 }, (_, number) => `listed_${String(number).padStart(3, '0')}`);
    await Promise.all(names.map((name) => vault.create('env', name, 'x')));
    const entries = (await vault.list('env')).filter(({ name }) => name.startsWith('listed'));
    expect(entries.map(({ name }) => name)).toEqual(names);
    expect(entries[0]).toEqual({
      name: 'listed_000',
      createdAt: Date.UTC(2030, 0, 1),
      changedAt: Date.UTC(2030, 0, 1),
    });
    expect((await vault.list('registryAuth')).some(({ name }) => name.includes('listed'))).toBe(false);
  });

  it('replaces a value, and lists the time of the change', async () => {
    await vault.create('env', 'turned', 'old');
    const before = await vault.find('env', 'turned');
    service.advance(DAY);
    await vault.replace('env', 'turned', 'new');
    expect(await vault.find('env', 'turned')).toBe(before);
    expect(heldAt(before)).toBe('new');
    const [entry] = (await vault.list('env')).filter(({ name }) => name === 'turned');
    expect((entry?.changedAt ?? 0) - (entry?.createdAt ?? 0)).toBe(DAY);
  });

  it('refuses a call with its own error message', async () => {
    await vault.create('env', 'taken', 'x');
    await refused(vault.create('env', 'taken', 'canary'), 'taken already exists: use `rotate`');
    const missing = [vault.replace('env', 'gone', 'x'), vault.remove('env', 'gone'), vault.restore('env', 'gone')];
    await Promise.all(missing.map((call) => refused(call, 'gone does not exist.')));
  });

  it('hides a removed value for 7 days, in which it can be restored and its name is taken', async () => {
    await vault.create('env', 'away', 'value');
    const arn = await vault.find('env', 'away');
    const until = await vault.remove('env', 'away');
    expect(await vault.find('env', 'away')).toBeUndefined();
    expect((await vault.list('env')).some(({ name }) => name === 'away')).toBe(false);
    const gone = 'away was deleted, and its name is taken for 7 days after the deletion: use `restore`';
    const calls = [vault.create('env', 'away', 'x'), vault.replace('env', 'away', 'x'), vault.remove('env', 'away')];
    await Promise.all(calls.map((call) => refused(call, gone)));
    await vault.restore('env', 'away');
    expect(await vault.find('env', 'away')).toBe(arn);
    expect(heldAt(arn)).toBe('value');
    expect(await vault.remove('env', 'away')).toBe(until);
    service.advance(7 * DAY);
    await refused(vault.restore('env', 'away'), 'away does not exist.');
    await vault.create('env', 'away', 'recreated');
    expect(await vault.find('env', 'away')).not.toBe(arn);
  });
});
