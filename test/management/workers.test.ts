/** Tests listing the workers of an endpoint by their leases. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHistoryPorts } from '../../aws/management/ports.ts';
import { portsWith } from '../../aws/ports.ts';
import { saveStart } from '../../core/fleet/start.ts';
import { record } from '../../core/ledger/record.ts';
import { ENDPOINT_CACHE, LEASE } from '../../core/limits.ts';
import { workers } from '../../core/management/workers.ts';
import { keyOf, type ReleaseHistory } from '../../core/releases/history.ts';
import { EndpointNotFound } from '../../core/requests/errors.ts';
import { health } from '../../core/status/health.ts';
import type { Lease } from '../../core/workers/lease.ts';
import { startJob } from '../jobs/scripted-job.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
let history: ReleaseHistory;

beforeAll(async () => {
  ({ history } = createHistoryPorts());
});

const list = async (endpoint: string) => (await workers(portsWith(emulated.ports, { history }), endpoint)).workers;

/** @returns the time the given seconds ago, in the format of responses */
const ago = (seconds: number) => new Date(emulated.clock.now() - 1_000 * seconds).toISOString();

async function beat(endpoint: string, worker: string, lease: Partial<Lease> = {}): Promise<void> {
  const endsAt = emulated.clock.now() + LEASE;
  await emulated.ports.workers.beat({ endpoint, worker, jobs: [], endsAt, removeAfter: 1, readySince: 1, ...lease });
}

const release = (endpoint: string, revision: number, version: number) =>
  history.begin(endpoint, {
    key: keyOf(revision),
    record: { state: 'IN_PROGRESS', revision, template: 'a-template', version, startedAt: 1 },
  });

describe('a worker', () => {
  it('has the state that /health counts, and its start time if the lease contains one', async () => {
    const { ports, clock } = emulated;
    await emulated.deploy('wo-states');
    const job = await startJob(ports, 'wo-states', {}, 'w2');
    const now = clock.now();
    await beat('wo-states', 'w1', { idleSince: now - 30_000, readySince: now - 60_000 });
    await beat('wo-states', 'w2', { jobs: [job.id], readySince: now - 60_000, retiring: true });
    await beat('wo-states', 'w3', { readySince: null });
    await beat('wo-states', 'w4', { unprotected: 'WAITS', readySince: now - 5_000 });
    await beat('wo-states', 'w5', { endsAt: now - 2_000, readySince: null });
    await record({ ...ports, services: recordServices() }, await emulated.changes());
    clock.advance(ENDPOINT_CACHE);

    const seenAt = new Date(now).toISOString();
    const shown = { seenAt, jobs: [], retiring: false, completed: 0, failed: 0 };
    const listed = await list('wo-states');
    expect(listed).toEqual([
      { ...shown, id: 'w1', state: 'IDLE', since: ago(30.4), readySince: ago(60.4) },
      { ...shown, id: 'w2', state: 'RUNNING', readySince: ago(60.4), jobs: [job.id], retiring: true },
      { ...shown, id: 'w3', state: 'INITIALIZING' },
      { ...shown, id: 'w4', state: 'THROTTLED', readySince: ago(5.4), unprotected: 'WAITS' },
      { ...shown, id: 'w5', state: 'UNHEALTHY', since: ago(2.4), seenAt: ago(32.4) },
    ]);
    const count = (state: string) => listed.filter((worker) => worker.state === state).length;
    expect((await health(ports, 'wo-states')).workers).toEqual({
      idle: count('IDLE'),
      initializing: count('INITIALIZING'),
      ready: count('IDLE') + count('RUNNING'),
      running: count('RUNNING'),
      throttled: count('THROTTLED'),
      unhealthy: count('UNHEALTHY'),
    });
  });

  it('has the stages of its start, until now while it is not ready', async () => {
    const { ports, clock } = emulated;
    await emulated.deploy('wo-start');
    const now = clock.now();
    const pulled = { createdAt: now - 90_000, pullStartedAt: now - 60_000, pullStoppedAt: now - 20_000 };
    await beat('wo-start', 'w1', { readySince: now - 15_000 });
    await beat('wo-start', 'w2', { readySince: null });
    await beat('wo-start', 'w3', { readySince: null, endsAt: now - 1_000 });
    await beat('wo-start', 'w4');
    for (const worker of ['w1', 'w2', 'w3']) await saveStart(ports, 'wo-start', worker, pulled);
    const listed = await list('wo-start');
    const stagesOf = (last: number) => [
      { stage: 'BOOT', startedAt: ago(90), duration: 30_000 },
      { stage: 'IMAGE', startedAt: ago(60), duration: 40_000 },
      { stage: 'WORKER', startedAt: ago(20), duration: last },
    ];
    expect(listed).toMatchObject([
      { id: 'w1', timeline: stagesOf(5_000) },
      { id: 'w2', timeline: stagesOf(20_000) },
      // The lease was renewed for the last time 31 s ago, before the image was pulled.
      {
        id: 'w3',
        timeline: [{ stage: 'BOOT' }, { stage: 'IMAGE', duration: 29_000 }, { stage: 'WORKER', duration: 0 }],
      },
      { id: 'w4' },
    ]);
    expect(listed[3]).not.toHaveProperty('timeline');
  });

  it('has the release that it runs, not the newest release', async () => {
    await emulated.deploy('wo-release');
    await release('wo-release', 4, 2);
    await release('wo-release', 5, 3);
    await beat('wo-release', 'w1', { revision: 4 });
    await beat('wo-release', 'w2', { revision: 5, unprotected: 'WORKS' });
    const template = 'a-template';
    expect(await list('wo-release')).toMatchObject([
      { id: 'w1', revision: 4, template, version: 2 },
      { id: 'w2', revision: 5, template, version: 3, unprotected: 'WORKS' },
    ]);
  });

  it('has no version if the version of its revision is not stored', async () => {
    await emulated.deploy('wo-unknown');
    await beat('wo-unknown', 'w1', { revision: 9, readySince: null });
    const [worker] = await list('wo-unknown');
    expect(worker).toMatchObject({ revision: 9 });
    for (const unknown of ['version', 'template', 'since', 'readySince', 'unprotected'])
      expect(worker).not.toHaveProperty(unknown);
  });

  it('shows only valid ids of jobs', async () => {
    await emulated.deploy('wo-ids');
    const id = '0'.repeat(36);
    await beat('wo-ids', 'w1', { jobs: ['<b>', id, 'x'.repeat(5_000)] });
    expect(await list('wo-ids')).toMatchObject([{ state: 'RUNNING', jobs: [id] }]);
  });

  it('causes at most ten reads of revisions together with all other workers', async () => {
    await emulated.deploy('wo-many');
    for (let n = 0; n < 30; n += 1) await beat('wo-many', `w${n}`, { revision: n });
    const read: string[] = [];
    const counting = { read: async (_: string, key: string) => void read.push(key) };
    const ports = portsWith(emulated.ports, { history: counting });
    expect((await workers(ports, 'wo-many')).workers).toHaveLength(30);
    expect(read).toEqual(Array.from({ length: 10 }, (_, n) => keyOf(29 - n)));
  });
});

it('refuses to list the workers of an endpoint that is not deployed', async () => {
  await beat('wo-gone', 'w1');
  await expect(list('wo-gone')).rejects.toThrow(EndpointNotFound);
});
