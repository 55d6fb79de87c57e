/** Tests the reasons for missing workers over HTTP. Each endpoint of the service has a different reason. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changeStack, copyAssembly } from './assembly.ts';
import {
  call,
  eventually,
  type LocalService,
  newStateDir,
  readStatus,
  startService,
  stopService,
  submit,
} from './local-service.ts';

const stateDir = newStateDir();
const assembly = join(stateDir, 'changed-assembly');
const placement = join(stateDir, 'placement.yaml');
let service: LocalService;

interface Container {
  readonly Name: string;
  Environment?: { Name: string; Value: unknown }[];
}

/** Changes one container of the endpoint's workers. */
function changeContainer(endpoint: string, name: string, change: (container: Container) => void): void {
  changeStack(assembly, `Endpoint-${endpoint}`, (resources) => {
    const task = Object.values(resources).find(({ Type }) => Type === 'AWS::ECS::TaskDefinition');
    const containers = task?.Properties.ContainerDefinitions as Container[];
    for (const container of containers) if (container.Name === name) change(container);
  });
}

const withEnvironment = (variables: Readonly<Record<string, string>>) => (container: Container) => {
  const others = (container.Environment ?? []).filter(({ Name }) => !(Name in variables));
  container.Environment = [...others, ...Object.entries(variables).map(([Name, Value]) => ({ Name, Value }))];
};

beforeAll(async () => {
  await copyAssembly(assembly);
  changeStack(assembly, 'Endpoint-echo', (resources) => {
    const template = Object.values(resources).find(({ Type }) => Type === 'Custom::EndpointTemplate');
    Object.assign(template?.Properties.carried as object, { imageName: 'registry.example/not-there:1' });
  });
  // With this option, Node.js exits with code 1 before it runs any code.
  changeContainer('echo-sdk', 'worker', withEnvironment({ NODE_OPTIONS: '--import=./not-there.mjs' }));
  const unhealthy = { SERVER_HEALTH_PATH: '/not-there', SERVER_START_TIMEOUT: '1000' };
  changeContainer('echo-http', 'agent', withEnvironment(unhealthy));
  writeFileSync(placement, 'Endpoint-echo: RESOURCE:FARGATE\n');
  service = await startService(stateDir, { args: ['--assembly', assembly], env: { LOCAL_PLACEMENT: placement } });
}, 120_000);
afterAll(async () => {
  await stopService(service);
});

const waits = async (endpoint: string) => String((await submit(service, '{"input":{}}', endpoint)).json.id);

/** Polls the job until it has this wait reason, and this text in its details. */
const waitsFor = (endpoint: string, id: string, reason: string, detail: string) =>
  eventually(`the job of ${endpoint} waits for ${reason}: ${detail}`, async () => {
    const { json } = await readStatus(service, id, endpoint);
    return (json.waitReason === reason && String(json.waitDetail).includes(detail)) || undefined;
  });

interface Health {
  readonly workers: Readonly<Record<string, number>>;
  readonly waitReason?: string;
}

/**
 * Polls the endpoint's health until it has this reason and these worker counts. It is a second or two behind the
 * jobs.
 */
const expectHealth = (endpoint: string, waitReason: string, workers: Readonly<Record<string, number>>) =>
  eventually(`the health of ${endpoint} has ${waitReason} and ${JSON.stringify(workers)}`, async () => {
    const { json } = await call(service, 'GET', `${service.JobApiUrl}/${endpoint}/health`);
    const health = json as unknown as Health;
    const isSame = Object.entries(workers).every(([name, count]) => health.workers[name] === count);
    return (isSame && health.waitReason === waitReason) || undefined;
  });

describe('a job without a worker', () => {
  it('has the reason that ECS reports: no capacity, then a quota, then a missing image', async () => {
    const id = await waits('echo');
    await waitsFor('echo', id, 'NO_CAPACITY', 'RESOURCE:FARGATE');
    await expectHealth('echo', 'NO_CAPACITY', { throttled: 1 });
    const quota = "You've reached the limit on the number of vCPUs you can run concurrently";
    writeFileSync(placement, `Endpoint-echo: ${JSON.stringify(quota)}\n`);
    await waitsFor('echo', id, 'QUOTA', quota);
    rmSync(placement);
    await waitsFor('echo', id, 'IMAGE_UNAVAILABLE', 'registry.example/not-there:1 cannot be pulled');
  });

  it('has the reason that workers exit, and when the next one starts; an operator can resume immediately', async () => {
    const id = await waits('echo-sdk');
    await waitsFor('echo-sdk', id, 'WORKER_EXITS', 'container "worker" exited with code 1');
    await waitsFor('echo-sdk', id, 'WORKER_EXITS', 'The endpoint backs off: it starts one worker at 2');
    await expectHealth('echo-sdk', 'WORKER_EXITS', { ready: 0, unhealthy: 1 });
    const env = { ...process.env, LOCAL_STATE_DIR: stateDir };
    const args = ['bin/cli.ts', 'endpoints', 'resume', 'echo-sdk', '--env', 'local'];
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    expect(stdout).toContain('echo-sdk starts workers again. It had backed off: WORKER_EXITS.');
    // The workers that start now exit too. Only the third exit causes the back-off again.
    await eventually('the endpoint no longer backs off', async () => {
      const { json } = await readStatus(service, id, 'echo-sdk');
      return !String(json.waitDetail).includes('The endpoint backs off') || undefined;
    });
  });

  it('has the reason that the server of its worker is unhealthy', async () => {
    const id = await waits('echo-http');
    await waitsFor('echo-http', id, 'WORKER_UNHEALTHY', 'did not answer 200 on its health path');
  });
});
