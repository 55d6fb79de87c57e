import { describe, expect, it } from '@jest/globals';
import {
  createSecret,
  loginAsValue,
  removeSecret,
  replaceSecret,
  restoreSecret,
} from '../../core/templates/keep-secret.ts';
import { nameRefusal, readEnvValue, secretNameOf, type Vault } from '../../core/templates/vault.ts';

describe('names in the vault', () => {
  it.each([
    ['registryAuth', 'hub', 'gpu-endpoints/registry-auth/hub'],
    ['registryAuth', 'ghcr-2', 'gpu-endpoints/registry-auth/ghcr-2'],
    ['env', 'HF_TOKEN', 'gpu-endpoints/env/HF_TOKEN'],
    ['env', '_x', 'gpu-endpoints/env/_x'],
  ] as const)('of kind %s accept %s', (kind, name, called) => {
    expect(nameRefusal(kind, name)).toBeUndefined();
    expect(secretNameOf('gpu-endpoints', kind, name)).toBe(called);
  });

  it.each([
    ['registryAuth', ''],
    ['registryAuth', 'Hub'],
    ['registryAuth', '-hub'],
    ['registryAuth', 'hub-'],
    ['registryAuth', 'a/../b'],
    ['registryAuth', 'a'.repeat(65)],
    ['env', ''],
    ['env', '1A'],
    ['env', 'A-B'],
    ['env', 'A*'],
    ['env', 'A\nB'],
    ['env', 'A\n'],
    ['env', 'a'.repeat(129)],
  ] as const)('of kind %s refuse %j', (kind, name) => {
    expect(nameRefusal(kind, name)).toContain('is not a valid name: a name must be');
  });

  it('must not end like ARNs of secrets', () => {
    expect(nameRefusal('registryAuth', 'my-docker')).toContain('ends with - and six characters');
    expect(nameRefusal('registryAuth', 'my-docker1')).toBeUndefined();
  });
});

describe('a value of env', () => {
  it.each(['', 'plain', 'secrets:NAME', '{secrets:NAME}', '{{other:NAME}}', '{{ "a": 1 }}', '{{{{'])(
    'is plain text if it is %j',
    (value) => expect(readEnvValue(value)).toEqual({ is: 'text' }),
  );

  it('is a reference to a secret if it contains nothing else', () => {
    expect(readEnvValue('{{secrets:HF_TOKEN}}')).toEqual({ is: 'secret', name: 'HF_TOKEN' });
  });

  it.each([
    ['Bearer {{secrets:TOKEN}}', 'the whole value'],
    ['{{secrets:A}}{{secrets:B}}', 'the whole value'],
    ['{{secrets:A}} ', 'the whole value'],
    ['{{secrets:A}}\n', 'the whole value'],
    ['{{ secrets:A }}', 'the whole value'],
    ['{{Secrets:A}}', 'the whole value'],
    ['{{secrets:A', 'the whole value'],
    ['{{secrets:}}', '"" is not a valid name'],
    ['{{secrets:A-B}}', '"A-B" is not a valid name'],
    ['{{secrets:../registry-auth/hub}}', 'is not a valid name'],
    ['{{secrets: A}}', '" A" is not a valid name'],
  ])('is refused if it only looks like a reference: %j', (value, reason) => {
    expect(readEnvValue(value)).toEqual({ is: 'refused', reason: expect.stringContaining(reason) });
  });

  it('is not repeated when it is refused', () => {
    expect(JSON.stringify(readEnvValue('canary {{secrets:A}}'))).not.toContain('canary');
  });
});

/** Returns a vault that records its calls. */
function recordingVault(there: readonly string[] = []): { vault: Vault; done: unknown[] } {
  const done: unknown[] = [];
  const add = async (...what: unknown[]): Promise<void> => void done.push(what);
  const vault: Vault = {
    find: async (_kind, name) => (there.includes(name) ? `arn:${name}` : undefined),
    list: async () => [],
    create: (...what) => add('create', ...what),
    replace: (...what) => add('replace', ...what),
    remove: async (...what) => {
      await add('remove', ...what);
      return 1;
    },
    restore: (...what) => add('restore', ...what),
  };
  return { vault, done };
}

describe('a value in the vault', () => {
  it('is checked before it is stored', async () => {
    const { vault, done } = recordingVault();
    for (const put of [createSecret, replaceSecret]) {
      await expect(put(vault, 'env', 'A-B', 'x')).rejects.toThrow('"A-B" is not a valid name');
      await expect(put(vault, 'env', 'A', '')).rejects.toThrow('The value is empty.');
      await expect(put(vault, 'env', 'A', 'canary\0')).rejects.toThrow(/^The value contains a zero byte/);
      await expect(put(vault, 'env', 'A', 'ä'.repeat(32_769))).rejects.toThrow(
        'has 65538 bytes; at most 65536 are allowed',
      );
    }
    expect(done).toEqual([]);
    await createSecret(vault, 'env', 'A', 'ä'.repeat(32_768));
    expect(done).toHaveLength(1);
  });

  it('is an object of username and password for a registry, as ECS requires', () => {
    expect(loginAsValue({ username: 'ada', password: 'a"b' })).toBe('{"username":"ada","password":"a\\"b"}');
  });

  it('is removed, and the response contains the time until which it can be restored', async () => {
    const { vault, done } = recordingVault();
    expect(await removeSecret(vault, 'env', 'A')).toBe(1);
    expect(done).toEqual([['remove', 'env', 'A']]);
  });

  it('is not restored if it exists', async () => {
    const { vault, done } = recordingVault(['A']);
    await expect(restoreSecret(vault, 'env', 'A')).rejects.toThrow('A is not deleted, so it cannot be restored.');
    await restoreSecret(vault, 'env', 'B');
    expect(done).toEqual([['restore', 'env', 'B']]);
  });
});
