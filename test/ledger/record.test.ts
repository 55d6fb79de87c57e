import { describe, expect, it } from '@jest/globals';
import { createPorts, portsWith } from '../../aws/ports.ts';
import { type Counters, plus, zeroCounters } from '../../core/endpoints/counts.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { partitionOf } from '../../core/jobs/id.ts';
import type { JobChange } from '../../core/jobs/job.ts';
import { ARRIVAL_SPAN } from '../../core/ledger/arrivals.ts';
import { countersOf } from '../../core/ledger/delta.ts';
import { record } from '../../core/ledger/record.ts';
import { DAY, MINUTE, REPORT_GRACE } from '../../core/limits.ts';
import { finish } from '../../core/workers/report.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { finishJob, startJob, submitJob, takeJob } from '../jobs/scripted-job.ts';
import { numbersOf, PROPERTY_SEED, seedOf } from '../runner/seed.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const ports = Object.assign(emulated.ports, { services: recordServices() });

const countsOf = async (endpoint: string) => (await ports.endpoints.readNow(endpoint))?.counts;

/** Counts all jobs by a scan. */
async function counted(endpoint: string): Promise<Counters> {
  let sum = zeroCounters;
  for await (const job of ports.jobs.list(endpoint)) sum = plus(sum, countersOf(job));
  return sum;
}

/**
 * Submits jobs to several partitions.
 * @returns the partition of each, and their changes in the stream
 */
async function waitingJobs(endpoint: string) {
  await emulated.deploy(endpoint, { maxWorkers: 0 });
  await emulated.changes();
  const partitions: string[] = [];
  for (let n = 0; n < 16; n += 1) partitions.push(partitionOf({ endpoint, id: await submitJob(ports, endpoint) }));
  return { partitions, changes: await emulated.changes() };
}

/** Returns the number of waiting jobs by arrival, without the items that earlier calls have read. */
const arrivedAt = (endpoint: string) =>
  createPorts({ clock: emulated.clock }).arrivals.countBefore(
    { endpoint, generation: 0, lowPriority: false },
    emulated.clock.now() + ARRIVAL_SPAN,
  );

/**
 * Creates jobs in every state, on several partitions.
 * @returns their changes in the stream
 */
async function eventful(endpoint: string): Promise<JobChange[]> {
  await emulated.deploy(endpoint);
  await emulated.changes();
  for (let round = 0; round < 4; round += 1) {
    await submitJob(ports, endpoint, { lowPriority: round % 2 === 0 });
    await finishJob(ports, endpoint, { output: '1' });
    await finishJob(ports, endpoint, { error: 'no' });
    await cancel(ports, { endpoint, id: await submitJob(ports, endpoint) });
    const lost = await startJob(ports, endpoint);
    await rescue(ports, lost, 0, 0);
    if (round % 2 === 0) await finish(ports, await takeJob(ports, endpoint, lost.id, 'w2'), { output: '2' });
    await startJob(ports, endpoint);
  }
  return emulated.changes();
}

