import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authorize } from '../../core/keys/authorize.ts';
import { DAY } from '../../core/limits.ts';
import { type EmulatedWorld, startEmulatedWorld } from '../emulated-world.ts';

let emulated: EmulatedWorld;
const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-keys-'));

beforeAll(async () => {
  emulated = await startEmulatedWorld();
  await emulated.deploy('echo');
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await emulated.stop();
});

function keys(...args: string[]) {
  // The test runner's environment is a copy, in which the world above has set the emulators' addresses.
  const options = { encoding: 'utf8', env: process.env } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/keys.ts', ...args], options);
  return { status, stdout, stderr };
}

describe('keys create', () => {
  it('makes a key that works at once, in the table that the outputs file names', async () => {
    const outputs = join(folder, 'outputs.json');
    writeFileSync(outputs, JSON.stringify({ Platform: { KeysTable: 'KEYS_TABLE' } }));
    const { stdout } = keys('create', '--name', 'ci', '--owner', 'ada', '--outputs', outputs, '--json');
    const { secret } = JSON.parse(stdout) as { secret: string };
    const { key } = await authorize(emulated.world, { authorization: secret, operation: 'run', endpoint: 'echo' });
    expect(key).toMatchObject({ name: 'ci', owner: 'ada', endpoints: ['*'], operations: ['*'] });
  });

  it('limits the key as asked, and says once what the secret is', async () => {
    const limits = ['--endpoints', 'echo,other', '--operations', 'run', '--expires-in-days', '2'];
    const { stdout } = keys('create', '--name', 'ci', '--table', 'KEYS_TABLE', ...limits);
    expect(stdout).toContain('shown once');
    const [authorization = ''] = stdout.split('\n');
    const { key } = await authorize(emulated.world, { authorization, operation: 'run', endpoint: 'echo' });
    expect(key).toMatchObject({ owner: 'ci', endpoints: ['echo', 'other'], operations: ['run'] });
    expect((key.expiresAt ?? 0) - key.createdAt).toBeCloseTo(2 * DAY, -3);
  });

  it.each([
    [['create'], '--name is missing'],
    [
      ['create', '--name', 'x', '--operations', 'fly'],
      '--operations takes run, runsync, status, status-sync, stream, cancel, retry, purge-queue, health, endpoints or *, got "fly"',
    ],
    [['create', '--name', 'x', '--expires-in-days', '0'], '--expires-in-days must be a whole number from 1, got 0'],
    [['create', '--name', 'x', '--outputs', 'missing.json'], 'missing.json'],
    [['create', '--nonsense'], '--nonsense'],
  ])('%j is refused in a sentence', (args, sentence) => {
    const { status, stderr } = keys(...args);
    expect(status).toBe(1);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('explains itself', () => {
    for (const args of [[], ['--help'], ['create', '--help']]) {
      const { status, stdout } = keys(...args);
      expect(status).toBe(0);
      expect(stdout).toContain('Usage: npm run keys');
    }
    expect(keys('destroy').status).toBe(1);
  });
});
