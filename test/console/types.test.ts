/** Tests that the types of the console are those of the OpenAPI documents, and that the check of `npm run generate` says so. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';

const FILES = ['packages/console/api/job-types.ts', 'packages/console/api/management-types.ts'];

function run(program: string, args: readonly string[], cwd?: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve(program), ...args], {
    encoding: 'utf8',
    cwd,
  });
  return { status, stdout, stderr };
}

it('the types of the console are those of the OpenAPI documents', () => {
  expect(run('bin/console-types.ts', ['--check'])).toEqual({ status: 0, stdout: '', stderr: '' });
});

it('the check names each file of types that differs, and writes nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-types-'));
  mkdirSync(join(folder, 'packages/console/api'), { recursive: true });
  writeFileSync(join(folder, FILES[0] ?? ''), '/** Old. */\n');
  expect(run('bin/console-types.ts', ['--check'], folder)).toEqual({
    status: 1,
    stdout: '',
    stderr: FILES.map((file) => `${file} differs from the code: run npm run generate.\n`).join(''),
  });
  rmSync(folder, { recursive: true });
});

it('npm run generate passes its options to the generator of the types', () => {
  const { status, stdout } = run('bin/generate.ts', ['--help']);
  expect([status, stdout]).toEqual([0, expect.stringContaining(`Writes ${FILES.join(' and ')}.`)]);
});