describe('the ledger', () => {
  it('has the same counts as a scan of all jobs', async () => {
    const changes = await eventful('le-a');
    await record(ports, changes);
    expect(await countsOf('le-a')).toEqual(await counted('le-a'));
    expect((await countsOf('le-a'))?.retried).toBe(4);
  });

  it('counts every change once, even if it is repeated or the batches are divided differently', async () => {
    const below = numbersOf(seedOf(PROPERTY_SEED));
    const changes = await eventful('le-b');
    // Repeats records as Lambda does after failures: starting at a failed record, in batches of different sizes.
    for (let from = 0; from < changes.length; ) {
      const size = 1 + below(12);
      await record(ports, changes.slice(from, from + size));
      from += below(3) === 0 ? -Math.min(from, below(8)) : size;
    }
    await record(ports, changes.slice(-5));
    expect(await countsOf('le-b')).toEqual(await counted('le-b'));
  });

  it('counts the endpoints of one batch separately', async () => {
    const a = await eventful('le-c');
    const b = await eventful('le-d');
    await record(ports, [...a, ...b]);
    expect(await countsOf('le-c')).toEqual(await counted('le-c'));
    expect(await countsOf('le-d')).toEqual(await counted('le-d'));
  });

  it('records the other endpoints of a batch if one fails, and does not count them again if the batch is repeated', async () => {
    const a = await eventful('le-g');
    const b = await eventful('le-h');
    const c = await eventful('le-i');
    const batch = [a, b, c].flatMap((changes) => changes.slice(0, -1));
    const failing = portsWith(ports, {
      ledger: {
        ...ports.ledger,
        add: (...args: Parameters<typeof ports.ledger.add>) =>
          args[0].startsWith('le-h#')
            ? Promise.reject(new Error('The change cannot be added.'))
            : ports.ledger.add(...args),
      },
    });
    const failed = await record(failing, batch);
    expect(failed).toMatchObject([{ endpoint: 'le-h', changes: b.slice(0, -1) }]);
    // Lambda repeats the batch starting at the first failed record, with records of endpoints that did not fail.
    const from = batch.findIndex(({ sequence }) => sequence === failed[0]?.changes[0]?.sequence);
    expect(await record(ports, [...batch.slice(from)])).toEqual([]);
    expect(
      await record(
        ports,
        [a, b, c].flatMap((changes) => changes.slice(-1)),
      ),
    ).toEqual([]);
    for (const endpoint of ['le-g', 'le-h', 'le-i']) expect(await countsOf(endpoint)).toEqual(await counted(endpoint));
  });

  it('writes the arrivals of all partitions together: one item for the hour and one for the day', async () => {
    const { changes, partitions } = await waitingJobs('le-l');
    let updates = 0;
    const { arrivals } = createPorts({
      clock: emulated.clock,
      onClient: (client) =>
        client.middlewareStack.add(
          (next) => (args) => {
            updates += 1;
            return next(args);
          },
          { step: 'initialize' },
        ),
    });
    expect(await record(portsWith(ports, { arrivals }), changes)).toEqual([]);
    expect(new Set(partitions).size).toBeGreaterThan(1);
    expect(updates).toBe(2);
    expect(await arrivedAt('le-l')).toBe(16);
  });

  it('adds the arrivals of the counted partitions if another one fails, and of all when the batch is repeated', async () => {
    const { changes, partitions } = await waitingJobs('le-m');
    const last = [...new Set(partitions)].at(-1);
    const failing = portsWith(ports, {
      ledger: {
        ...ports.ledger,
        add: (...args: Parameters<typeof ports.ledger.add>) =>
          args[0] === last ? Promise.reject(new Error('The change cannot be added.')) : ports.ledger.add(...args),
      },
    });
    expect(await record(failing, changes)).toMatchObject([{ endpoint: 'le-m' }]);
    expect(await arrivedAt('le-m')).toBe(partitions.filter((partition) => partition !== last).length);
    expect(await record(ports, changes)).toEqual([]);
    expect(await arrivedAt('le-m')).toBe(16);
  });

  it('adds the arrivals of a batch whose process died before, also if the repeated batch is longer', async () => {
    const { changes } = await waitingJobs('le-n');
    const add = () => Promise.reject(new Error('The process died.'));
    const dying = portsWith(ports, { arrivals: { ...ports.arrivals, add } });
    expect(await record(dying, changes.slice(0, 8))).toMatchObject([{ endpoint: 'le-n' }]);
    expect(await record(ports, changes)).toEqual([]);
    expect(await arrivedAt('le-n')).toBe(16);
  });

  it('does not delay other endpoints because of a slow endpoint', async () => {
    const a = await eventful('le-j');
    const b = await eventful('le-k');
    const over = Promise.withResolvers<void>();
    const slow = portsWith(ports, {
      deadlines: {
        ...ports.deadlines,
        save: async (...args: Parameters<typeof ports.deadlines.save>) => {
          if (args[0] === 'le-j') await over.promise;
          await ports.deadlines.save(...args);
          if (args[0] === 'le-k') over.resolve();
        },
      },
    });
    expect(await record(slow, [...a, ...b])).toEqual([]);
    expect(await countsOf('le-j')).toEqual(await counted('le-j'));
  });

  it('stores the minute when jobs become due', async () => {
    await emulated.deploy('le-e');
    await emulated.changes();
    const waiting = await submitJob(ports, 'le-e', { ttl: 10 * MINUTE });
    const running = await startJob(ports, 'le-e', { executionTimeout: 5 * MINUTE });
    await finishJob(ports, 'le-e', { output: '1' });
    await record(ports, await emulated.changes());
    const dueBy = async (time: number) =>
      (await Array.fromAsync(ports.deadlines.due('le-e', time))).flatMap(({ jobs }) => jobs);
    const now = emulated.clock.now();
    expect(await dueBy(now + 5 * MINUTE)).toEqual([]);
    expect(await dueBy(now + 6 * MINUTE + REPORT_GRACE)).toEqual([running.id]);
    expect(await dueBy(now + 11 * MINUTE)).toEqual([running.id, waiting]);
    expect(await dueBy(now + DAY)).toEqual([running.id, waiting]);
  });

  it('starts workers for waiting jobs, but not for jobs of low priority', async () => {
    await emulated.deploy('le-f', { maxWorkers: 2 });
    await emulated.changes();
    await submitJob(ports, 'le-f', { lowPriority: true });
    await record(ports, await emulated.changes());
    expect(ports.services.desiredCounts.get('le-f')).toBeUndefined();
    for (let n = 0; n < 3; n += 1) await submitJob(ports, 'le-f');
    await record(ports, await emulated.changes());
    expect(ports.services.desiredCounts.get('le-f')).toEqual([2]);
  });
});
