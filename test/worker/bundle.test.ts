/**
 * Runs the bundle of the agent's image, built as in its Dockerfile, in a process with the rights of its
 * container.
 */
import { type ChildProcess, execSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '../../packages/emulator/network/ports.ts';
import { record } from '../acceptance/local-service.ts';

/** Size in bytes above which the bundle contains something that the agent does not need. */
const MAX_BYTES = 1_000_000;
const NOBODY = 65_534;

const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-bundle-'));
const file = join(folder, 'agent.cjs');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { 'agent:bundle': string } };

/** Serves AWS and the task's metadata, without any messages or jobs. */
const aws = createServer((request, response) => {
  request.resume();
  response.setHeader('Content-Type', 'application/json');
  response.end(request.url === '/task' ? '{"TaskARN":"arn:aws:ecs:x:1:task/c/the-worker"}' : '{}');
});
let agent: ChildProcess | undefined;

beforeAll(async () => {
  const command = scripts['agent:bundle'].replace(/--outfile=\S+/, `--outfile=${file} --log-level=warning`);
  execSync(`node_modules/.bin/${command}`);
  // The folder is private to this user, and the agent runs as another user.
  chmodSync(folder, 0o755);
  await once(aws.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  agent?.kill('SIGKILL');
  aws.close();
  aws.closeAllConnections();
  rmSync(folder, { recursive: true });
});

it('the bundle of the agent starts without root and without a writable folder, answers /health, and exits on a signal', async () => {
  expect(readFileSync('worker/Dockerfile', 'utf8')).toContain('npm run agent:bundle');
  expect(statSync(file).size).toBeLessThan(MAX_BYTES);
  const address = `http://127.0.0.1:${(aws.address() as AddressInfo).port}`;
  const port = await freePort();
  // The permission model replaces `readonlyRootFilesystem` here. It also forbids child processes.
  const child = spawn(process.execPath, ['--permission', '--allow-fs-read=*', file], {
    cwd: folder,
    ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
    env: {
      NODE_ENV: 'production',
      AGENT_PORT: String(port),
      ENDPOINT_ID: 'echo',
      NORMAL_QUEUE_URLS: `${address}/1/normal`,
      LOW_QUEUE_URLS: `${address}/1/low`,
      ECS_CONTAINER_METADATA_URI_V4: address,
      AWS_ENDPOINT_URL: address,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
      ENDPOINTS_TABLE: 'e',
      JOBS_TABLE: 'j',
      PAYLOADS_TABLE: 'p',
      PAYLOADS_BUCKET: 'o',
      SECRETS_KEY: 's',
      WORKERS_TABLE: 'w',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  agent = child;
  const printed = record(child);
  const ended = once(child, 'exit');
  while (!printed().includes('The agent is ready.')) await Promise.race([once(child.stdout, 'data'), endedEarly()]);
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);

  async function endedEarly(): Promise<never> {
    await ended;
    throw new Error(`The agent exited:\n${printed()}`);
  }
}, 60_000);
