import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { createWebhookSecrets } from '../../aws/webhooks/secrets.ts';
import { run } from '../../core/submission/submit.ts';
import { finish } from '../../core/workers/report.ts';
import { takeJob } from '../jobs/scripted-job.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-webhooks-'));
const outputs = join(folder, 'outputs.json');
const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:deliveries';
/** The calls that the fake Step Functions received. */
const started: unknown[] = [];
const machines = createServer(async (request, response) => {
  started.push(JSON.parse(await text(request)));
  response.end(JSON.stringify({ executionArn: 'arn', startDate: 0 }));
});

beforeAll(async () => {
  await once(machines.listen(0, '127.0.0.1'), 'listening');
  await emulated.deploy('echo');
  const Platform = {
    DeadlinesTable: 'DEADLINES_TABLE',
    DeliveriesTable: 'DELIVERIES_TABLE',
    DeliveryMachine: MACHINE,
    EndpointsTable: 'ENDPOINTS_TABLE',
    JobsTable: 'JOBS_TABLE',
    SecretsKey: process.env.SECRETS_KEY,
    SigningTable: 'SIGNING_TABLE',
  };
  writeFileSync(outputs, JSON.stringify({ Platform }));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  machines.close();
});

/** Runs the command in another process, because this process answers for Step Functions at the same time. */
async function webhooks(...args: string[]) {
  const { SECRETS_KEY: _, ...env } = process.env;
  const address = `http://127.0.0.1:${(machines.address() as AddressInfo).port}`;
  const options = { env: { ...env, AWS_ENDPOINT_URL_SFN: address } };
  const { promise, resolve } = Promise.withResolvers<{ status: number; stdout: string; stderr: string }>();
  const child = execFile(process.execPath, ['bin/webhooks.ts', ...args], options, (_error, stdout, stderr) =>
    resolve({ status: child.exitCode ?? -1, stdout, stderr }),
  );
  return promise;
}

/** Stores a job whose webhook was never acknowledged. */
async function failedJob(): Promise<string> {
  const body = '{"input":{},"webhook":"https://receiver.example/"}';
  const { id } = await run(emulated.ports, { endpoint: 'echo', owner: 'ada', body: Buffer.from(body) });
  await finish(emulated.ports, await takeJob(emulated.ports, 'echo', id), { output: '1' });
  const key = { endpoint: 'echo', id, completion: 0 };
  await emulated.ports.deliveries.giveUp(key, 'The receiver was down.', emulated.clock.now(), 2 ** 31);
  return id;
}

describe('webhooks secret', () => {
  it('shows the secret that signs deliveries, and creates another that also signs them', async () => {
    const secrets = createWebhookSecrets(createDocumentClient(), 'SIGNING_TABLE', emulated.clock);
    const [first = ''] = await secrets.current('echo');
    const shown = await webhooks('secret', 'show', '--endpoint', 'echo', '--outputs', outputs);
    expect([shown.status, shown.stdout.split('  ')[0], shown.stderr]).toEqual([0, first, '']);

    const { stdout } = await webhooks('secret', 'rotate', '--endpoint', 'echo', '--outputs', outputs);
    const [made, before] = stdout.trim().split('\n');
    expect(made).toMatch(/^whsec_\S{44} {2}created \S+Z$/);
    expect(before).toMatch(/; signs until \S+Z$/);
    expect(before).toContain(first);

    const { stdout: json } = await webhooks('secret', 'show', '--endpoint', 'echo', '--outputs', outputs, '--json');
    const listed = JSON.parse(json) as { secret: string; until?: number }[];
    expect(listed.map(({ secret }) => secret)).toEqual([made?.split(' ')[0], first]);
  });

  it('is refused for an endpoint that does not exist', async () => {
    const { status, stdout, stderr } = await webhooks('secret', 'show', '--endpoint', 'ecko', '--outputs', outputs);
    expect([status, stdout, stderr]).toEqual([1, '', 'There is no endpoint `ecko` in this deployment.\n']);
  });
});

describe('webhooks list and resend', () => {
  it('list the failed deliveries with their reasons, and send one again', async () => {
    const id = await failedJob();
    for (const place of [['--endpoint', 'echo'], []]) {
      const { status, stdout } = await webhooks('list', ...place, '--outputs', outputs);
      expect([status, stdout]).toEqual([0, expect.stringContaining(`--endpoint echo --job ${id} --completion 0`)]);
      expect(stdout).toContain('0 attempts; no answer; The receiver was down.');
    }
    const resent = await webhooks('resend', '--endpoint', 'echo', '--job', id, '--outputs', outputs);
    expect([resent.status, resent.stderr, resent.stdout]).toEqual([0, '', expect.stringContaining(`msg_echo_${id}_0`)]);
    const input = JSON.stringify([{ again: { endpoint: 'echo', id, completion: 0 } }]);
    expect(started).toEqual([{ stateMachineArn: MACHINE, input }]);
    const { stdout } = await webhooks('list', '--outputs', outputs);
    expect(stdout).toBe('There are no failed deliveries to send again.\n');
    const again = await webhooks('resend', '--endpoint', 'echo', '--job', id, '--outputs', outputs);
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('is PENDING: only a FAILED delivery')]);
  });
});

describe('webhooks', () => {
  it.each([
    [['secret'], 'secret takes show or rotate'],
    [['secret', 'destroy', '--endpoint', 'echo'], 'secret takes show or rotate'],
    [['secret', 'show'], '--endpoint is missing'],
    [
      ['secret', 'show', '--endpoint', 'echo', '--outputs', 'missing.json'],
      'missing.json does not exist: deploy with --outputs-file',
    ],
    [['secret', 'show', '--nonsense'], '--nonsense'],
    [['resend', '--job', 'x'], '--endpoint is missing'],
    [['resend', '--endpoint', 'echo'], '--job is missing'],
    [['resend', '--endpoint', 'echo', '--job', 'x', '--outputs', outputs], 'Endpoint `echo` has no job `x`.'],
    [['list', '--endpoint', 'ecko', '--outputs', outputs], 'There is no endpoint `ecko`'],
  ])('prints one sentence and no stack trace for %j', async (args, sentence) => {
    const { status, stdout, stderr } = await webhooks(...args);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('prints its usage', async () => {
    for (const args of [[], ['--help'], ['secret', '--help']]) {
      const { status, stdout } = await webhooks(...args);
      expect(status).toBe(0);
      expect(stdout).toContain('Usage: npm run webhooks');
    }
    expect((await webhooks('destroy')).status).toBe(1);
  });
});
