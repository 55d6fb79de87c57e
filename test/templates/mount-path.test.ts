import { describe, expect, it } from '@jest/globals';
import { mountPath } from '../../core/templates/mount-path.ts';
import { validate } from '../../core/validation.ts';

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

  const absolute = 'must be an absolute path in the container, such as /workspace';
  const system = (folder: string) => `must not be at, above or below ${folder}, which the container needs`;

  it.each<[path: unknown, message: string]>([
    ['workspace', absolute],
    ['', absolute],
    ['./workspace', absolute],
    ['$HOME', absolute],
    [null, absolute],
    [7, absolute],
    ['/a\u0000', `${absolute}, without control characters`],
    ['/a\nb', `${absolute}, without control characters`],
    ['/a\u007f', `${absolute}, without control characters`],
    ['/a\ud800', `${absolute}, without control characters`],
    ['/a:ro', `${absolute}, without a colon`],
    ['/a/../b', `${absolute}, without empty parts, . and ..`],
    ['/..', `${absolute}, without empty parts, . and ..`],
    ['/a/.', `${absolute}, without empty parts, . and ..`],
    ['/a//b', `${absolute}, without empty parts, . and ..`],
    ['//', `${absolute}, without empty parts, . and ..`],
    ['/workspace/', `${absolute}, without empty parts, . and ..`],
    [`/${'a'.repeat(255)}`, 'must have at most 255 bytes'],
    [`/${'ä'.repeat(128)}`, 'must have at most 255 bytes'],
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
