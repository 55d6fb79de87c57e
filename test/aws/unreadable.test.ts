/** Tests every kind of read with items that user code wrote. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { changesFrom } from '../../aws/jobs/job-stream.ts';
import { createPorts, type Ports, portsWith } from '../../aws/ports.ts';
import { deliveryEventFrom } from '../../aws/webhooks/event.ts';
import { partitionOf } from '../../core/jobs/id.ts';
import { DAY, LEASE } from '../../core/limits.ts';
import { requests } from '../../core/status/requests.ts';
import { status } from '../../core/status/status.ts';
import type { Unreadable } from '../../core/stored-items/unreadable.ts';
import { stream } from '../../core/streams/stream.ts';
import { startJob, submitJob } from '../jobs/scripted-job.ts';
import { withConstantSignature } from '../support/constant-signature.ts';
import { CANARY, type Item, jobItem, junkJobs, junkLeases } from '../support/junk.ts';
import { followJobs } from '../support/stream.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
let ports: Ports;
/** The items that readers have skipped. */
const skipped: Unreadable[] = [];

beforeAll(async () => {
  const reads = createPorts({
    clock: emulated.clock,
    onClient: withConstantSignature,
    onUnreadable: (item) => skipped.push(item),
  });
  ports = portsWith(emulated.ports, { workers: reads.workers, chunks: reads.chunks });
});

const put = async (TableName: string, Item: Item) => {
  await createDocumentClient(withConstantSignature).send(new PutCommand({ TableName, Item }));
};
const newId = () => ports.newJobId('run', emulated.clock.now());

const jobs: [string, (endpoint: string, id: string) => Item][] = Object.entries(junkJobs);

describe('an item of the jobs table', () => {
  it.each(jobs)('is ignored by all readers if it %s', async (_, itemOf) => {
    const endpoint = `un-${newId()}`;
    await emulated.deploy(endpoint);
    const id = await submitJob(ports, endpoint);
    const item = itemOf(endpoint, newId());
    await put('JOBS_TABLE', item);
    expect((await Array.fromAsync(ports.jobs.list(endpoint))).map((job) => job.id)).toEqual([id]);
    const page = JSON.parse(await requests(ports, { endpoint }));
    expect(page.requests.map((job: { id: string }) => job.id)).toEqual([id]);
    const key = { endpoint, id: String(item.id) };
    await expect(status(ports, key)).rejects.toMatchObject({ status: 404, code: 'JOB_NOT_FOUND' });
    const moved = await ports.jobs.move('expire', key, { $now: emulated.clock.now() + DAY });
    expect([moved.moved, moved.job]).toEqual([false, undefined]);
  });

  it.each(jobs)('is the only item of the stream that is set aside if it %s', async (_, itemOf) => {
    const endpoint = `us-${newId()}`;
    await emulated.deploy(endpoint);
    const follow = await followJobs();
    await follow();
    const before = await submitJob(ports, endpoint);
    const item = itemOf(endpoint, newId());
    await put('JOBS_TABLE', item);
    const after = await submitJob(ports, endpoint);
    const records = await follow();
    const { changes, unreadable } = changesFrom(records);
    expect(changes.map((change) => change.after?.id)).toEqual([before, after]);
    expect(unreadable).toMatchObject([{ table: 'jobs', partition: item.partition, endpoint, name: item.id }]);
    expect(unreadable[0]?.reason).toMatch(/^\w+: [\w ]+/);
    expect(unreadable[0]?.reason).not.toContain(CANARY);
    const event = { cause: records[1], execution: 'e', retry: 0 };
    expect(deliveryEventFrom(event, 'c')).toMatchObject({ unreadable: { endpoint, partition: item.partition } });
  });

  it('is not found by a transition to a final status, even if the transition does not read the invalid field', async () => {
    await emulated.deploy('un-moved');
    const item = jobItem('un-moved', newId());
    await put('JOBS_TABLE', { ...item, acceptedAt: CANARY, queueDeadline: 1 });
    const key = { endpoint: 'un-moved', id: String(item.id) };
    const moved = await ports.jobs.move('expire', key, { $now: emulated.clock.now() });
    expect([moved.moved, moved.job]).toEqual([false, undefined]);
  });

  it('counts as removed after user code made it invalid, and counts again when it is valid', async () => {
    await emulated.deploy('un-spoilt');
    const follow = await followJobs();
    await follow();
    const item = jobItem('un-spoilt', newId());
    await put('JOBS_TABLE', item);
    await put('JOBS_TABLE', { ...item, status: CANARY });
    await put('JOBS_TABLE', item);
    const { changes, unreadable } = changesFrom(await follow());
    const seen = changes.map(({ before, after }) => [before?.status, after?.status]);
    expect(seen).toEqual([
      [undefined, 'IN_QUEUE'],
      ['IN_QUEUE', undefined],
      [undefined, 'IN_QUEUE'],
    ]);
    expect(unreadable).toHaveLength(1);
  });
});

describe('an item of the workers table', () => {
  it.each(Object.entries(junkLeases))('is ignored by all readers if it %s', async (_, itemOf) => {
    const endpoint = `ul-${newId()}`;
    const lease = {
      endpoint,
      worker: 'w1',
      jobs: [],
      endsAt: emulated.clock.now() + LEASE,
      removeAfter: 1,
      readySince: 1,
    };
    await ports.workers.beat(lease);
    await put('WORKERS_TABLE', itemOf(endpoint, CANARY));
    for (const list of [ports.workers.list, ports.workers.listNow, ports.workers.listLately])
      expect(await list(endpoint)).toEqual([lease]);
    expect(await ports.workers.read(endpoint, CANARY)).toBeUndefined();
    const its = skipped.filter((item) => item.endpoint === endpoint);
    expect(its.length).toBeGreaterThan(0);
    for (const { table, partition, name, reason } of its) {
      expect([table, partition, name]).toEqual(['workers', endpoint, CANARY]);
      expect(reason).not.toContain(CANARY);
    }
  });
});

describe('an item of the payload table', () => {
  it('is omitted from the stream of its job if it is not a chunk', async () => {
    await emulated.deploy('un-chunks');
    const job = await startJob(ports, 'un-chunks');
    await ports.chunks.write(job, job.attempt, 0, [{ output: { inline: '"a"' } }], job.removeAfter);
    await ports.chunks.write(job, job.attempt, 2, [{ output: { inline: '"c"' } }], job.removeAfter);
    const item = `${job.id}#chunk#${job.attempt}#${'1'.padStart(10, '0')}`;
    await put('PAYLOADS_TABLE', { partition: partitionOf(job), item, output: CANARY });
    const text = (await Array.fromAsync(await stream(ports, job))).join('');
    expect(JSON.parse(text).map((element: { output: string }) => element.output)).toEqual(['a', 'c']);
    const its = skipped.filter(({ endpoint }) => endpoint === 'un-chunks');
    expect(its).toMatchObject([{ table: 'payloads', partition: partitionOf(job), name: item }]);
  });

  it.each([CANARY, -1, 0.5, 1e12])('has no effect if it marks a stream as drained up to %p', async (given) => {
    const endpoint = `ud-${newId()}`;
    await emulated.deploy(endpoint, { streamEnvelope: true });
    const job = await startJob(ports, endpoint);
    await ports.chunks.write(job, job.attempt, 0, [{ output: { inline: '"a"' } }], job.removeAfter);
    const item = `${job.id}#drained`;
    await put('PAYLOADS_TABLE', { partition: partitionOf(job), item, attempt: job.attempt, given });
    expect(await ports.drains.read(job, job.attempt)).toBe(0);
  });
});
