/** Tests deployments that change while jobs exist, by restarting `npm start` with changed stacks. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readPools } from '../../lib/capacity/pool-declaration.ts';
import { GpuEndpoints } from '../../lib/gpu-endpoints.ts';
import { newApp } from '../lib/synthesis.ts';
import { declared } from '../support/declared.ts';
import { copyAssembly, manifestOf, sharedAssembly, templateFile } from './assembly.ts';
import {
  call,
  holdingFile,
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

/** Changes the logical ids of the matching resources of a stack, as a renamed construct does. */
function rename(assembly: string, stack: string, type: string, id: RegExp): void {
  const file = templateFile(assembly, stack);
  const text = readFileSync(file, 'utf8');
  const { Resources } = JSON.parse(text) as { Resources: Record<string, { Type: string }> };
  const found = Object.entries(Resources).filter(([name, { Type }]) => Type === type && id.test(name));
  expect(found).toHaveLength(1);
  writeFileSync(
    file,
    found.reduce((renamed, [name]) => renamed.replaceAll(`"${name}"`, `"Renamed${name}"`), text),
  );
}

function renameShared(assembly: string): void {
  rename(assembly, 'Fleet', 'AWS::ECS::Cluster', /^Cluster/);
  for (const role of [/^JobsRunRole/, /^SweeperSweepRole/]) rename(assembly, 'Platform', 'AWS::IAM::Role', role);
  for (const its of [/^JobsRun[0-9A-F]{8}$/, /^SweeperSweep[0-9A-F]{8}$/])
    rename(assembly, 'Platform', 'AWS::Lambda::Function', its);
}

function addZone(assembly: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-zone-'));
  try {
    const network = { availabilityZones: ['us-east-1a', 'us-east-1b', 'us-east-1c'] };
    const app = newApp(folder, { network });
    new GpuEndpoints(app, 'Gpu', { pools: readPools(declared) });
    app.synth();
    cpSync(templateFile(folder, 'Fleet'), templateFile(assembly, 'Fleet'));
    const subnets = Object.values(JSON.parse(readFileSync(templateFile(assembly, 'Fleet'), 'utf8')).Resources).filter(
      (resource) => (resource as { Type: string }).Type === 'AWS::EC2::Subnet',
    );
    expect(subnets).toHaveLength(6);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function removeEndpoint(assembly: string): void {
  const file = join(assembly, 'manifest.json');
  const manifest = manifestOf(assembly);
  const artifact = basename(templateFile(assembly, 'Endpoint-echo'), '.template.json');
  const artifacts = Object.fromEntries(
    Object.entries(manifest.artifacts).filter(([name]) => name !== artifact && name !== `${artifact}.assets`),
  );
  writeFileSync(file, JSON.stringify({ ...manifest, artifacts }));
}

let assemblies = 0;

/** Starts the service with changed stacks of this repository. */
async function startWith(change: (assembly: string) => void): Promise<void> {
  assemblies += 1;
  const assembly = join(stateDir, `assembly-${assemblies}`);
  await copyAssembly(assembly);
  change(assembly);
  service = await startService(stateDir, { args: ['--assembly', assembly] });
}

/** Submits a job that runs until `release` is called, and one that waits while the worker has the first. */
async function jobsInFlight(): Promise<{ jobs: unknown[]; release: () => void }> {
  const { until, release } = holdingFile();
  const running = await submit(service, JSON.stringify({ input: { op: 'sleep', ms: 0, until } }));
  await jobIn(service, running.json.id, 'IN_PROGRESS');
  const waiting = await submit(service, '{"input":{"n":1}}');
  return { jobs: [running.json.id, waiting.json.id], release };
}

beforeAll(() => startWith(() => undefined), 180_000);
afterAll(() => stopService(service));

describe('a deployment', () => {
  it.each([
    ['shared resources get new names', renameShared],
    ['workers can use an additional Availability Zone', addZone],
    ['nothing changes', () => undefined],
  ])(
    'completes the jobs that run or wait, and leaves the stacks of endpoints unchanged, when %s',
    async (_, change) => {
      const { jobs, release } = await jobsInFlight();
      await stopService(service);
      release();
      await startWith(change);
      const endpoint = templateFile(join(stateDir, `assembly-${assemblies}`), 'Endpoint-echo');
      expect(readFileSync(endpoint, 'utf8')).toBe(
        readFileSync(templateFile(await sharedAssembly(), 'Endpoint-echo'), 'utf8'),
      );
      for (const id of jobs) await jobIn(service, id, 'COMPLETED', 90_000);
      const { json } = await submit(service, '{"input":{"n":2}}');
      await jobIn(service, json.id, 'COMPLETED', 90_000);
    },
    300_000,
  );

  it('runs the waiting jobs of an endpoint that was removed and is added again', async () => {
    const ended = await submit(service, '{"input":{"n":0}}');
    await jobIn(service, ended.json.id, 'COMPLETED');
    const { jobs, release } = await jobsInFlight();
    await stopService(service);
    release();
    await startWith(removeEndpoint);
    expect((await call(service, 'GET', `${service.JobApiUrl}/echo/health`)).status).toBe(404);
    // A job that a worker has taken can always be read. The running job waits again since its container has exited.
    expect((await readStatus(service, ended.json.id)).json).toMatchObject({ status: 'COMPLETED' });
    await stopService(service);
    await startWith(() => undefined);
    for (const id of jobs) await jobIn(service, id, 'COMPLETED', 150_000);
  }, 420_000);
});
