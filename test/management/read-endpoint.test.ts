/** Tests the response for a single endpoint: what the list has, and its settings, running release and remedy. */
import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import type { StoredRelease } from '../../core/endpoints/release.ts';
import { dayOf } from '../../core/endpoints/spending.ts';
import { record } from '../../core/ledger/record.ts';
import { ENDPOINT_CACHE, LEASE } from '../../core/limits.ts';
import { endpoints } from '../../core/management/endpoints.ts';
import { readEndpoint } from '../../core/management/read-endpoint.ts';
import { begun } from '../../core/releases/transitions.ts';
import { saveFact } from '../../core/workers/apply-facts.ts';
import { startJob, submitJob } from '../jobs/scripted-job.ts';
import { endpointConfig } from '../support/endpoint-config.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { templateOf } from '../templates/settings.ts';

const emulated = useEmulatedDeployment();
const OWNER = 'ada';
const EXAMPLES = [{ name: 'Say hello', input: { text: 'hello' } }];

const ports = () =>
  portsWith(emulated.ports, {
    templates: { read: async (id: string) => templateOf({ id, name: 'worker', owner: OWNER, env: { KEY: 'hidden' } }) },
  });

/** Reads the endpoint after the cached one has expired. */
async function read(endpoint: string, owner = OWNER) {
  emulated.clock.advance(ENDPOINT_CACHE);
  return readEndpoint(ports(), { owner, endpoint });
}

/** Begins a release of the version, and completes it if it has an end. */
async function release(id: string, version: number, endedAt?: number): Promise<StoredRelease | undefined> {
  const { endpoints: stored } = emulated.ports;
  const current = (await stored.readNow(id))?.release;
  const target = { revision: `worker:${version + 5}`, blueprint: 'b:1', template: { id: 't', version } };
  const next = begun(current, target, 1_000 * version);
  await stored.setRelease(id, current, endedAt === undefined ? next : { ...next, state: 'COMPLETED', endedAt });
  return (await stored.readNow(id))?.release;
}

describe('GET /endpoints/{endpoint}', () => {
  it('returns what the list of endpoints has, with the examples', async () => {
    const config = await emulated.deploy('listed');
    await emulated.ports.endpoints.register(config, EXAMPLES);
    const [listed] = (await endpoints(ports(), { owner: OWNER, permitted: ['listed'] })).endpoints;
    expect(listed).toMatchObject({ examples: EXAMPLES, image: 'team/worker:1.2', template: { name: 'worker' } });
    expect(await read('listed')).toEqual({ ...listed, category: 'CPU', protocol: 'worker', idleTimeout: 60_000 });
  });

  it('returns the settings of the endpoint file, and no value of a variable', async () => {
    const settings = {
      category: 'NVIDIA',
      protocol: 'http',
      concurrency: 4,
      pinTemplate: 2,
      idleTimeout: 5_000,
    } as const;
    await emulated.deploy('set', settings);
    const details = await read('set');
    expect(details).toMatchObject(settings);
    expect(JSON.stringify(details)).not.toContain('hidden');
  });

  it('has only the id and the version of a template that the owner cannot see', async () => {
    await emulated.deploy('others');
    const details = await read('others', 'bob');
    expect(details.template).toEqual({ id: endpointConfig('others').template, version: 1 });
    expect(details).not.toHaveProperty('image');
  });

  it('names the running release while another one is in progress, and none before the first is complete', async () => {
    await emulated.deploy('running');
    await release('running', 1);
    expect(await read('running')).not.toHaveProperty('running');
    await release('running', 2, 2_500);
    const running = { template: 't', version: 2, revision: 7, since: '1970-01-01T00:00:02.500Z' };
    expect(await read('running')).toMatchObject({ running, release: { state: 'COMPLETED', version: 2 } });
    await release('running', 3);
    expect(await read('running')).toMatchObject({ running, release: { state: 'IN_PROGRESS', version: 3 } });
  });

  it('says what helps if workers cannot start', async () => {
    await emulated.deploy('blocked', { minWorkers: 1 });
    await emulated.ports.endpoints.setDesired('blocked', undefined, 1);
    expect(await read('blocked')).not.toHaveProperty('remedy');
    const failed = { is: 'failed', blocker: 'QUOTA', detail: 'vCPU limit' } as const;
    await saveFact(emulated.ports, 'blocked', { ...failed, at: emulated.clock.now() });
    expect(await read('blocked')).toMatchObject({
      health: { waitReason: 'QUOTA' },
      remedy: expect.stringContaining('Service Quotas'),
    });
  });

  it('says that a budget is spent, also while no job waits', async () => {
    await emulated.deploy('spent', { maxDollarsPerDay: 2 });
    const now = emulated.clock.now();
    await emulated.ports.endpoints.saveSpending('spent', { day: dayOf(now), at: now, dollars: 2.5 });
    expect(await read('spent')).toMatchObject({
      health: { waitReason: 'BUDGET_SPENT', waitDetail: expect.stringContaining('has spent $2.50 of its') },
      remedy: expect.stringContaining('raise `maxDollarsPerDay`'),
    });
  });

  it('says that every worker has a job while others wait', async () => {
    await emulated.deploy('busy', { maxWorkers: 1 });
    const { id } = await startJob(emulated.ports, 'busy');
    await submitJob(emulated.ports, 'busy');
    const { clock } = emulated;
    const lease = { endpoint: 'busy', worker: 'w1', jobs: [id], removeAfter: 1, readySince: 1 };
    await emulated.ports.workers.beat({ ...lease, endsAt: clock.now() + LEASE });
    await record({ ...emulated.ports, services: recordServices() }, await emulated.changes());
    expect(await read('busy')).toMatchObject({
      health: { waitReason: 'WORKERS_BUSY' },
      remedy: 'Wait, or raise `maxWorkers` if that many workers run already.',
    });
  });

  it('is not found if the endpoint is not deployed', async () => {
    for (const id of ['nowhere', 'examples#listed', '__proto__'])
      await expect(read(id)).rejects.toMatchObject({ code: 'ENDPOINT_NOT_FOUND' });
  });
});
