import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-dev-'));
afterAll(() => rmSync(folder, { recursive: true }));

const dev = (...args: string[]) =>
  spawnSync(process.execPath, [resolve('bin/cli.ts'), 'dev', ...args], { cwd: folder, encoding: 'utf8' });

it.each(['--help', '-h'])('prints the help for %s in a folder without an app', (option) => {
  const { status, stdout, stderr } = dev(option);
  expect(stderr).toBe('');
  expect(stdout).toContain('LOCAL_STATE_DIR');
  expect(status).toBe(0);
});

it('says in a sentence that the folder has no app', () => {
  const { status, stderr } = dev();
  expect(stderr).toMatch(/There is no .*cdk\.json: run the command in the folder of your CDK app\.\n$/);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(status).toBe(1);
});
