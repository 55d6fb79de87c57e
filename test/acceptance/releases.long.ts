/**
 * Tests that updates of a template are rolled out or rolled back while jobs arrive, and tests a release after a
 * rollback.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyAssembly } from './assembly.ts';
import { describeBusyRelease } from './busy-release.ts';
import {
  eventually,
  jobIn,
  type LocalService,
  newStateDir,
  startService,
  stopService,
  submit,
} from './local-service.ts';
import { changeEndpoint } from './moving-fleet.ts';
import { type PlatformTeam, platformTeam } from './platform-team.ts';
import { serviceRevisions } from './service-revisions.ts';

let service: LocalService;
let team: PlatformTeam;
const stateDir = newStateDir();
const effects = join(stateDir, 'effects');
const { revisionOf } = serviceRevisions(stateDir);

beforeAll(async () => {
  const assembly = join(stateDir, 'changed-assembly');
  await copyAssembly(assembly);
  changeEndpoint(assembly, 'echo', { idleTimeout: 5_000, maxWorkers: 2 }, effects);
  service = await startService(stateDir, { args: ['--assembly', assembly] });
  team = platformTeam(stateDir, () => service);
  // The first release is complete when one of its workers has been ready.
  const { json } = await submit(service, '{"input":{}}');
  await jobIn(service, json.id, 'COMPLETED');
}, 120_000);
afterAll(() => stopService(service));

/**
 * Submits jobs until `during` resolves.
 * @returns their ids
 */
async function underLoad(during: () => Promise<void>): Promise<unknown[]> {
  const submitted: Promise<unknown>[] = [];
  const jobs = setInterval(() => submitted.push(submit(service, '{"input":{}}').then(({ json }) => json.id)), 200);
  try {
    await during();
  } finally {
    clearInterval(jobs);
  }
  return Promise.all(submitted);
}

/** Waits until the service runs the revision. A release is ROLLED_BACK before the service changes. */
const runs = (endpoint: string, revision: string) =>
  eventually(`${endpoint} runs ${revision}`, async () => (await revisionOf(endpoint)) === revision || undefined);

describe('an update of a template', () => {
  const away = { imageName: 'registry.example/not-there:1' };
  const exits = { dockerStartCmd: ['/bin/false'] };
  const noImage = 'registry.example/not-there:1 cannot be pulled';

  it('is rolled out under 5 jobs per second, or rolled back if it fails, and no job fails', async () => {
    const { json: template } = await team.call('GET', '/templates/endpoint-echo');
    const jobs = await underLoad(async () => {
      const good = await team.released('echo', await team.update('echo', { env: { RELEASED: 'again' } }), 'COMPLETED');
      const running = `gpu-endpoints-Endpoint-echo:${good.revision}`;
      expect(await revisionOf('echo')).toBe(running);
      const unpulled = await team.released('echo', await team.update('echo', away), 'ROLLED_BACK');
      expect(unpulled.reason).toContain(noImage);
      await runs('echo', running);
      const dead = await team.update('echo', { imageName: template.imageName, ...exits });
      expect((await team.released('echo', dead, 'ROLLED_BACK')).reason).toContain('exited with code 1');
      await runs('echo', running);
    });
    expect(jobs.length).toBeGreaterThan(30);
    for (const id of jobs) expect((await jobIn(service, id, 'COMPLETED')).json).toMatchObject({ attempts: 1 });
    const { json } = await team.call('GET', '/templates/endpoint-echo');
    expect(json.endpoints).toMatchObject([{ id: 'echo', release: { state: 'ROLLED_BACK' } }]);
  }, 500_000);
});

describe('a rollback', () => {
  it('releases the settings of the first release, again only once if it is repeated', async () => {
    const { json: before } = await team.call('GET', '/endpoints/echo');
    const { running } = before as { readonly running: { readonly revision: number } };
    expect(await revisionOf('echo')).toBe(`gpu-endpoints-Endpoint-echo:${running.revision}`);
    const reason = 'RELEASED is slow';
    const back = () => team.call('POST', '/endpoints/echo/rollback', { revision: 1, reason });
    const first = await back();
    expect(first).toMatchObject({
      status: 200,
      json: { id: 'echo', template: 'endpoint-echo', restores: { revision: 1, version: 1 } },
    });
    const { version } = first.json as { readonly version: number };
    const { json } = await submit(service, '{"input":{}}');
    await jobIn(service, json.id, 'COMPLETED');
    const { revision } = await team.released('echo', version, 'COMPLETED');
    await runs('echo', `gpu-endpoints-Endpoint-echo:${revision}`);
    expect((await back()).json).toEqual(first.json);
    const { json: after } = await team.call('GET', '/endpoints/echo');
    expect(after).toMatchObject({ running: { revision, version }, release: { revision } });
    const { json: template } = await team.call('GET', '/templates/endpoint-echo');
    expect(template).toMatchObject({ version });
    expect(template).not.toHaveProperty('drift');
    const refused = await team.call('POST', '/endpoints/echo/rollback', { revision });
    expect([refused.status, refused.json.code]).toEqual([400, 'INVALID_REQUEST']);
  }, 300_000);
});

describeBusyRelease({
  endpoint: 'echo',
  workers: 2,
  jobs: 15,
  log: effects,
  service: () => service,
  team: () => team,
});

describe('the template of a busy endpoint', () => {
  it('has the run time of its workers in minutes', async () => {
    const json = await eventually('the run time is at least one minute', async () => {
      const { json: template } = await team.call('GET', '/templates/endpoint-echo');
      return Number(template.runtimeInMin) > 0 ? template : undefined;
    });
    expect(json).toMatchObject({ runtimeInMin: expect.any(Number), earned: 0 });
  });
});
