/**
 * Tests the revisions of an endpoint: deployments after releases, by restarting `npm start` with changed stacks,
 * and a failed update of a template. `releases.long.ts` tests updates and a release under load.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changeStack, copyAssembly } from './assembly.ts';
import {
  call,
  eventually,
  jobIn,
  type LocalService,
  newStateDir,
  startService,
  stopService,
  submit,
} from './local-service.ts';
import { changeEndpoint } from './moving-fleet.ts';
import { type ListedRelease, type PlatformTeam, platformTeam } from './platform-team.ts';
import { serviceRevisions } from './service-revisions.ts';
import { tag, upgrade } from './upgraded-endpoint.ts';

let service: LocalService;
let team: PlatformTeam;
const stateDir = newStateDir();
const assembly = join(stateDir, 'changed-assembly');
const { described, revisionOf, variableIn, revisionOfTask } = serviceRevisions(stateDir);

beforeAll(async () => {
  await copyAssembly(assembly);
  // Workers must stop within a minute of their last job.
  for (const endpoint of ['echo', 'echo-http'])
    changeEndpoint(assembly, endpoint, { idleTimeout: 5_000, maxWorkers: 2 });
  service = await startService(stateDir, { args: ['--assembly', assembly] });
  team = platformTeam(stateDir, () => service);
}, 120_000);
afterAll(async () => {
  await stopService(service);
});

describe('a first deployment', () => {
  it('gives each service the first revision of its family, and starts no worker', async () => {
    expect(await revisionOf('echo')).toBe('gpu-endpoints-Endpoint-echo:1');
    expect(await described('echo')).toMatchObject({ desiredCount: 0 });
    expect(service.printed()).not.toContain('of Endpoint-echo ...');
  });

  it('runs jobs on the first revision', async () => {
    const { json } = await submit(service, '{"input":{}}');
    await jobIn(service, json.id, 'COMPLETED');
  });
});

describe('the next deployment', () => {
  beforeAll(async () => {
    for (const endpoint of ['echo', 'echo-http']) {
      await team.update(endpoint, { env: { RELEASED: 'true' } });
      await eventually(
        `${endpoint} is released`,
        async () => (await revisionOf(endpoint))?.endsWith(':2') || undefined,
      );
    }
    const { json } = await submit(service, '{"input":{"op":"sleep","ms":600000}}');
    long = json.id;
    await jobIn(service, long, 'IN_PROGRESS');
    await stopService(service);
    changeStack(assembly, 'Endpoint-echo', tag);
    changeStack(assembly, 'Endpoint-echo-http', upgrade);
    service = await startService(stateDir, { args: ['--assembly', assembly] });
  }, 240_000);
  let long: unknown;

  it('keeps the revision of an unchanged service', async () => {
    expect(await revisionOf('echo-sdk')).toBe('gpu-endpoints-Endpoint-echo-sdk:1');
  });

  it('keeps the release and the workers of a service when only a tag changes', async () => {
    expect(await revisionOf('echo')).toBe('gpu-endpoints-Endpoint-echo:2');
    expect(await variableIn('gpu-endpoints-Endpoint-echo:2', 'RELEASED')).toEqual([undefined, 'true']);
    expect(service.printed()).toContain('Starting 1 worker of Endpoint-echo ...');
    await call(service, 'POST', `${service.JobApiUrl}/echo/cancel/${long}`);
  });

  it('releases a change of the workers, and keeps earlier changes', async () => {
    expect(await revisionOf('echo-http')).toBe('gpu-endpoints-Endpoint-echo-http:3');
    expect(await variableIn('gpu-endpoints-Endpoint-echo-http:3', 'UPGRADED')).toEqual(['true', undefined]);
    expect(await variableIn('gpu-endpoints-Endpoint-echo-http:3', 'RELEASED')).toEqual([undefined, 'true']);
  });

  it('runs workers of the new revision', async () => {
    const { json } = await submit(service, '{"input":{"prompt":"a"}}', 'echo-http');
    const { json: ended } = await jobIn(service, json.id, 'COMPLETED', undefined, 'echo-http');
    expect(await revisionOfTask('echo-http', String(ended.workerId))).toMatch(/Endpoint-echo-http:3$/);
    await team.released('echo-http', 2, 'COMPLETED');
  }, 200_000);
});

describe('an update of a template', () => {
  const away = { imageName: 'registry.example/not-there:1' };
  const noImage = 'registry.example/not-there:1 cannot be pulled';

  it('of an endpoint without workers is rolled back when a job needs a worker, and the job completes', async () => {
    await eventually(
      'echo-http has no worker',
      async () => (await described('echo-http'))?.runningCount === 0 || undefined,
      {
        within: 150_000,
        every: 500,
      },
    );
    const version = await team.update('echo-http', away);
    await team.released('echo-http', version, 'IN_PROGRESS');
    const { json } = await submit(service, '{"input":{"prompt":"a"}}', 'echo-http');
    expect((await team.released('echo-http', version, 'ROLLED_BACK')).reason).toContain(noImage);
    await jobIn(service, json.id, 'COMPLETED', 100_000, 'echo-http');
    const { json: list } = await team.call('GET', '/endpoints/echo-http/releases');
    const states = (list.releases as ListedRelease[]).map(({ state, revision }) => `${revision} ${state}`);
    expect(states).toEqual(['4 ROLLED_BACK', '3 COMPLETED', '2 SUPERSEDED', '1 SUPERSEDED']);
  }, 400_000);
});
