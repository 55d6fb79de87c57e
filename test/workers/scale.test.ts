import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { type Counts, zeroCounters } from '../../core/endpoints/counts.ts';
import type { EndpointConfig } from '../../core/endpoints/endpoint.ts';
import { scale } from '../../core/fleet/scale.ts';
import { BEAT, LEASE } from '../../core/limits.ts';
import { desiredWorkers } from '../../core/workers/concurrency.ts';
import type { Lease } from '../../core/workers/lease.ts';
import { releaseOf } from '../releases/settings.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();

describe('the workers that an endpoint needs', () => {
  const bounds = { minWorkers: 1, maxWorkers: 5 };
  it.each<[Partial<Counts>, number]>([
    [{}, 1],
    [{ inQueue: 3 }, 3],
    [{ inQueue: 2, inProgress: 2 }, 4],
    [{ inQueue: 100 }, 5],
    [{ inQueue: 3, lowInQueue: 3 }, 1],
    [{ inQueue: 3, lowInQueue: 1, inProgress: 1 }, 3],
    [{ inQueue: -1, inProgress: 2 }, 2],
  ])('with %j are %d', (counts, needed) => {
    expect(desiredWorkers(bounds, { ...zeroCounters, ...counts })).toBe(needed);
  });

  it('are fewer if each runs several jobs at the same time', () => {
    const counts = { ...zeroCounters, inQueue: 5, inProgress: 4 };
    expect(desiredWorkers({ ...bounds, concurrency: 4 }, counts)).toBe(3);
  });

  it('include replacements for workers that take no more jobs, except for the jobs that those workers have', () => {
    const counts = { ...zeroCounters, inQueue: 3, inProgress: 4 };
    const retiring = [{ jobs: ['a', 'b', 'c'] }];
    expect(desiredWorkers({ ...bounds, concurrency: 4 }, counts, retiring)).toBe(2);
    expect(desiredWorkers({ ...bounds, concurrency: 4 }, zeroCounters, retiring)).toBe(2);
    expect(desiredWorkers({ ...bounds, concurrency: 4, maxWorkers: 1 }, counts, retiring)).toBe(1);
  });
});

/** Registers an endpoint with the given counts, as if the ledger had counted them. */
async function endpointWith(id: string, counts: Partial<Counts>, config: Partial<EndpointConfig> = {}) {
  await emulated.deploy(id, config);
  await count(id, counts);
}

let sequence = 0;
async function count(id: string, counts: Partial<Counts>) {
  sequence += 1;
  const delta = { ...zeroCounters, ...counts };
  await emulated.ports.ledger.add(`${id}#0`, [{ sequence: String(sequence).padStart(40, '0'), delta, arrivals: {} }]);
}

const beat = (endpoint: string, worker: string, differences: Partial<Lease>) =>
  emulated.ports.workers.beat({
    endpoint,
    worker,
    jobs: [],
    endsAt: emulated.clock.now() + LEASE,
    removeAfter: 1,
    readySince: 1,
    ...differences,
  });

