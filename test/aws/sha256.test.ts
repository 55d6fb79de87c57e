import { createHmac, hash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { Sha256 } from '../../aws/services/sha256.ts';

const hex = async (sha: Sha256) => Buffer.from(await sha.digest()).toString('hex');
const bytes = new TextEncoder().encode('..héllo');
const TEXT = 'héllo';

it.each([
  ['a string', TEXT],
  ['bytes', Buffer.from(TEXT)],
  ['a part of a buffer', bytes.subarray(2)],
  ['a whole buffer', bytes.slice(2).buffer],
])('hashes %s', async (_, data) => {
  const plain = new Sha256();
  plain.update(data);
  expect(await hex(plain)).toBe(hash('sha256', TEXT));
});

it.each([
  ['a string', TEXT],
  ['bytes', Buffer.from(TEXT)],
  ['a part of a buffer', bytes.subarray(2)],
])('signs with %s, each time', async (_, secret) => {
  for (const data of ['one', 'two']) {
    const keyed = new Sha256(secret);
    keyed.update(data);
    expect(await hex(keyed)).toBe(createHmac('sha256', TEXT).update(data).digest('hex'));
  }
});
