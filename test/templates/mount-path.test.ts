import { describe, expect, it } from '@jest/globals';
import { validate } from '../../core/requests/validation.ts';
import { mountPath } from '../../core/templates/mount-path.ts';

const check = (path: unknown) => validate(mountPath, path, 'volumeMountPath');

describe('a mount path', () => {
  it.each([
    '/workspace',
    '/a',
    '/root/.cache',
    '/var/models',
    '/runs',
    '/library/models',
    '/my models/ä',
    '/a..b/.c',
    `/${'a'.repeat(254)}`,
  ])('can be %s', (path) => expect(check(path)).toBe(path));

  it.each([
    ['/workspace/', '/workspace'],
    ['/a b/c/', '/a b/c'],
    [`/${'a'.repeat(254)}/`, `/${'a'.repeat(254)}`],
  ])('loses the slash at the end of %s', (path, stored) => expect(check(path)).toBe(stored));

  const absolute = 'must be an absolute path in the container, such as /workspace';
  const system = (folder: string) => `must not be at, above or below ${folder}, which the container needs`;

  it.each<[path: unknown, message: string]>([
    ['workspace', `${absolute}: it does not begin with a slash`],
    ['', `${absolute}: it is empty`],
    ['./workspace', `${absolute}: it does not begin with a slash`],
    ['$HOME', `${absolute}: it does not begin with a slash`],
    [null, absolute],
    [7, absolute],
    ['/a\u0000', `${absolute}: it contains the control character U+0000`],
    ['/a\nb', `${absolute}: it contains the control character U+000a`],
    ['/a\u007f', `${absolute}: it contains the control character U+007f`],
    ['/a\ud800', `${absolute}: it contains half of a surrogate pair, which is no character`],
    ['/a:ro', `${absolute}: it contains a colon, which ends a path in ECS`],
    ['/a/../b', `${absolute}: its part .. is not allowed`],
    ['/..', `${absolute}: its part .. is not allowed`],
    ['/a/.', `${absolute}: its part . is not allowed`],
    ['/a//b', `${absolute}: the part after "/a" is empty`],
    ['//', system('/dev')],
    ['///', `${absolute}: the part after "/" is empty`],
    ['/workspace//', `${absolute}: the part after "/workspace" is empty`],
    [`/${'a'.repeat(255)}`, 'must have at most 255 bytes: it has 256'],
    [`/${'ä'.repeat(128)}`, 'must have at most 255 bytes: it has 257'],
    ['/', system('/dev')],
    ['/proc', system('/proc')],
    ['/proc/1', system('/proc')],
    ['/sys/fs', system('/sys')],
    ['/dev/shm', system('/dev')],
    ['/etc/app', system('/etc')],
    ['/run', system('/run')],
    ['/var', system('/var/run')],
    ['/var/run/app', system('/var/run')],
    ['/bin', system('/bin')],
    ['/usr', system('/usr')],
    ['/usr/local/models', system('/usr')],
    ['/lib64', system('/lib64')],
  ])('cannot be %j', (path, message) => {
    expect(() => check(path)).toThrow(`\`volumeMountPath\` ${message}, got `);
  });
});