describe('scaling', () => {
  it('sets the number of the service once, and again only when another number is needed', async () => {
    const ports = portsWith(emulated.ports, { services: recordServices() });
    await endpointWith('sc-a', { inQueue: 1 });
    await scale(ports, 'sc-a', 'up');
    await scale(ports, 'sc-a', 'up');
    await count('sc-a', { inQueue: 1 });
    await scale(ports, 'sc-a', 'up');
    expect(ports.services.desiredCounts.get('sc-a')).toEqual([1, 2]);
  });

  it('does not reduce the number when only arriving jobs were counted', async () => {
    const ports = portsWith(emulated.ports, { services: recordServices() });
    await endpointWith('sc-b', { inQueue: 2 });
    await scale(ports, 'sc-b', 'up');
    await count('sc-b', { inQueue: -2 });
    await scale(ports, 'sc-b', 'up');
    expect(ports.services.desiredCounts.get('sc-b')).toEqual([2]);
    await scale(ports, 'sc-b', 'both');
    expect(ports.services.desiredCounts.get('sc-b')).toEqual([2, 0]);
  });

  it('never sets less than the number of workers that have or just had jobs', async () => {
    const { clock } = emulated;
    const ports = portsWith(emulated.ports, { services: recordServices() });
    await endpointWith('sc-c', { inQueue: 3 }, { idleTimeout: 10_000, maxWorkers: 4 });
    await scale(ports, 'sc-c', 'up');
    await count('sc-c', { inQueue: -3 });
    await beat('sc-c', 'busy', { jobs: ['j'] });
    await beat('sc-c', 'recent', { idleSince: clock.now() - 9_999 - BEAT });
    await beat('sc-c', 'idle', { idleSince: clock.now() - 10_000 - BEAT });
    await beat('sc-c', 'dead', { jobs: ['k'], endsAt: clock.now() - 1 });
    await scale(ports, 'sc-c', 'both');
    expect(ports.services.desiredCounts.get('sc-c')).toEqual([3, 2]);
    clock.advance(1);
    await scale(ports, 'sc-c', 'both');
    expect(ports.services.desiredCounts.get('sc-c')).toEqual([3, 2, 1]);
  });

  it('starts a replacement for a worker that takes no more jobs, and requests one worker fewer after that worker has stopped', async () => {
    const ports = portsWith(emulated.ports, { services: recordServices() });
    await endpointWith('sc-t', { inQueue: 1, inProgress: 3 }, { concurrency: 4 });
    await scale(ports, 'sc-t', 'up');
    await beat('sc-t', 'w1', { jobs: ['a', 'b', 'c'], retiring: true });
    await scale(ports, 'sc-t', 'both');
    expect(ports.services.desiredCounts.get('sc-t')).toEqual([1, 2]);
    await count('sc-t', { inQueue: -1, inProgress: -2 });
    await emulated.ports.workers.remove('sc-t', 'w1');
    await beat('sc-t', 'w2', { jobs: ['d'] });
    await scale(ports, 'sc-t', 'both');
    expect(ports.services.desiredCounts.get('sc-t')).toEqual([1, 2, 1]);
  });

  it('by two simultaneous processes sets the number that is needed', async () => {
    await endpointWith('sc-d', { inQueue: 1 });
    const plain = recordServices();
    const other = portsWith(emulated.ports, { services: plain });
    let interfered = false;
    // While the first call with 1 is in transit, a job arrives and the second call sets 2. Then the first call
    // arrives.
    const services = recordServices(async () => {
      if (interfered) return;
      interfered = true;
      await count('sc-d', { inQueue: 1 });
      await scale(other, 'sc-d', 'up');
    });
    await scale(portsWith(emulated.ports, { services }), 'sc-d', 'up');
    expect(plain.desiredCounts.get('sc-d')).toEqual([2]);
    expect(services.desiredCounts.get('sc-d')).toEqual([1, 2]);
    expect((await emulated.ports.endpoints.readNow('sc-d'))?.desiredWorkers).toBe(2);
  });

  it('is repeated if the number of the service could not be set', async () => {
    await endpointWith('sc-e', { inQueue: 1 });
    let failures = 1;
    const services = recordServices(() => {
      failures -= 1;
      if (failures >= 0) throw new Error('Rate exceeded');
    });
    const ports = portsWith(emulated.ports, { services });
    await expect(scale(ports, 'sc-e', 'up')).rejects.toThrow('Rate exceeded');
    await scale(ports, 'sc-e', 'up');
    expect(services.desiredCounts.get('sc-e')).toEqual([1]);
  });

  it('keeps all workers while one of them works without protection', async () => {
    const ports = portsWith(emulated.ports, { services: recordServices() });
    await endpointWith('sc-u', { inQueue: 2 });
    await scale(ports, 'sc-u', 'up');
    await count('sc-u', { inQueue: -2 });
    await beat('sc-u', 'w1', { jobs: ['j'], unprotected: 'WORKS' });
    await scale(ports, 'sc-u', 'both');
    expect(ports.services.desiredCounts.get('sc-u')).toEqual([2]);
    await beat('sc-u', 'w1', { unprotected: 'WAITS', idleSince: 0 });
    await scale(ports, 'sc-u', 'both');
    expect(ports.services.desiredCounts.get('sc-u')).toEqual([2, 0]);
  });

  it('during a release keeps a worker that begins to work without protection after the check', async () => {
    await endpointWith('sc-r', { inQueue: 2 });
    await emulated.ports.endpoints.setRelease('sc-r', undefined, releaseOf('arn:family:2'));
    const beginning = new Set(['w1']);
    const ports = portsWith(emulated.ports, {
      services: recordServices(),
      endpoints: Object.assign(Object.create(emulated.ports.endpoints), {
        async setScaleIn(id: string, now: number) {
          // The worker stores its lease and reads the endpoint before the scale-in is stored.
          for (const worker of beginning) await beat(id, worker, { unprotected: 'WORKS' });
          await emulated.ports.endpoints.setScaleIn(id, now);
        },
      }),
    });
    await scale(ports, 'sc-r', 'up');
    await count('sc-r', { inQueue: -2 });
    await scale(ports, 'sc-r', 'both');
    expect(ports.services.desiredCounts.get('sc-r')).toEqual([2]);
    beginning.clear();
    await beat('sc-r', 'w1', { idleSince: 0 });
    await scale(ports, 'sc-r', 'both');
    expect(ports.services.desiredCounts.get('sc-r')).toEqual([2, 0]);
    expect((await emulated.ports.endpoints.readNow('sc-r'))?.scaleInAt).toBe(emulated.clock.now());
  });
});

