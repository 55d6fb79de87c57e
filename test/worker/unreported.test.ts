/** Tests that a live worker that drops a job is distinguished from a lost worker, with the calls of RunPod's SDK. */
import { Agent as Connections, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import type { Jobs } from '../../core/jobs/store.ts';
import { runSync } from '../../core/status/runsync.ts';
import { status } from '../../core/status/status.ts';
import { openAgent } from './busy-agent.ts';
import { agents, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

interface Answer {
  readonly status: number;
  readonly body: string;
}

interface ProcessOfContainer {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Closes the connections of the process, as its exit does. */
  exit(): void;
}

const processes: ProcessOfContainer[] = [];
afterEach(() => {
  for (const one of processes.splice(0)) one.exit();
});

/** Returns a process whose calls use one connection, one after the other. */
function processAt(url: string, userAgent: string): ProcessOfContainer {
  const connections = new Connections({ keepAlive: true, maxSockets: 1 });
  const one: ProcessOfContainer = {
    async get(path, headers = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const options = { agent: connections, headers: { 'User-Agent': userAgent, ...headers } };
      request(`${url}/${path}`, options, async (response) =>
        resolve({ status: response.statusCode ?? 0, body: await text(response) }),
      )
        .on('error', reject)
        .end();
      return promise;
    },
    exit: () => connections.destroy(),
  };
  processes.push(one);
  return one;
}

const SDK_1_12 = 'RunPod-Python-SDK/1.12.0 (Linux 6; x86_64) Language/Python 3.11';
const SDK_1_6 = 'RunPod-Python-SDK/1.6.2 (Linux 6; x86_64) Language/Python 3.11';
const NONE = 'job-take/self?job_in_progress=0';

const taken = ({ body }: Answer) => (JSON.parse(body) as { id: string }).id;
const ping = (process: ProcessOfContainer, version: string, ids: readonly string[] = []) =>
  process.get(`ping/self?runpod_version=${version}${ids.length > 0 ? `&job_id=${ids.join('%2C')}` : ''}`);

const dropped = { status: 'FAILED', code: 'RESULT_NOT_REPORTED', attempt: 1 };

/**
 * Starts an agent with one job.
 * @returns also the next job, which the agent takes after it
 */
async function twoJobs(endpoint: string, settings?: Parameters<typeof openAgent>[1]) {
  const opened = await openAgent(endpoint, settings);
  const id = await agents.submit(endpoint);
  return { ...opened, id };
}

describe('a worker that drops a job without a report', () => {
  it('fails the job in its first attempt, and the message names the log', async () => {
    const { url, read, id } = await twoJobs('un-a');
    const process = processAt(url, SDK_1_12);
    expect(taken(await process.get(NONE))).toBe(id);
    const next = process.get(NONE, { 'X-Request-ID': id });
    const second = await agents.submit('un-a');
    expect(taken(await next)).toBe(second);
    expect(await read(id)).toMatchObject(dropped);
    const record = JSON.parse(String(await status(ports, { endpoint: 'un-a', id }))) as { error: string };
    expect(record).toMatchObject({ status: 'FAILED', code: 'RESULT_NOT_REPORTED', attempts: 1 });
    expect(record.error).toMatch(/not JSON.*`\/logs`/);
  });

  it('fails the job of an SDK before 1.7 that asks again over the connection that sent the job', async () => {
    const { url, read, id } = await twoJobs('un-b');
    const process = processAt(url, SDK_1_6);
    expect(taken(await process.get(NONE))).toBe(id);
    const next = process.get(NONE);
    const second = await agents.submit('un-b');
    expect(taken(await next)).toBe(second);
    expect(await read(id)).toMatchObject(dropped);
  });

  it('fails a job that a ping no longer lists, beside a job that runs', async () => {
    const { url, read, id } = await twoJobs('un-c');
    const second = await agents.submit('un-c');
    const process = processAt(url, SDK_1_12);
    const pinger = processAt(url, 'python-requests');
    const ids = [taken(await process.get('job-take/self?job_in_progress=0'))];
    ids.push(taken(await process.get('job-take/self?job_in_progress=1')));
    expect(new Set(ids)).toEqual(new Set([id, second]));
    await ping(pinger, '1.12.0', ids);
    await ping(pinger, '1.12.0', [second]);
    expect(await read(id)).toMatchObject(dropped);
    expect(await read(second)).toMatchObject({ status: 'IN_PROGRESS', attempt: 1 });
  });

  it('waits for the next ping to decide about a job that a ping has listed', async () => {
    const { url, read, id, agent } = await twoJobs('un-d');
    const pinger = processAt(url, 'python-requests');
    expect(taken(await processAt(url, SDK_1_6).get(NONE))).toBe(id);
    await ping(pinger, '1.6.2', [id]);
    const next = processAt(url, SDK_1_6).get(NONE);
    const second = await agents.submit('un-d');
    await ping(processAt(url, 'python-requests'), '1.6.2');
    expect(await read(id)).toMatchObject({ status: 'IN_PROGRESS' });
    await ping(pinger, '1.6.2');
    expect(await read(id)).toMatchObject(dropped);
    expect(taken(await next)).toBe(second);
    await agent.beat();
    expect(await ports.workers.read('un-d', 'w1')).toMatchObject({ asks: 1 });
  });
});

describe('a waiting call of /runsync whose worker drops its job', () => {
  it('returns the record of the failed job, as for a handler that failed', async () => {
    const { url } = await openAgent('un-h');
    // The call polls in real time, because an emulated pause would end its wait before the worker has the job.
    const clock = { now: () => ports.clock.now(), pause: () => delay(5) };
    const request = { endpoint: 'un-h', owner: 'ada', body: Buffer.from('{"input":{}}') };
    const answer = runSync(portsWith(ports, { clock }), request);
    const process = processAt(url, SDK_1_12);
    const id = taken(await process.get(NONE));
    const next = process.get(NONE, { 'X-Request-ID': id });
    expect(JSON.parse(String(await answer))).toMatchObject({
      id,
      status: 'FAILED',
      code: 'RESULT_NOT_REPORTED',
      error: expect.stringMatching(/not JSON.*`\/logs`/),
      attempts: 1,
    });
    await agents.submit('un-h');
    await next;
  });
});

describe('a job that its worker may not have dropped', () => {
  it.each<[string, string, (url: string, id: string, first: ProcessOfContainer) => Promise<unknown>]>([
    [
      'another process of the container asks for a job',
      SDK_1_12,
      (url) => processAt(url, SDK_1_12).get(NONE, { 'X-Request-ID': 'earlier' }),
    ],
    ['an SDK before 1.7 asks over another connection', SDK_1_6, (url) => processAt(url, SDK_1_6).get(NONE)],
    [
      'a supervisor reports that the process of the handler has died',
      SDK_1_6,
      (_, __, first) => first.get(`${NONE}&wait=0`),
    ],
    ['a process without an SDK asks over the same connection', 'node', (_, __, first) => first.get(NONE)],
    [
      'the process that listed the job has exited',
      SDK_1_12,
      async (url, id) => {
        const pinger = processAt(url, 'python-requests');
        await ping(pinger, '1.12.0', [id]);
        const next = processAt(url, SDK_1_12).get(NONE);
        pinger.exit();
        return next;
      },
    ],
    [
      'the process that lists the job is not the one that asks',
      SDK_1_12,
      async (url, id) => {
        const pinger = processAt(url, 'python-requests');
        await ping(pinger, '1.12.0', [id]);
        const next = processAt(url, SDK_1_12).get(NONE);
        let answer: Answer | undefined;
        do answer = await Promise.race([next, ping(pinger, '1.12.0', [id]).then(() => undefined)]);
        while (!answer);
        return answer;
      },
    ],
  ])('is requeued if %s', async (title, userAgent, ask) => {
    const endpoint = `un-e${title.length}`;
    const { url, read, id } = await twoJobs(endpoint);
    const first = processAt(url, userAgent);
    expect(taken(await first.get(NONE))).toBe(id);
    const answered = (await ask(url, id, first)) as Answer;
    if (answered.status === 204) expect(await read(id)).toMatchObject({ status: 'IN_QUEUE' });
    else expect(await read(id)).toMatchObject({ status: 'IN_PROGRESS', attempt: 2 });
  });

  it('is requeued if its report could not be stored', async () => {
    const jobs = Object.create(ports.jobs) as Jobs;
    jobs.report = () => Promise.reject(new Error('The table does not exist.'));
    const { url, read, id, post } = await twoJobs('un-f', { ports: portsWith(ports, { jobs }) });
    const process = processAt(url, SDK_1_12);
    expect(taken(await process.get(NONE))).toBe(id);
    expect((await post('job-done', id, '{"output":1}')).status).toBe(500);
    expect(taken(await process.get(NONE, { 'X-Request-ID': id }))).toBe(id);
    expect(await read(id)).toMatchObject({ status: 'IN_PROGRESS', attempt: 2 });
  });

  it.each([
    ['it has streamed and still runs', '1.12.0', 'job-take/self?job_in_progress=1'],
    ['a ping of an SDK that shares its list no longer lists', '1.9.1', 'ping/self?runpod_version=1.9.1'],
    ['a ping does not list yet', '1.12.0', 'ping/self?runpod_version=1.12.0'],
  ])('continues if %s', async (title, version, path) => {
    const endpoint = `un-g${title.length}`;
    const { url, read, id } = await twoJobs(endpoint);
    const process = processAt(url, SDK_1_12);
    expect(taken(await process.get(NONE))).toBe(id);
    if (version === '1.9.1') await ping(process, version, [id]);
    await agents.submit(endpoint);
    await process.get(path, { 'X-Request-ID': id });
    expect(await read(id)).toMatchObject({ status: 'IN_PROGRESS', attempt: 1 });
  });
});
