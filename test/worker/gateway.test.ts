import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { type Ports, portsWith } from '../../aws/ports.ts';
import { type Pause, systemClock } from '../../core/clock.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { elementsOf } from '../../core/json/json.ts';
import { payloadLimits } from '../../core/limits.ts';
import type { Chunks } from '../../core/streams/store.ts';
import { stream } from '../../core/streams/stream.ts';
import type { Workers } from '../../core/workers/lease.ts';
import type { Agent } from '../../worker/agent/agent.ts';
import { eventually } from '../acceptance/local-service.ts';
import { forever } from './agents.ts';
import { busyAgent, openAgent } from './busy-agent.ts';
import { agents, emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

const submit = (endpoint: string, body?: string) => agents.submit(endpoint, body);

describe('the gateway of the agent', () => {
  it('sends a job, and accepts its output as it was written', async () => {
    const { url, read } = await openAgent('do-a');
    const id = await submit('do-a', '{"input":{"s":"\\u00e9"}}');
    const taken = await fetch(`${url}/job-take/self?gpu=none`);
    expect(await taken.text()).toBe(`{"id":"${id}","attempt":1,"input":{"s":"\\u00e9"}}`);
    const body = '{"output": {"s":"\\u00e9", "n":-0}}';
    const done = await fetch(`${url}/job-done/self/${id}?isStream=false`, { method: 'POST', body });
    expect(done.status).toBe(200);
    expect(await read(id)).toMatchObject({ output: { inline: '{"s":"\\u00e9", "n":-0}' } });
  });

  it.each([
    ['{"error":"no GPU"}', 'no GPU'],
    ['{"error":{"code":1}}', '{"code":1}'],
    ['{"output":1,"error":"late"}', 'late'],
    ['not JSON', "The worker's report cannot be read. The body is not valid JSON"],
  ])('ends the job FAILED on the report %s', async (body, error) => {
    const { id, post, read } = await busyAgent(`do-b${body.length}`);
    const done = await post('job-done', id, body);
    expect(done.status).toBe(200);
    expect(await read(id)).toMatchObject({
      status: 'FAILED',
      error: { inline: expect.stringContaining(error) },
    });
  });

  it('requeues a job whose worker has closed the connection before it received the job', async () => {
    const { url } = await openAgent('do-c');
    const gone = new AbortController();
    const abandoned = fetch(`${url}/job-take/self`, { signal: gone.signal }).catch(() => 'aborted');
    gone.abort();
    expect(await abandoned).toBe('aborted');
    const id = await submit('do-c');
    const taken = await fetch(`${url}/job-take/self`);
    expect(await taken.json()).toMatchObject({ id });
  });

  it('requeues a job whose worker closes the connection while the agent takes the job', async () => {
    const { agent, read } = await openAgent('do-gone');
    const id = await submit('do-gone');
    const gone = new AbortController();
    const takeLate: Agent['next'] = async (signal, taker) => {
      const offer = await agent.next(signal, taker);
      const closed = once(signal, 'abort');
      gone.abort();
      await closed;
      return offer;
    };
    const url = `${await agents.open({ ...agent, next: takeLate })}/v2/do-gone`;
    const abandoned = fetch(`${url}/job-take/self`, { signal: gone.signal }).catch(() => 'aborted');
    expect(await abandoned).toBe('aborted');
    await eventually('the job waits again', async () => (await read(id))?.status === 'IN_QUEUE' || undefined);
  });

  it('requeues a job only when its worker reports that it has no job', async () => {
    const { agent, url, read } = await openAgent('do-e');
    const id = await submit('do-e');
    await fetch(`${url}/job-take/self?job_in_progress=0`);
    const asking = fetch(`${url}/job-take/self?job_in_progress=1`);
    const second = await submit('do-e');
    expect(await (await asking).json()).toMatchObject({ id: second });
    expect(await read(id)).toMatchObject({ status: 'IN_PROGRESS', attempt: 1 });
    await agent.report(second, { output: '1' });

    const again = await fetch(`${url}/job-take/self?job_in_progress=0`);
    expect(await again.json()).toMatchObject({ id });
    expect(await read(id)).toMatchObject({ status: 'IN_PROGRESS', attempt: 2 });
  });

  it('requeues only the jobs of the slot that reports having no job', async () => {
    const { url, read } = await openAgent('do-l');
    const takeAs = async (slot: string) => {
      const taken = await fetch(`${url}/job-take/${slot}?job_in_progress=1`);
      return ((await taken.json()) as { id: string }).id;
    };
    await Promise.all([submit('do-l'), submit('do-l')]);
    const [first, second] = [await takeAs('self'), await takeAs('self-2')];
    await fetch(`${url}/job-take/self-2?job_in_progress=0&wait=0`);
    expect(await read(first)).toMatchObject({ status: 'IN_PROGRESS' });
    expect(await read(second)).toMatchObject({ status: 'IN_QUEUE' });
  });

  it('stores the chunks of its own jobs in the order in which they arrive', async () => {
    const { url, read } = await openAgent('do-f');
    const id = await submit('do-f');
    const post = (verb: string, job: string, body: string) =>
      fetch(`${url}/${verb}/self/${job}?gpu=none&isStream=true`, { method: 'POST', body });
    const streamed = async () => (await Array.fromAsync(await stream(ports, { endpoint: 'do-f', id }))).join('');

    expect((await post('job-stream', id, '{"output":"before it was taken"}')).status).toBe(200);
    await fetch(`${url}/job-take/self`);
    const large = JSON.stringify('x'.repeat(2_000_000));
    const metrics = '{"input_tokens":1e1,"running":4,"scenario":"s","stream_index":9,"price":1,"pending":"x"}';
    const sent = await Promise.all([
      post('job-stream', id, `{"output": ${large} }`),
      post('job-stream', id, `{"output":{"n":-0},"metrics":${metrics}}`),
      post('job-stream', id, '{"metrics":"none"}'),
    ]);
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    const text = await eventually('all chunks are stored', async () => {
      const shown = await streamed();
      return shown.includes('"stream_index":3') ? shown : undefined;
    });
    const firstSize = elementsOf(text)[0]?.indexOf(',') ?? 0;
    expect(payloadLimits.chunk - firstSize).toBeLessThan(200);
    const cut = firstSize - '{"output":"'.length;
    const [first, second] = [large.slice(0, cut), large.slice(cut)];
    expect(text).toBe(
      `[{"output":${first}","metrics":{"stream_index":0,"running":1}},` +
        `{"output":"${second},"metrics":{"stream_index":1,"running":1}},` +
        '{"output":{"n":-0},"metrics":{"stream_index":2,"running":4,"input_tokens":1e1,"scenario":"s"}},' +
        '{"output":null,"metrics":{"stream_index":3,"running":1}}]',
    );

    expect((await post('job-stream', id, 'no JSON')).status).toBe(400);
    expect((await post('job-stream', '0'.repeat(36), '{"output":1}')).status).toBe(200);
    expect((await post('job-done', id, '{"output":[]}')).status).toBe(200);
    expect((await post('job-stream', id, '{"output":"after the end"}')).status).toBe(200);
    expect(JSON.parse(await streamed())).toHaveLength(4);
    expect(await read(id)).toMatchObject({ status: 'COMPLETED', chunks: 4 });
  });

  it('answers and logs which metrics of a chunk it drops and why, without their values', async () => {
    const lines: [message: string, fields: Record<string, unknown>][] = [];
    const log = { info: (...line: (typeof lines)[number]) => void lines.push(line), error: () => undefined };
    const { id, post } = await busyAgent('do-metrics', { log });
    const logOf = async (metrics: string) => {
      lines.length = 0;
      const body = `{"output":1,"metrics":${metrics}}`;
      const answer = await post('job-stream', id, body);
      expect(answer.status).toBe(200);
      const answered = await answer.text();
      // The worker gets the same members as the log, or nothing.
      for (const [, { jobId: _, ...dropped }] of lines) expect(JSON.parse(answered)).toEqual(dropped);
      if (lines.length === 0) expect(answered).toBe('');
      return lines;
    };
    const line = (droppedMetrics: object, unnamed = 0) => [
      'Metrics of a chunk were dropped.',
      { jobId: id, droppedMetrics, unnamed },
    ];

    const scenario = 's'.repeat(200);
    expect(await logOf(`{"running":2,"scenario":"${scenario}","stream_index":7,"swapped":1e1}`)).toEqual([]);
    expect(await logOf('null')).toEqual([]);
    const faulty = `{"secret":"s3cr3t","pending":"7","input_tokens":1.5,"scenario":"${scenario}s","swapped":1${'0'.repeat(100)}}`;
    expect(await logOf(faulty)).toEqual([
      line({
        secret: 'unknown name',
        pending: 'not an integer',
        input_tokens: 'not an integer',
        scenario: 'longer than 200 characters',
        swapped: 'longer than 100 characters',
      }),
    ]);
    expect(await logOf('[1]')).toEqual([line({ metrics: 'not an object' })]);
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`${n}`.padStart(60, 'n'), n]));
    const [logged] = await logOf(JSON.stringify(many));
    expect(logged).toEqual(line({ ['n'.repeat(40)]: 'unknown name' }, 5));

    const shown = await eventually('all chunks are stored', async () => {
      const text = (await Array.fromAsync(await stream(ports, { endpoint: 'do-metrics', id }))).join('');
      const chunks = JSON.parse(text) as { metrics: object }[];
      return chunks.length === 5 ? chunks.map(({ metrics }) => metrics) : undefined;
    });
    expect(shown[0]).toEqual({ stream_index: 0, running: 2, scenario, swapped: 10 });
    expect(shown.slice(1)).toEqual([1, 2, 3, 4].map((n) => ({ stream_index: n, running: 1 })));
  });

  it('answers 500 to the report of a job while its chunks cannot be stored, then stores the report with all chunks', async () => {
    const table: { failure?: Error | undefined } = { failure: new Error('The table does not exist.') };
    const write: Chunks['write'] = async (...call) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (table.failure) throw table.failure;
      await ports.chunks.write(...call);
    };
    let passed = 0;
    const clock: Ports['clock'] = {
      now: () => ports.clock.now() + passed,
      async pause(length) {
        passed += length;
        await new Promise((end) => setImmediate(end));
      },
    };
    const flaky = portsWith(ports, { clock, chunks: { list: ports.chunks.list, write } });
    // The clock runs fast while the store fails, and the job must not time out in the meantime.
    const body = '{"input":{},"policy":{"executionTimeout":86400000}}';
    const { id, post, read } = await busyAgent('do-g', { ports: flaky, body });
    const end = async () => (await post('job-done', id, '{"output":[]}')).status;
    for (const output of ['"a"', '"b"'])
      expect((await post('job-stream', id, `{"output":${output}}`)).status).toBe(200);
    expect(await end()).toBe(500);
    expect(await read(id)).toMatchObject({ status: 'IN_PROGRESS' });
    table.failure = undefined;
    expect(await end()).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'COMPLETED', chunks: 2 });
    const text = (await Array.fromAsync(await stream(ports, { endpoint: 'do-g', id }))).join('');
    expect(JSON.parse(text)).toMatchObject([{ output: 'a' }, { output: 'b' }]);
  });

  it('drops the chunks of a job that another worker has', async () => {
    const { id, agent, post } = await busyAgent('do-h');
    await cancel(ports, { endpoint: 'do-h', id });
    await agent.watch();
    const writes: unknown[] = [];
    const { status } = await post('job-stream', id, '{"output":1}');
    expect(status).toBe(200);
    for await (const chunk of ports.chunks.list({ endpoint: 'do-h', id }, 1, 0, 10)) writes.push(chunk);
    expect(writes).toEqual([]);
  });

  it('sends the available jobs as one batch, and no more than the worker asks for', async () => {
    const { url } = await openAgent('do-i');
    const ids = await Promise.all([1, 2, 3].map(() => submit('do-i')));
    const take = async (size: string) => {
      const taken = await fetch(`${url}/job-take-batch/self?gpu=none&job_in_progress=1&batch_size=${size}`);
      return (await taken.json()) as { id: string }[];
    };
    const first = await take('2');
    expect(first.length).toBeGreaterThanOrEqual(1);
    expect(first.length).toBeLessThanOrEqual(2);
    const taken = [...first];
    while (taken.length < ids.length) taken.push(...(await take('none')));
    expect(new Set(taken.map(({ id }) => id))).toEqual(new Set(ids));
  });

  it('sends the jobs of a batch although a lease could not be renewed in the meantime', async () => {
    await emulated.deploy('do-m');
    const id = await submit('do-m');
    let failures = 1;
    const beat: Workers['beat'] = async (lease) => {
      if (failures-- > 0) throw new Error('The table does not exist.');
      await ports.workers.beat(lease);
    };
    const workers = Object.assign(Object.create(ports.workers) as Workers, { beat });
    const agent = await agents.start('do-m', 'w1', { ports: portsWith(ports, { workers }) });
    expect(await agent.nextBatch(2, forever)).toMatchObject([{ id }]);
  });

  it('collects the jobs of a batch until a pause of the clock ends', async () => {
    await emulated.deploy('do-n');
    const first = await submit('do-n');
    const { promise: isOpen, resolve: opened } = Promise.withResolvers<void>();
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const pause: Pause = (milliseconds, signal) => {
      if (milliseconds !== 20) return systemClock.pause(milliseconds, signal);
      opened();
      return isOver;
    };
    const agent = await agents.start('do-n', 'w1', { pause });
    const batch = agent.nextBatch(2, forever);
    await isOpen;
    const second = await submit('do-n');
    const isTaken = async () => (await ports.jobs.read({ endpoint: 'do-n', id: second }))?.status === 'IN_PROGRESS';
    await eventually('the worker takes the second job', async () => (await isTaken()) || undefined);
    end();
    expect(new Set((await batch).map(({ id }) => id))).toEqual(new Set([first, second]));
  });

  it('shows the progress of a job without ending the job', async () => {
    const { url, read } = await openAgent('do-j');
    const id = await submit('do-j');
    await fetch(`${url}/job-take/self`);
    const post = (body: string) => fetch(`${url}/job-done/self/${id}?isStream=false`, { method: 'POST', body });
    expect((await post('{"status":"IN_PROGRESS","output":{"step":1}}')).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'IN_PROGRESS', output: { inline: '{"step":1}' } });
    expect((await post('{"output":"end"}')).status).toBe(200);
    expect((await post('{"status":"IN_PROGRESS","output":"late"}')).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'COMPLETED', output: { inline: '"end"' } });
  });

  it('sends no more jobs to a worker that requests its replacement, and stops when the jobs of the worker have ended', async () => {
    const { agent, post } = await openAgent('do-k');
    const ids = await Promise.all([submit('do-k'), submit('do-k')]);
    for (const _ of ids) await agent.next(forever);
    let isOver = false;
    void agent.retired.then(() => {
      isOver = true;
    });
    await post('job-done', ids[0], '{"output":1,"stopPod":true}');
    await submit('do-k');
    expect(await agent.next(AbortSignal.timeout(100))).toBeUndefined();
    expect(isOver).toBe(false);
    await post('job-done', ids[1], '{"output":2}');
    await agent.retired;
  });

  it.each([
    ['an Origin', { Origin: 'https://evil.example' }],
    ['a Sec-Fetch-Site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a domain of the page as Host', { Host: 'evil.example:80' }],
  ])('refuses requests of web pages, which have %s, so that they take no job', async (name, headers) => {
    const { url, read } = await openAgent(`do-page${name.length}`);
    const id = await submit(`do-page${name.length}`);
    const asked = request(`${url}/job-take/self?job_in_progress=0`, { headers }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(403);
    expect(await read(id)).toMatchObject({ status: 'IN_QUEUE' });
    expect(await (await fetch(`${url}/job-take/self`)).json()).toMatchObject({ id });
  });

  it('answers 404 for other paths', async () => {
    const { url } = await openAgent('do-d');
    expect((await fetch(new URL('/health', url))).status).toBe(200);
    expect((await fetch(`${url}/job-take`)).status).toBe(404);
    expect((await fetch(`${url}/job-done/self/x`)).status).toBe(404);
  });
});