describe('for an endpoint whose workers set their concurrency', () => {
  const release = (revision: number, template = 'vllm') =>
    releaseOf(`arn:family:${revision}`, {
      template: { id: template, version: revision },
      state: 'COMPLETED',
      settledAt: 1,
    });
  const asked = async (id: string) => (await emulated.ports.endpoints.readNow(id))?.asked;

  it('assumes 1 until the requested concurrency is stored, and then uses it while no worker runs', async () => {
    const ports = portsWith(emulated.ports, { services: recordServices() });
    await endpointWith('sc-ask', { inQueue: 3 }, { idleTimeout: 10_000, maxWorkers: 9 });
    await scale(ports, 'sc-ask', 'up');
    await beat('sc-ask', 'w1', { asks: 8, idleSince: 0 });
    await beat('sc-ask', 'w2', { asks: 4, idleSince: 0 });
    await beat('sc-ask', 'lost', { asks: 30, endsAt: emulated.clock.now() - 1 });
    await scale(ports, 'sc-ask', 'both');
    expect(await asked('sc-ask')).toMatchObject({ jobs: 8 });
    await count('sc-ask', { inQueue: -3 });
    for (const worker of ['w1', 'w2', 'lost']) await emulated.ports.workers.remove('sc-ask', worker);
    await scale(ports, 'sc-ask', 'both');
    await count('sc-ask', { inQueue: 9 });
    await scale(ports, 'sc-ask', 'up');
    expect(ports.services.desiredCounts.get('sc-ask')).toEqual([3, 1, 0, 2]);
    // SDK 1.6 requests one job before it has a job.
    await beat('sc-ask', 'fresh', { asks: 1 });
    await scale(ports, 'sc-ask', 'both');
    expect(await asked('sc-ask')).toMatchObject({ jobs: 8 });
  });

  it('uses the setting while it exists, and the requested concurrency after it is removed', async () => {
    const ports = portsWith(emulated.ports, { services: recordServices() });
    const id = 'sc-set';
    await endpointWith(id, { inQueue: 6 }, { concurrency: 2, maxWorkers: 9 });
    await scale(ports, id, 'up');
    await beat(id, 'w1', { asks: 6 });
    await scale(ports, id, 'both');
    expect(ports.services.desiredCounts.get(id)).toEqual([3]);
    await emulated.deploy(id, { maxWorkers: 9 });
    await scale(ports, id, 'both');
    await emulated.deploy(id, { concurrency: 1, maxWorkers: 9 });
    await scale(ports, id, 'up');
    expect(ports.services.desiredCounts.get(id)).toEqual([3, 1, 6]);
  });

  it('uses the concurrency of workers of the current revision, and the last one until such a worker has requested jobs', async () => {
    const ports = portsWith(emulated.ports, { services: recordServices() });
    const id = 'sc-rev';
    await endpointWith(id, { inProgress: 8 }, { maxWorkers: 9 });
    const { endpoints } = emulated.ports;
    await endpoints.setRelease(id, undefined, release(1));
    await beat(id, 'w1', { asks: 8, revision: 1, jobs: ['a'] });
    await scale(ports, id, 'both');
    await endpoints.setRelease(id, (await endpoints.readNow(id))?.release, release(2));
    await scale(ports, id, 'both');
    expect(await asked(id)).toMatchObject({ jobs: 8, template: 'vllm' });
    await beat(id, 'w2', { asks: 2, revision: 2 });
    await scale(ports, id, 'both');
    expect(await asked(id)).toMatchObject({ jobs: 2, template: 'vllm' });
    expect(ports.services.desiredCounts.get(id)).toEqual([1, 4]);
  });

  it('assumes 1 again for workers of another template', async () => {
    const ports = portsWith(emulated.ports, { services: recordServices() });
    const id = 'sc-tpl';
    await endpointWith(id, { inQueue: 3 }, { maxWorkers: 9 });
    const { endpoints } = emulated.ports;
    await endpoints.setRelease(id, undefined, release(1));
    await beat(id, 'w1', { asks: 8, revision: 1 });
    await scale(ports, id, 'both');
    await endpoints.setRelease(id, (await endpoints.readNow(id))?.release, release(2, 'comfyui'));
    await scale(ports, id, 'up');
    expect(ports.services.desiredCounts.get(id)).toEqual([1, 3]);
  });
});
