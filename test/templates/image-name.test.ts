import { describe, expect, it } from '@jest/globals';
import { validate } from '../../core/requests/validation.ts';
import { imageName } from '../../core/templates/image-name.ts';

const check = (name: unknown) => validate(imageName, name, 'imageName');
const must = 'must be the name of a container image of at most 255 characters, such as `team/worker:1.2`';
const digest = 'a'.repeat(64);

describe('the name of an image', () => {
  it.each(['a', 'a:b', 'localhost/a', 'host:5000/team/a_b.c--d:1.2', `a@sha256:${digest}`])('can be %s', (name) => {
    expect(check(name)).toBe(name);
  });

  it.each<[name: unknown, reason: string]>([
    ['', 'it is empty'],
    ['a'.repeat(256), 'it has 256 characters'],
    ['UPPER/x', 'its part "UPPER" must have only lower-case letters and digits'],
    ['team/a b', 'its part "a b" must have only lower-case letters and digits'],
    ['team//a', 'one of its parts between slashes is empty'],
    ['a/', 'one of its parts between slashes is empty'],
    ['a:', 'its tag "" must have 1 to 128 letters, digits, _, . and hyphens'],
    ['a:.b', 'its tag ".b" must have 1 to 128 letters'],
    ['a:b:c', 'its last part has more than one colon'],
    ['a@sha256:12', 'its digest "sha256:12" must be sha256: and 64 hexadecimal digits in lower case'],
    [`a@sha256:${digest}@b`, 'it has more than one @'],
    ['host:0/a', 'its registry "host:0" must be a host name, optionally with a port from 1 to 65535'],
    ['https://host/a', 'its registry "https:" must be a host name'],
  ])('cannot be %j, with what is wrong and what is allowed', (name, reason) => {
    expect(() => check(name)).toThrow(`\`imageName\` ${must}: ${reason}`);
  });
});
