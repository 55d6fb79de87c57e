/** Tests the upgrade with packages of the test in place of real versions, which npm installs from their files. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changesAfter } from '../../../bin/upgrade/changes.ts';

const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-upgrade-'));
const repository = join(folder, 'repository');
afterAll(() => rmSync(folder, { recursive: true }));

const changelog = (versions: readonly string[]) =>
  ['# Changelog', ...versions.map((version) => `## [${version}] - 2026-12-01\n\n- What ${version} adds.`)].join('\n\n');

/** Packs a package with this version, whose binary prints its arguments. Returns the path of the tarball. */
function packed(version: string, versions: readonly string[]): string {
  const source = join(folder, version);
  mkdirSync(join(source, 'bin'), { recursive: true });
  const manifest = { name: 'gpu-endpoints', version, type: 'module', bin: { 'gpu-endpoints': 'bin/cli.js' } };
  writeFileSync(join(source, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(source, 'CHANGELOG.md'), changelog(versions));
  writeFileSync(
    join(source, 'bin/cli.js'),
    `#!/usr/bin/env node\nconsole.log('${version}', ...process.argv.slice(2));\n`,
  );
  execFileSync('npm', ['pack', '--silent'], { cwd: source });
  return join(source, `gpu-endpoints-${version}.tgz`);
}

const npm = (...args: readonly string[]) =>
  execFileSync('npm', [...args, '--offline'], { cwd: repository, stdio: 'ignore' });

let later: string;
beforeAll(() => {
  mkdirSync(repository);
  writeFileSync(join(repository, 'package.json'), '{"private": true}');
  npm('install', '--save-exact', packed('1.0.0', ['1.0.0']));
  later = packed('1.2.0', ['1.2.0', '1.1.0', '1.0.0', '0.9.0']);
});

const upgrade = (cwd: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, [resolve('bin/cli.ts'), 'upgrade', ...args], { cwd, encoding: 'utf8' });

describe('gpu-endpoints upgrade', () => {
  it('installs the version, and prints its changelog and the diff of the new version', () => {
    const { status, stdout } = upgrade(repository, later, '--env', 'prod');
    expect(status).toBe(0);
    expect(stdout).toContain(
      'Changes from 1.0.0 to 1.2.0:\n\n## [1.2.0] - 2026-12-01\n\n- What 1.2.0 adds.\n\n## [1.1.0] - 2026-12-01\n\n- What 1.1.0 adds.\n\n',
    );
    expect(stdout).toContain('\n1.2.0 diff --env prod\n');
    expect(stdout).toContain('To go back: npm install --save-exact gpu-endpoints@1.0.0\n');
    const { dependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(dependencies['gpu-endpoints']).toContain('1.2.0.tgz');
    expect(upgrade(repository, later).stdout).toContain('1.2.0 is installed already.');
  });

  it('refuses a folder without the package, and a version that npm cannot install', () => {
    const { status, stderr } = upgrade(folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining('has no gpu-endpoints in node_modules')]);
    expect(upgrade(repository, join(folder, 'nothing.tgz')).status).not.toBe(0);
  });
});

describe('gpu-endpoints upgrade to a version that does not exist', () => {
  it('says so in one sentence instead of the report of npm', () => {
    const programs = join(folder, 'programs');
    mkdirSync(programs);
    const npmText = 'npm error code ETARGET\nnpm error notarget No matching version found.';
    writeFileSync(join(programs, 'npm'), `#!/bin/sh\necho "${npmText}" >&2\nexit 1\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: `${programs}:${process.env.PATH}` };
    const args = [resolve('bin/cli.ts'), 'upgrade', '9.9.9'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: repository, encoding: 'utf8', env });
    expect([status, stderr]).toEqual([1, 'npm has no gpu-endpoints@9.9.9: nothing is changed.\n']);
  });
});

describe('the changes after a version', () => {
  it('are all sections above it, or all sections if it has none', () => {
    const text = changelog(['Unreleased', '1.1.0', '1.0.0']);
    expect(changesAfter(text, '1.0.0').match(/^## .*/gm)).toEqual([
      '## [Unreleased] - 2026-12-01',
      '## [1.1.0] - 2026-12-01',
    ]);
    expect(changesAfter(text, '1.1.0').match(/^## .*/gm)).toEqual(['## [Unreleased] - 2026-12-01']);
    expect(changesAfter(text, '0.1.0').match(/^## .*/gm)).toHaveLength(3);
  });
});
