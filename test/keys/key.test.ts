import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { hashOf, isWellFormed, mayCall, newSecret } from '../../core/keys/client-keys.ts';

describe('a client key', () => {
  const secret = newSecret(randomBytes(64));

  it('is not well-formed after a change of any character', () => {
    expect(secret).toMatch(/^gpue_[0-9A-Za-z]{38}$/);
    expect(isWellFormed(secret)).toBe(true);
    for (let at = 5; at < secret.length; at += 1) {
      const other = secret[at] === 'x' ? 'y' : 'x';
      expect(isWellFormed(secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false);
    }
  });

  it.each(['', 'gpue_', 'null', `${secret} `, ` ${secret}`, `${secret}\u0000`, secret.slice(0, -1), `${secret}x`])(
    'cannot be %j',
    (text) => {
      expect(isWellFormed(text)).toBe(false);
    },
  );

  it('is unique, and cannot be created from too few random bytes', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => newSecret(randomBytes(64)))).size).toBe(1_000);
    expect(() => newSecret(randomBytes(16))).toThrow('Too few random bytes');
  });

  it('is stored as a hash that does not contain it', () => {
    expect(hashOf(secret)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashOf(secret)).not.toBe(hashOf(newSecret(randomBytes(64))));
  });
});

describe('the calls that a key allows', () => {
  const key = { hash: 'h', name: 'n', owner: 'o', endpoints: ['a'], operations: ['run'], scopes: [], createdAt: 0 };

  it.each([
    ['run', 'a', true],
    ['run', 'b', false],
    ['status', 'a', false],
    ['run', undefined, true],
  ] as const)('include %s on %s: %s', (operation, endpoint, expected) => {
    expect(mayCall(key, operation, endpoint)).toBe(expected);
  });

  it('include every operation on every endpoint if the key has *', () => {
    const all = { ...key, endpoints: ['*'], operations: ['*'] };
    expect(mayCall(all, 'health', 'b')).toBe(true);
  });
});
