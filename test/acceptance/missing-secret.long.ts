/**
 * Tests `npm start` for a repository whose endpoints need secrets that do not exist yet, as after `git clone`: one
 * endpoint starts workers on demand, one always has a worker, and one needs a login for its image.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MINUTE } from '../../core/limits.ts';
import { declare } from '../lib/synthesis.ts';
import { assemblyWith } from './added-endpoints.ts';
import {
  call,
  eventually,
  jobIn,
  type LocalService,
  newStateDir,
  readStatus,
  startService,
  stopService,
  submit,
} from './local-service.ts';

const stateDir = newStateDir();
let service: LocalService;

const image = 'gpu-endpoints/example-echo';
const endpoints = [
  declare('echo', { image }),
  declare('greeter', { image, env: { HF_TOKEN: '{{secrets:HF_TOKEN}}' } }),
  declare('eager', { image, minWorkers: 1, env: { HF_TOKEN: '{{secrets:HF_TOKEN}}' } }),
  declare('private', { image, containerRegistryAuthId: 'hub' }),
];

beforeAll(async () => {
  const assembly = join(stateDir, 'assembly');
  await assemblyWith(assembly, endpoints);
  service = await startService(stateDir, { args: ['--assembly', assembly] });
}, 2 * MINUTE);
afterAll(async () => {
  await stopService(service);
  rmSync(stateDir, { recursive: true, force: true });
});

/** Runs a command of the binary against the service, as a user does. */
async function command(noun: string, args: readonly string[], input: string): Promise<string> {
  const child = spawn(process.execPath, ['bin/cli.ts', noun, ...args, '--env', 'local'], {
    env: { ...process.env, LOCAL_STATE_DIR: stateDir },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  const [said, failed] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return said + failed;
}

/** Returns why the endpoint has no workers. */
async function reasonOf(endpoint: string): Promise<string> {
  const { json } = await call(service, 'GET', `${service.JobApiUrl}/${endpoint}/health`);
  return String(json.waitDetail ?? '');
}

it(
  'runs the other endpoints, says what is missing, and runs these endpoints as soon as their secrets exist',
  async () => {
    expect(service.printed()).toContain(
      'greeter, not ready: no worker can start without gpu-endpoints/env/HF_TOKEN; run npx gpu-endpoints secrets create HF_TOKEN --env local',
    );
    expect(service.printed()).toContain(
      'private, not ready: no worker can start without gpu-endpoints/registry-auth/hub; run npx gpu-endpoints registry create hub --username USER --env local',
    );
    const other = await submit(service, '{"input":{}}', 'echo');
    await jobIn(service, other.json.id, 'COMPLETED', MINUTE, 'echo');

    const waiting = ['greeter', 'eager', 'private'];
    const jobs = await Promise.all(waiting.map(async (id) => (await submit(service, '{"input":{}}', id)).json.id));
    for (const endpoint of waiting) {
      const reason = await eventually(`${endpoint} says why its job waits`, async () => {
        const found = await reasonOf(endpoint);
        return found.includes('ResourceInitializationError') ? found : undefined;
      });
      // ECS repeats the reason of AWS, of which a response has the first 256 characters.
      expect(reason).toContain(`secret:gpu-endpoints/${endpoint === 'private' ? 'regis' : 'env/HF_TOKEN'}`);
    }
    for (const [n, endpoint] of waiting.entries())
      expect((await readStatus(service, jobs[n], endpoint)).json.status).toBe('IN_QUEUE');

    expect(await command('secrets', ['create', 'HF_TOKEN'], 'hf_example\n')).toContain('Created');
    const login = ['create', 'hub', '--username', 'ada'];
    expect(await command('registry', login, 'password\n')).toContain('Created');
    for (const [n, endpoint] of waiting.entries()) await jobIn(service, jobs[n], 'COMPLETED', 2 * MINUTE, endpoint);
  },
  6 * MINUTE,
);
