/** Tests finding a job only by its id. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Ports, portsWith } from '../../aws/ports.ts';
import type { Endpoint } from '../../core/endpoints/endpoint.ts';
import type { Jobs } from '../../core/jobs/store.ts';
import { pollLimits, retention } from '../../core/limits.ts';
import { findJob } from '../../core/management/find-job.ts';
import { JobExpired, JobNotFound } from '../../core/requests/errors.ts';
import { finishJob, submitJob } from '../jobs/scripted-job.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

beforeAll(async () => {
  for (const endpoint of ['fj-a', 'fj-b']) await emulated.deploy(endpoint);
});

const partWith = <Part extends object>(part: Part, own: Partial<Part>): Part => Object.assign(Object.create(part), own);

const find = (job: string, permitted: readonly string[] = ['*'], its: Ports = ports) =>
  findJob(its, { job, permitted });

describe('a job', () => {
  it('is found by its id, with its endpoint and status', async () => {
    const ids = await Promise.all(['fj-a', 'fj-b'].map((endpoint) => submitJob(ports, endpoint)));
    const found = await Promise.all(ids.map((id) => find(id)));
    expect(found).toEqual([
      { endpoint: 'fj-a', id: ids[0], status: 'IN_QUEUE' },
      { endpoint: 'fj-b', id: ids[1], status: 'IN_QUEUE' },
    ]);
  });

  it('is found only by a key that may call its endpoint', async () => {
    const id = await submitJob(ports, 'fj-a');
    expect(await find(id, ['fj-b', 'fj-a'])).toMatchObject({ endpoint: 'fj-a' });
    await expect(find(id, ['fj-b'])).rejects.toThrow(JobNotFound);
    await expect(find(id, [])).rejects.toThrow(JobNotFound);
  });

  it('has its status according to the clock, even before a sweep has stored it', async () => {
    const id = await submitJob(ports, 'fj-a', { ttl: 10_000 });
    emulated.clock.advance(10_000);
    expect(await find(id)).toEqual({ endpoint: 'fj-a', id, status: 'TIMED_OUT' });
    expect(await ports.jobs.read({ endpoint: 'fj-a', id })).toMatchObject({ status: 'TIMED_OUT' });
  });

  it('has expired when its result is no longer retained', async () => {
    const id = await finishJob(ports, 'fj-b', { output: '1' });
    emulated.clock.advance(retention.run);
    await expect(find(id)).rejects.toThrow(JobExpired);
  });

  it('is found in the last of more endpoints than fit into a batch', async () => {
    const id = await submitJob(ports, 'fj-b');
    const asked: number[] = [];
    const others = Array.from({ length: pollLimits.batch }, (_, n) => ({ id: `other-${n}` }) as Endpoint);
    const list = async () => [...others, { id: 'fj-b' } as Endpoint];
    const readMany: Jobs['readMany'] = (keys) => {
      asked.push(keys.length);
      return ports.jobs.readMany(keys);
    };
    const many = portsWith(ports, {
      endpoints: partWith(ports.endpoints, { list }),
      jobs: partWith(ports.jobs, { readMany }),
    });
    expect(await find(id, ['*'], many)).toMatchObject({ endpoint: 'fj-b', id });
    expect(asked).toEqual([pollLimits.batch, 1]);
  });

  it('is read again if DynamoDB omitted it from a batch', async () => {
    const id = await submitJob(ports, 'fj-b');
    let reads = 0;
    const readMany: Jobs['readMany'] = async (keys) => {
      reads += 1;
      if (reads > 2) return ports.jobs.readMany(keys);
      return keys.map(({ endpoint }) => (endpoint === 'fj-b' ? 'not read' : undefined));
    };
    const busy = portsWith(ports, { jobs: partWith(ports.jobs, { readMany }) });
    expect(await find(id, ['*'], busy)).toMatchObject({ endpoint: 'fj-b', id });
    expect(reads).toBe(3);
  });

  it.each(['', '__proto__', '..', '0'.repeat(35), '0'.repeat(36), `sync-${'0'.repeat(36)}`, 'A'.repeat(36)])(
    'is not found by the id %j',
    async (id) => {
      await expect(find(id)).rejects.toThrow(JobNotFound);
    },
  );
});
