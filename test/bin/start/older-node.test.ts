/** Runs the entry of the binary with the Node.js of the machine, which users have at least in release 20. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';

const ENTRY = resolve('bin/start/gpu-endpoints.mjs');

/** Returns the first Node.js on the path that npm has not installed with this repository. */
function nodeOfMachine(): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const found = folders.find((folder) => spawnSync(join(folder, 'node'), ['--version']).status === 0);
  if (found === undefined) throw new Error('The path has no Node.js beside that of this repository.');
  return join(found, 'node');
}

const node = nodeOfMachine();
const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-older-node-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('runs a command with the Node.js of the machine', () => {
  const link = join(folder, 'gpu-endpoints');
  symlinkSync(ENTRY, link);
  const { stdout, stderr } = spawnSync(node, [link, 'profiles', '--help'], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toContain('Usage: gpu-endpoints profiles');
});

it('returns the exit code of the command', () => {
  expect(spawnSync(node, [ENTRY, 'nothing']).status).toBe(1);
});

it('forwards SIGTERM to the command and ends as it does', async () => {
  // An own installation, whose program states which signal it gets.
  mkdirSync(join(folder, 'bin/start'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const entry = join(folder, 'bin/start/gpu-endpoints.mjs');
  spawnSync('cp', [ENTRY, entry]);
  const program =
    "process.on('SIGTERM', () => process.exit(7)); setInterval(() => undefined, 1000); console.log('up');";
  writeFileSync(join(folder, 'bin/cli.js'), program);
  const child = spawn(node, [entry]);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([7, null]);
});
