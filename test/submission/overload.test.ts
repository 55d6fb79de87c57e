import { describe, expect, it } from '@jest/globals';
import { zeroCounters } from '../../core/endpoints/counts.ts';
import { partitionsOf } from '../../core/jobs/id.ts';
import { ENDPOINT_CACHE } from '../../core/limits.ts';
import { InvalidRequest, QueueFull } from '../../core/requests/errors.ts';
import { runSync } from '../../core/status/runsync.ts';
import { run } from '../../core/submission/submit.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

let sequence = 100;

/** Makes the ledger count additional waiting jobs, and lets every cache expire. */
async function addWaiting(endpoint: string, inQueue: number, lowInQueue = 0) {
  const [partition = ''] = partitionsOf(endpoint);
  const delta = { ...zeroCounters, inQueue, lowInQueue };
  sequence += 1;
  await ports.ledger.add(partition, [{ sequence: String(sequence), delta, arrivals: {} }]);
  emulated.clock.advance(ENDPOINT_CACHE);
}

const body = (policy = {}) => JSON.stringify({ input: {}, policy });
const submit = (endpoint: string, text = body()) => run(ports, { endpoint, owner: 'ada', body: Buffer.from(text) });
const stored = async (endpoint: string) => (await Array.fromAsync(ports.jobs.list(endpoint))).length;

describe('a full queue', () => {
  it.each([
    { maxWorkers: 0, max: 50 },
    { maxWorkers: 1, max: 500 },
    { maxWorkers: 3, max: 1_500 },
  ])(
    'with at most $maxWorkers workers accepts a job while $max jobs wait, and no job while more wait',
    async (limits) => {
      const { maxWorkers, max } = limits;
      const endpoint = `full-${maxWorkers}`;
      const { normalQueueUrls, lowQueueUrls } = await emulated.deploy(endpoint, { maxWorkers });
      const [normalQueueUrl, lowQueueUrl] = [normalQueueUrls[0], lowQueueUrls[0]];
      await addWaiting(endpoint, max);
      await submit(endpoint);
      expect(await emulated.nextMessage(normalQueueUrl)).toBeDefined();

      await addWaiting(endpoint, 1);
      const lowPriority = body({ lowPriority: true });
      for (const text of [body(), lowPriority]) {
        await expect(submit(endpoint, text)).rejects.toThrow(QueueFull);
        await expect(runSync(ports, { endpoint, owner: 'ada', body: Buffer.from(text) })).rejects.toThrow(QueueFull);
      }
      expect(await stored(endpoint)).toBe(1);
      for (const queueUrl of [normalQueueUrl, lowQueueUrl])
        expect(await emulated.nextMessage(queueUrl)).toBeUndefined();
    },
  );

  it('counts jobs of low priority like normal jobs', async () => {
    await emulated.deploy('full-low', { maxWorkers: 0 });
    await addWaiting('full-low', 51, 51);
    await expect(submit('full-low')).rejects.toThrow('51 jobs wait at endpoint `full-low`');
  });

  it('accepts jobs again after a purge', async () => {
    await emulated.deploy('full-purged', { maxWorkers: 0 });
    await addWaiting('full-purged', 51);
    await ports.endpoints.raiseGeneration('full-purged', 0);
    emulated.clock.advance(ENDPOINT_CACHE);
    expect(await submit('full-purged')).toMatchObject({ status: 'IN_QUEUE' });
  });

  it('does not store an idempotency key', async () => {
    await emulated.deploy('full-key', { maxWorkers: 0 });
    await addWaiting('full-key', 51);
    const request = { endpoint: 'full-key', owner: 'ada', idempotencyKey: 'k' };
    await expect(run(ports, { ...request, body: Buffer.from(body()) })).rejects.toThrow(QueueFull);
    await addWaiting('full-key', -1);
    expect(await run(ports, { ...request, body: Buffer.from(body({ ttl: 10_000 })) })).toMatchObject({
      status: 'IN_QUEUE',
    });
  });

  it('refuses an invalid request as invalid', async () => {
    await emulated.deploy('full-wrong', { maxWorkers: 0 });
    await addWaiting('full-wrong', 51);
    await expect(submit('full-wrong', '{}')).rejects.toThrow(InvalidRequest);
  });
});
