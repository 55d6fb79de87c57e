/**
 * Tests references to objects of another job, which user code can write into a job with the role of its worker.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import type { Job } from '../../core/jobs/job.ts';
import { load } from '../../core/jobs/payload.ts';
import { payloadLimits } from '../../core/limits.ts';
import { JobNotFound } from '../../core/requests/errors.ts';
import { status } from '../../core/status/status.ts';
import { append } from '../../core/streams/append.ts';
import { stream } from '../../core/streams/stream.ts';
import { retry } from '../../core/submission/retry.ts';
import { finish } from '../../core/workers/report.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { finishJob, startJob } from './scripted-job.ts';

const emulated = useEmulatedDeployment();
/** Keys of an object of another endpoint's job, and of an object of another job of the same endpoint. */
let foreign: readonly string[];

const secret = JSON.stringify('s'.repeat(payloadLimits.item));

beforeAll(async () => {
  await Promise.all(['ref-victim', 'ref-forged'].map((endpoint) => emulated.deploy(endpoint)));
  foreign = await Promise.all(
    ['ref-victim', 'ref-forged'].map(async (endpoint) => {
      const job = await read(endpoint, await finishJob(emulated.ports, endpoint, { output: secret }));
      if (!('output' in job && job.output && 'object' in job.output)) throw new Error('The output is not an object.');
      return job.output.object;
    }),
  );
});

async function read(endpoint: string, id: string): Promise<Job> {
  const job = await emulated.ports.jobs.read({ endpoint, id });
  if (!job) throw new Error('The job does not exist.');
  return job;
}

/** @returns ports that read `job` as the stored job, as if user code had changed the item */
const withForged = (job: object) => {
  const jobs = Object.assign(Object.create(emulated.ports.jobs), { read: async () => job });
  const polledJobs = { read: async () => ({ job: job as Job }) };
  return portsWith(emulated.ports, { jobs, polledJobs });
};

const endings = [
  ['of an output', { output: '1' }, 'output'],
  ['of an error', { error: 'no' }, 'error'],
] as const;

describe.each(['of another endpoint', 'of another job of the endpoint'])('an object %s', (whose) => {
  const object = () => foreign[whose === 'of another endpoint' ? 0 : 1] ?? '';

  it.each(endings)('is not sent to a client instead %s', async (_, report, member) => {
    const job = await read('ref-forged', await finishJob(emulated.ports, 'ref-forged', report));
    const ports = withForged({ ...job, [member]: { object: object() } });
    await expect(status(ports, job)).rejects.toThrow(JobNotFound);
  });

  it('is not sent to a client instead of a chunk', async () => {
    const { ports } = emulated;
    const job = await startJob(ports, 'ref-forged');
    await append(ports, job, 0, { output: '1' });
    await ports.chunks.write(job, job.attempt, 1, [{ output: { object: object() } }], job.removeAfter);
    const read = async () => (await Array.fromAsync(await stream(ports, job))).join('');
    await expect(read()).rejects.toThrow(JobNotFound);
  });

  it.each(['input', 's3Config', 'webhook'])('is neither read nor written by a retry instead of %s', async (member) => {
    const id = await finishJob(emulated.ports, 'ref-forged', { error: 'no' });
    const touched: string[] = [];
    const objects = Object.assign(Object.create(emulated.ports.objects), {
      read: async (key: string) => touched.push(key),
      write: async (key: string) => touched.push(key),
    });
    const job = await read('ref-forged', id);
    const ports = portsWith(withForged({ ...job, [member]: { object: object() } }), { objects });
    await expect(retry(ports, job)).rejects.toThrow(JobNotFound);
    expect(touched).toEqual([]);
    expect(await read('ref-forged', id)).toMatchObject({ status: 'FAILED' });
  });
});

it.each([
  (own: string) => own.replace(/^\d+/, 'x'),
  (own: string) => `${own}/more`,
  (own: string) => own.split('/').slice(1).join('/'),
  (own: string) => `/${own}`,
])('refuses a key that is not the key of an object of the job: %#', async (changed) => {
  const job = await startJob(emulated.ports, 'ref-forged');
  await finish(emulated.ports, job, { output: secret });
  const ended = await read('ref-forged', job.id);
  if (!('output' in ended && ended.output && 'object' in ended.output)) throw new Error('The output is not an object.');
  const own = ended.output.object;
  expect(await load(emulated.ports, job, { object: own })).toBe(secret);
  await expect(load(emulated.ports, job, { object: changed(own) })).rejects.toThrow(JobNotFound);
});
