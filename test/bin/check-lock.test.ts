/** Runs `npm run lock` as a process, on lock files that the tests write. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';

const command = resolve('bin/check-lock.ts');
const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

function checkIn(cwd: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command], { cwd, encoding: 'utf8' });
  return { status, stdout, problems: stderr.split('\n').filter((line) => line !== '') };
}

/** Checks a lock file with one package, which is valid except for these changes, and with these entries. */
function check(differences: object, entries: object = {}) {
  const locked = { version: '1.2.3', license: 'MIT', integrity: 'sha512-AA==', ...differences };
  const lock = { packages: { '': { name: 'project' }, 'node_modules/some': locked, ...entries } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  return checkIn(folder);
}

const foreign = { integrity: undefined, optional: true, os: ['darwin'], cpu: ['arm64'] };

describe('npm run lock', () => {
  it('accepts the lock file of this repository', () => {
    expect(checkIn('.')).toEqual({ status: 0, stdout: expect.stringContaining('packages checked'), problems: [] });
  });

  it.each([
    ['the licence MIT', {}],
    ['a choice of licences that is allowed', { license: '(MIT OR Apache-2.0)' }],
    ['any licence of a package that is not shipped', { dev: true, license: 'GPL-3.0-only' }],
    ['a package that is bundled in another archive, without integrity', { integrity: undefined, inBundle: true }],
    ['a binary for another system without integrity', foreign],
    ['a binary for another processor without integrity', { ...foreign, os: 'linux', cpu: 'arm' }],
    ['a binary for another C library without integrity', { ...foreign, os: ['linux'], libc: ['musl'] }],
  ])('accepts %s', (_what, differences) => {
    expect(check(differences)).toMatchObject({ status: 0, problems: [] });
  });

  it('accepts a package of this repository and its link, without integrity and licence', () => {
    const link = { resolved: 'packages/own', link: true };
    const entries = { 'packages/own': { version: '0.0.0' }, 'node_modules/@project/own': link };
    expect(check({}, entries)).toMatchObject({ status: 0, problems: [] });
    expect(check({}, { 'packages/own/node_modules/some': { version: '1.2.3', license: 'MIT' } }).status).toBe(1);
  });

  it.each(['GPL-3.0-or-later', 'AGPL-3.0-only', '(MIT OR GPL-3.0-or-later)', 'UNLICENSED', undefined])(
    'refuses a production package with the licence %s',
    (license) => {
      const { status, problems } = check({ license });
      expect(status).toBe(1);
      expect(problems).toEqual([
        expect.stringContaining(
          `some@1.2.3 has the licence ${license ?? '(none stated)'}; allowed are 0BSD, Apache-2.0,`,
        ),
      ]);
    },
  );

  it.each([
    ['a package', { integrity: undefined }],
    ['a package for development', { integrity: undefined, dev: true }],
    ['an optional package for every platform', { integrity: undefined, optional: true }],
    ['a binary for the platform of the images', { ...foreign, os: ['linux'], cpu: ['arm64'], libc: ['glibc'] }],
    ['a binary for all systems except one', { ...foreign, os: ['!win32'] }],
    ['a binary for another platform if the binary is not optional', { ...foreign, optional: undefined }],
  ])('refuses %s without integrity', (_what, differences) => {
    const { status, problems } = check(differences);
    expect(status).toBe(1);
    expect(problems).toEqual([expect.stringContaining('some@1.2.3 has no `integrity`: run `npm install`')]);
  });
});
