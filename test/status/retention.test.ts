import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Ports, portsWith } from '../../aws/ports.ts';
import type { Job } from '../../core/jobs/job.ts';
import type { Jobs } from '../../core/jobs/store.ts';
import { InvalidRequest, JobExpired } from '../../core/requests/errors.ts';
import type { QueryValue } from '../../core/requests/validation.ts';
import { status } from '../../core/status/status.ts';
import { retry } from '../../core/submission/retry.ts';
import { finish } from '../../core/workers/report.ts';
import { finishJob, startJob, submitJob, takeJob } from '../jobs/scripted-job.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

beforeAll(async () => {
  await emulated.deploy('ttl');
});

const endpoint = 'ttl';
const read = async (id: string, ttl?: QueryValue) => JSON.parse(String(await status(ports, { endpoint, id, ttl })));

/** @returns the stored milliseconds until the result expires */
async function leftOf(id: string): Promise<number> {
  const job = await ports.jobs.read({ endpoint, id });
  return (job && 'expiresAt' in job ? job.expiresAt : Number.NaN) - emulated.clock.now();
}

/** @returns ports in which `due` runs between the read of the job and the write that follows */
function between(happens: () => Promise<unknown>): Ports {
  let pending: (() => Promise<unknown>) | undefined = happens;
  const { jobs } = ports;
  const move: Jobs['move'] = async (name, key, facts) => {
    const due = pending;
    pending = undefined;
    await due?.();
    return jobs.move(name, key, facts);
  };
  return portsWith(ports, { jobs: { ...jobs, move } });
}

describe('the `ttl` of a request', () => {
  it('sets the time after which the result of an ended job expires, and returns the unchanged job', async () => {
    const id = await finishJob(ports, endpoint, { error: 'no' });
    emulated.clock.advance(5_000);
    const record = await read(id);
    expect(await read(id, '1000')).toEqual(record);
    emulated.clock.advance(999);
    expect((await read(id)).status).toBe('FAILED');
    emulated.clock.advance(1);
    await expect(read(id)).rejects.toThrow(JobExpired);
    await expect(retry(ports, { endpoint, id })).rejects.toThrow(JobExpired);
    await expect(read(id, '1800000')).rejects.toThrow(JobExpired);
  });

  it('never extends the retention of a result', async () => {
    const id = await finishJob(ports, endpoint, { output: '1' });
    await read(id, '5000');
    emulated.clock.advance(1_000);
    for (const longer of ['4000', '4001', '1800000', '1800001', '9'.repeat(15)]) {
      expect((await read(id, longer)).status).toBe('COMPLETED');
      expect(await leftOf(id)).toBe(4_000);
    }
  });

  it.each([
    ['waits', () => submitJob(ports, endpoint)],
    ['runs', async () => (await startJob(ports, endpoint)).id],
  ] as const)('begins at the end of a job that %s', async (_, start) => {
    const id = await start();
    const { status: present } = await read(id, '2000');
    expect((await read(id, '60000')).status).toBe(present);
    emulated.clock.advance(60_000);
    const stored = await ports.jobs.read({ endpoint, id });
    const job = stored?.status === 'IN_PROGRESS' ? stored : await takeJob(ports, endpoint, id);
    await finish(ports, job, { output: '1' });
    expect(await leftOf(id)).toBe(2_000);
  });

  it('applies to a job that ends between the read and the write', async () => {
    const job = await startJob(ports, endpoint);
    const ending = between(() => finish(ports, job, { output: '7' }));
    const record = JSON.parse(String(await status(ending, { ...job, ttl: '3000' })));
    expect(record).toMatchObject({ status: 'COMPLETED', output: 7 });
    expect(await leftOf(job.id)).toBe(3_000);
  });

  it('does not change the retention of a retried job if it is stored late', async () => {
    const id = await finishJob(ports, endpoint, { error: 'no' });
    const first = (await ports.jobs.read({ endpoint, id })) as Extract<Job, { finishedAt: number }>;
    const late = { $finishedAt: first.finishedAt, $expiresAt: emulated.clock.now() + 1_000 };
    emulated.clock.advance(1);
    await retry(ports, { endpoint, id });
    expect((await ports.jobs.move('expireSooner', first, late)).moved).toBe(false);
    await finish(ports, await takeJob(ports, endpoint, id), { output: '1' });
    expect((await ports.jobs.move('expireSooner', first, late)).moved).toBe(false);
    expect(await leftOf(id)).toBe(30 * 60_000);
  });

  it('causes no write if it changes nothing', async () => {
    const move = async () => Promise.reject(new Error('The job was written.'));
    const readOnly = portsWith(ports, { jobs: { ...ports.jobs, move } });
    const id = await finishJob(ports, endpoint, { output: '1' });
    for (const ttl of [undefined, '1800000', '1800001'])
      expect(JSON.parse(String(await status(readOnly, { endpoint, id, ttl }))).status).toBe('COMPLETED');
    await expect(status(readOnly, { endpoint, id, ttl: '1799999' })).rejects.toThrow('The job was written.');
  });
});

describe('the query of /status', () => {
  it.each([
    [''],
    ['0'],
    ['-1'],
    ['1'],
    ['999'],
    ['1e3'],
    ['1.5'],
    [' 5'],
    ['5000 '],
    ['５'],
    ['５０００'],
    ['+5000'],
    ['0x7d0'],
    ['null'],
    ['9'.repeat(400)],
    ['1000000000000000'],
    [['5000', '6000']],
    [['5000']],
  ])('is refused with the ttl %j, and the job does not change', async (ttl) => {
    const id = await finishJob(ports, endpoint, { output: '1' });
    await expect(read(id, ttl)).rejects.toThrow(InvalidRequest);
    const shown = JSON.stringify(ttl)
      .slice(0, 80)
      .replace(/^"(-?\d{1,15})"$/, '$1');
    await expect(read(id, ttl)).rejects.toThrow(
      `\`ttl\` must be a whole number of milliseconds from 1000 to 999999999999999, got ${shown}`,
    );
    expect(await leftOf(id)).toBe(30 * 60_000);
  });
});
