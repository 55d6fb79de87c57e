/** Second thoughts over HTTP: jobs that run again, and queues that are emptied. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedAssembly } from './assembly.ts';
import {
  call,
  eventually,
  jobIn,
  type LocalService,
  newStateDir,
  readStatus,
  removeStateDir,
  startService,
  stopService,
  submit,
} from './local-service.ts';

let service: LocalService;
const stateDir = newStateDir();

beforeAll(async () => {
  service = await startService(stateDir, { args: ['--assembly', await sharedAssembly()] });
}, 60_000);
afterAll(async () => {
  await stopService(service);
  removeStateDir(stateDir);
});

const post = (path: string) => call(service, 'POST', `${service.JobApiUrl}/echo/${path}`);
const health = async () =>
  (await call(service, 'GET', `${service.JobApiUrl}/echo/health`)).json.jobs as Record<string, number>;

describe('a retry', () => {
  it('runs a job again that was given up, and it completes', async () => {
    const { json } = await submit(service, '{"input":{"op":"crash","attempts":3}}');
    const failed = await jobIn(service, json.id, 'FAILED');
    expect(failed.json).toMatchObject({ code: 'WORKER_LOST', attempts: 3 });
    expect(await post(`retry/${json.id}`)).toMatchObject({ status: 200, json: { id: json.id, status: 'IN_QUEUE' } });
    const completed = await jobIn(service, json.id, 'COMPLETED');
    expect(completed.json).toMatchObject({ output: { survived: 4 }, attempts: 4 });
    expect(completed.json).not.toHaveProperty('error');
  });

  it('of a job that has not failed is a 400, and of none a 404', async () => {
    const { json } = await submit(service, '{"input":{}}');
    const completed = await jobIn(service, json.id, 'COMPLETED');
    const refused = await post(`retry/${json.id}`);
    expect(refused).toMatchObject({ status: 400, json: { code: 'JOB_NOT_RETRYABLE', error: expect.any(String) } });
    expect((await readStatus(service, json.id)).text).toBe(completed.text);
    expect(await post(`retry/${'0'.repeat(36)}`)).toMatchObject({ status: 404, json: { code: 'JOB_NOT_FOUND' } });
  });
});

describe('a purge', () => {
  const LONG = '{"input":{"op":"sleep","ms":15000}}';
  const WORKERS = 3;
  const WAITING = 20;

  it('removes what waits and tells how much, and leaves alone what runs and what comes', async () => {
    const submitted = await Promise.all(Array.from({ length: WORKERS }, () => submit(service, LONG)));
    const running = submitted.map(({ json }) => json.id);
    for (const id of running) await jobIn(service, id, 'IN_PROGRESS');
    const waiting: unknown[] = [];
    for (let n = 0; n < WAITING; n += 1) waiting.push((await submit(service, '{"input":{}}')).json.id);
    await eventually('the ledger has counted them', async () => (await health()).inQueue === WAITING || undefined);

    const purged = await post('purge-queue');
    expect(purged).toMatchObject({ status: 200, json: { removed: WAITING, status: 'completed' } });
    expect(await health()).toMatchObject({ inQueue: 0, inProgress: WORKERS });
    const { json } = await submit(service, '{"input":{"came":"later"}}');
    for (const id of waiting)
      expect((await readStatus(service, id)).json).toMatchObject({ status: 'CANCELLED', code: 'PURGED', attempts: 0 });
    expect((await jobIn(service, json.id, 'COMPLETED')).json.output).toEqual({ came: 'later' });
    for (const id of running)
      expect((await jobIn(service, id, 'COMPLETED')).json).toMatchObject({ output: { slept: 15_000 }, attempts: 1 });
  });

  it('is let through twice in ten seconds', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => post('purge-queue')));
    const statuses = answers.map(({ status }) => status);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(1);
    for (const { headers } of refused) expect(headers.get('retry-after')).toBe('5');
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(3);
  });
});
