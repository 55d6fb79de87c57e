import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../../aws/clients.ts';
import { createWebhookSecrets } from '../../../aws/webhooks/secrets.ts';
import { useEmulatedDeployment } from '../../support/use-emulated-deployment.ts';
import { parseOutput } from '../command-output.ts';

const emulated = useEmulatedDeployment();
const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-webhook-secret-'));
const outputs = join(folder, 'outputs.json');

beforeAll(async () => {
  await emulated.deploy('echo');
  const Platform = {
    EndpointsTable: 'ENDPOINTS_TABLE',
    SecretsKey: process.env.SECRETS_KEY,
    SigningTable: 'SIGNING_TABLE',
  };
  writeFileSync(outputs, JSON.stringify({ Platform }));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command in another process, because this process answers for KMS at the same time. */
async function secret(...args: string[]) {
  const { SECRETS_KEY: _, ...env } = process.env;
  const { promise, resolve } = Promise.withResolvers<{ status: number; stdout: string; stderr: string }>();
  const command = ['bin/cli.ts', 'webhooks', 'secret', ...args];
  const child = execFile(process.execPath, command, { env }, (_error, stdout, stderr) =>
    resolve({ status: child.exitCode ?? -1, stdout, stderr }),
  );
  return promise;
}

describe('webhooks secret', () => {
  it('shows the secret that signs deliveries, and creates another that also signs them', async () => {
    const secrets = createWebhookSecrets(createDocumentClient(), 'SIGNING_TABLE', emulated.clock);
    const [first = ''] = await secrets.current('echo');
    const shown = await secret('show', 'echo', '--outputs', outputs);
    expect([shown.status, shown.stdout.split('  ')[0], shown.stderr]).toEqual([0, first, '']);

    const { stdout } = await secret('rotate', 'echo', '--outputs', outputs);
    const [made, before] = stdout.trim().split('\n');
    expect(made).toMatch(/^whsec_\S{44} {2}created \S+Z$/);
    expect(before).toMatch(/; signs until \S+Z$/);
    expect(before).toContain(first);

    const { stdout: json } = await secret('show', 'echo', '--outputs', outputs, '--json');
    const listed = parseOutput<{ secrets: { secret: string }[] }>('webhooks secret show', json).secrets;
    expect(listed.map((one) => one.secret)).toEqual([made?.split(' ')[0], first]);
    const { stdout: rotated } = await secret('rotate', 'echo', '--outputs', outputs, '--json');
    const [newest] = parseOutput<{ secrets: { secret: string }[] }>('webhooks secret rotate', rotated).secrets;
    expect(newest?.secret).not.toBe(listed[0]?.secret);
  });

  it('is refused for an endpoint that does not exist', async () => {
    const { status, stdout, stderr } = await secret('show', 'ecko', '--outputs', outputs);
    expect([status, stdout, stderr]).toEqual([1, '', 'There is no endpoint `ecko` in this deployment.\n']);
  });

  it.each([
    [['destroy', 'echo'], "unknown command 'destroy'"],
    [['show'], "missing required argument 'endpoint'"],
    [['show', 'echo', '--outputs', 'missing.json'], 'missing.json does not exist: deploy with --outputs-file'],
    [['show', '--nonsense'], '--nonsense'],
  ])('prints the error and no stack trace for %j', async (args, sentence) => {
    const { status, stdout, stderr } = await secret(...args);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
