import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { createWebhookSecrets } from '../../aws/webhook-secrets.ts';
import { type EmulatedWorld, startEmulatedWorld } from '../emulated-world.ts';

let emulated: EmulatedWorld;
const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-webhooks-'));
const outputs = join(folder, 'outputs.json');

beforeAll(async () => {
  emulated = await startEmulatedWorld();
  await emulated.deploy('echo');
  const Platform = {
    EndpointsTable: 'ENDPOINTS_TABLE',
    SigningTable: 'SIGNING_TABLE',
    SecretsKey: process.env.SECRETS_KEY,
  };
  writeFileSync(outputs, JSON.stringify({ Platform }));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await emulated.stop();
});

function webhooks(...args: string[]) {
  const { SECRETS_KEY: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/webhooks.ts', ...args], {
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}

describe('webhooks secret', () => {
  it('shows the one that deliveries are signed by, and makes another that signs beside it', async () => {
    const secrets = createWebhookSecrets(createDocumentClient(), 'SIGNING_TABLE', emulated.clock);
    const [first = ''] = await secrets.current('echo');
    const shown = webhooks('secret', 'show', '--endpoint', 'echo', '--outputs', outputs);
    expect([shown.status, shown.stdout.split('  ')[0], shown.stderr]).toEqual([0, first, '']);

    const { stdout } = webhooks('secret', 'rotate', '--endpoint', 'echo', '--outputs', outputs);
    const [made, before] = stdout.trim().split('\n');
    expect(made).toMatch(/^whsec_\S{44} {2}made \S+Z$/);
    expect(before).toMatch(/; signs until \S+Z$/);
    expect(before).toContain(first);

    const json = webhooks('secret', 'show', '--endpoint', 'echo', '--outputs', outputs, '--json').stdout;
    const listed = JSON.parse(json) as { secret: string; until?: number }[];
    expect(listed.map(({ secret }) => secret)).toEqual([made?.split(' ')[0], first]);
  });

  it('makes none for an endpoint that is not there', async () => {
    const { status, stdout, stderr } = webhooks('secret', 'show', '--endpoint', 'ecko', '--outputs', outputs);
    expect([status, stdout, stderr]).toEqual([1, '', 'There is no endpoint `ecko` in this deployment.\n']);
  });
});

describe('webhooks', () => {
  it.each([
    [['secret'], 'secret takes show or rotate'],
    [['secret', 'destroy', '--endpoint', 'echo'], 'secret takes show or rotate'],
    [['secret', 'show'], '--endpoint is missing'],
    [['secret', 'show', '--endpoint', 'echo', '--outputs', 'missing.json'], 'missing.json: deploy with --outputs-file'],
    [['secret', 'show', '--nonsense'], '--nonsense'],
  ])('%j is refused in a sentence', (args, sentence) => {
    const { status, stdout, stderr } = webhooks(...args);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('explains itself', () => {
    for (const args of [[], ['--help'], ['secret', '--help']]) {
      const { status, stdout } = webhooks(...args);
      expect(status).toBe(0);
      expect(stdout).toContain('Usage: npm run webhooks');
    }
    expect(webhooks('destroy').status).toBe(1);
  });
});
