/** Purges an endpoint in the middle of other use-cases, which write jobs after the purge has responded. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { purgeQueue } from '../../core/jobs/purge-queue.ts';
import { LEASE, policyLimits } from '../../core/limits.ts';
import { requests } from '../../core/status/requests.ts';
import { status } from '../../core/status/status.ts';
import { retry } from '../../core/submission/retry.ts';
import { run } from '../../core/submission/submit.ts';
import { sweepDeadlines } from '../../core/sweeper/deadlines.ts';
import { requeueJobsOf } from '../../core/workers/lost.ts';
import { finish } from '../../core/workers/report.ts';
import { noReleases } from '../releases/no-releases.ts';
import type { EmulatedDeployment } from '../support/emulated-deployment.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { startJob, submitJob } from './scripted-job.ts';

const emulated = useEmulatedDeployment();
type TestPorts = EmulatedDeployment['ports'] & ReturnType<typeof noReleases>;
let ports: TestPorts;
beforeEach(() => {
  ports = portsWith(emulated.ports, noReleases());
});

/** Returns the function. It purges the endpoint once, before its call of this number. */
function purgesBefore<Call extends (...args: never[]) => unknown>(endpoint: string, number: number, call: Call): Call {
  let calls = 0;
  return (async (...args: Parameters<Call>) => {
    calls += 1;
    if (calls === number) await purgeQueue(ports, endpoint);
    return call(...args);
  }) as unknown as Call;
}

const read = async (endpoint: string, id: string) => JSON.parse(String(await status(ports, { endpoint, id })));

describe('a purge that responds during another call', () => {
  it('does not remove a job whose large input is stored meanwhile', async () => {
    await emulated.deploy('pd-a');
    const write = purgesBefore('pd-a', 1, ports.payloads.write.bind(ports.payloads));
    const slow = portsWith(ports, { payloads: { ...ports.payloads, write } });
    const body = Buffer.from(JSON.stringify({ input: { text: 'x'.repeat(2_000) } }));
    const { id } = await run(slow, { endpoint: 'pd-a', owner: 'ada', body });
    expect(await read('pd-a', id)).toMatchObject({ status: 'IN_QUEUE' });
  });

  it('does not remove a job that is retried while a queue is slow', async () => {
    await emulated.deploy('pd-b');
    const job = await startJob(ports, 'pd-b');
    await finish(ports, job, { error: 'broken' });
    const send = purgesBefore('pd-b', 1, ports.jobQueues.send.bind(ports.jobQueues));
    const slow = portsWith(ports, { jobQueues: { ...ports.jobQueues, send } });
    await retry(slow, { endpoint: 'pd-b', id: job.id });
    expect(await read('pd-b', job.id)).toMatchObject({ status: 'IN_QUEUE' });
  });

  it('removes no job of a lost worker that is requeued after the purge', async () => {
    await emulated.deploy('pd-c');
    const jobs = [await startJob(ports, 'pd-c'), await startJob(ports, 'pd-c')].map(({ id }) => id);
    const lease = {
      endpoint: 'pd-c',
      worker: 'w1',
      jobs,
      endsAt: emulated.clock.now() + LEASE,
      removeAfter: 1,
      readySince: 1,
    };
    await ports.workers.beat(lease);
    emulated.clock.advance(LEASE + 1);
    const readJob = purgesBefore('pd-c', 2, ports.jobs.read.bind(ports.jobs));
    expect(await requeueJobsOf(portsWith(ports, { jobs: { ...ports.jobs, read: readJob } }), lease)).toBe(2);
    expect(await read('pd-c', jobs[1] ?? '')).toMatchObject({ status: 'IN_QUEUE' });
  });

  it('removes a job that a sweep finds overdue later, although the sweep began before the purge', async () => {
    const name = 'pd-d';
    await emulated.deploy(name);
    const id = await submitJob(ports, name, { ttl: policyLimits.ttl.min });
    const listed = (await ports.endpoints.list()).find((endpoint) => endpoint.id === name);
    if (!listed) throw new Error('The endpoint is not listed.');
    expect((await purgeQueue(ports, name)).removed).toBe(1);
    emulated.clock.advance(policyLimits.ttl.min);
    const due = { endpoint: name, minute: 0, jobs: [id], deliveries: [] };
    const deadlines = {
      ...ports.deadlines,
      async *due() {
        yield { ...due, name: 'due' };
      },
      forget: async () => undefined,
    };
    expect((await sweepDeadlines(portsWith(ports, { deadlines }), listed)).ended).toBe(1);
    expect(await read(name, id)).toMatchObject({ status: 'CANCELLED', code: 'PURGED' });
  });

  it('removes a job that a list of jobs finds overdue later, although the list began before the purge', async () => {
    await emulated.deploy('pd-e');
    const id = await submitJob(ports, 'pd-e', { ttl: policyLimits.ttl.min });
    emulated.clock.advance(policyLimits.ttl.min);
    const newest = purgesBeforeList('pd-e');
    const list = await requests(portsWith(ports, { jobs: { ...ports.jobs, newest } }), { endpoint: 'pd-e' });
    expect(JSON.parse(list).requests).toMatchObject([{ status: 'CANCELLED', code: 'PURGED' }]);
    expect(await read('pd-e', id)).toMatchObject({ status: 'CANCELLED', code: 'PURGED' });
  });
});

function purgesBeforeList(endpoint: string): TestPorts['jobs']['newest'] {
  return async function* list(...args) {
    await purgeQueue(ports, endpoint);
    yield* ports.jobs.newest(...args);
  };
}
