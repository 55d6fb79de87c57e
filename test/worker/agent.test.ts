import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { run } from '../../core/jobs/run.ts';
import { LEASE } from '../../core/limits.ts';
import type { World } from '../../core/world.ts';
import { type Agent, createAgent } from '../../worker/agent.ts';
import { createGateway } from '../../worker/gateway.ts';
import { type EmulatedWorld, startEmulatedWorld } from '../emulated-world.ts';

let emulated: EmulatedWorld;
let world: World;
const agents: Agent[] = [];
const gateways: Server[] = [];
const log = { info: () => {}, error: () => {} };

beforeAll(async () => {
  emulated = await startEmulatedWorld();
  ({ world } = emulated);
});
afterEach(async () => {
  for (const gateway of gateways.splice(0)) gateway.close().closeAllConnections();
  await Promise.all(agents.splice(0).map((agent) => agent.drain(0)));
});
afterAll(() => emulated.stop());

async function startAgent(endpoint: string, worker: string): Promise<Agent> {
  const deployed = await world.endpoints.read(endpoint);
  if (!deployed) throw new Error(`${endpoint} is not deployed.`);
  const agent = createAgent(
    world,
    { endpoint, worker, queueUrls: [deployed.normalQueueUrl, deployed.lowQueueUrl] },
    log,
  );
  agents.push(agent);
  return agent;
}

async function openGateway(agent: Agent): Promise<string> {
  const gateway = createGateway(agent, log).listen(0, '127.0.0.1');
  gateways.push(gateway);
  await once(gateway, 'listening');
  return `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
}

const submit = (endpoint: string, body = '{"input":{"n":12345678901234567890}}') =>
  run(world, { endpoint, owner: 'ada', body });
const read = (endpoint: string, id: string) => world.jobs.read({ endpoint, id });
const forever = new AbortController().signal;

describe('an agent', () => {
  it('offers a job with its input as it was sent, and records the report', async () => {
    const { normalQueueUrl } = await emulated.deploy('ag-a');
    const { id } = await submit('ag-a');
    const agent = await startAgent('ag-a', 'w1');
    expect(await agent.next(forever)).toEqual({ id, input: '{"n":12345678901234567890}' });
    await agent.report(id, { output: '[-0]' });
    expect(await read('ag-a', id)).toMatchObject({ status: 'COMPLETED', output: { inline: '[-0]' }, worker: 'w1' });
    expect(await emulated.nextHint(normalQueueUrl)).toBeUndefined();
  });

  it('has a lease before it takes a job, and names the job in it from the next beat on', async () => {
    await emulated.deploy('ag-b');
    const { id } = await submit('ag-b');
    const agent = await startAgent('ag-b', 'w1');
    await agent.next(forever);
    expect(await world.workers.read('ag-b', 'w1')).toMatchObject({ jobs: [], endsAt: emulated.clock.now() + LEASE });
    await agent.beat();
    expect(await world.workers.read('ag-b', 'w1')).toMatchObject({ jobs: [id] });
  });

  it('wakes a waiting worker with a job of either queue', async () => {
    await emulated.deploy('ag-c');
    const agent = await startAgent('ag-c', 'w1');
    const waiting = agent.next(forever);
    const low = await submit('ag-c', '{"input":{},"policy":{"lowPriority":true}}');
    expect(await waiting).toMatchObject({ id: low.id });
  });

  it('gives back what comes in while nobody waits, so that another worker gets it at once', async () => {
    const { lowQueueUrl } = await emulated.deploy('ag-d');
    const busy = await startAgent('ag-d', 'w1');
    await submit('ag-d');
    await busy.next(forever);
    // The poll of the low queue goes on while the job of the other queue runs.
    const low = await submit('ag-d', '{"input":{},"policy":{"lowPriority":true}}');
    expect(await world.hints.receive(lowQueueUrl, 5_000, LEASE)).toMatchObject({ job: low.id });
  });

  it('brings back a job whose worker is lost, and fences that worker out', async () => {
    const { normalQueueUrl } = await emulated.deploy('ag-e');
    const { id } = await submit('ag-e');
    const lost = await startAgent('ag-e', 'w1');
    await lost.next(forever);
    // The hint shows again, as it does once its worker no longer hides it.
    await world.hints.send(normalQueueUrl, { endpoint: 'ag-e', job: id, attempt: 0, generation: 0 });
    emulated.clock.advance(LEASE + 1);
    const agent = await startAgent('ag-e', 'w2');
    expect(await agent.next(forever)).toMatchObject({ id });
    await lost.report(id, { output: '"late"' });
    await agent.report(id, { output: '"in time"' });
    expect(await read('ag-e', id)).toMatchObject({ worker: 'w2', attempt: 2, output: { inline: '"in time"' } });
  });

  it('that drains takes nothing more, puts its job back, and leaves', async () => {
    const { normalQueueUrl } = await emulated.deploy('ag-f');
    const { id } = await submit('ag-f');
    const agent = await startAgent('ag-f', 'w1');
    await agent.next(forever);
    await agent.drain(0);
    expect(await read('ag-f', id)).toMatchObject({ status: 'IN_QUEUE', attempt: 1 });
    expect(await world.workers.read('ag-f', 'w1')).toBeUndefined();
    expect(await agent.next(forever)).toBeUndefined();
    expect(await emulated.nextHint(normalQueueUrl)).toMatchObject({ job: id });
  });

  it('that drains waits for its job to end within the grace', async () => {
    await emulated.deploy('ag-g');
    const { id } = await submit('ag-g');
    const agent = await startAgent('ag-g', 'w1');
    await agent.next(forever);
    const drained = agent.drain(60_000);
    await agent.report(id, { output: '1' });
    await drained;
    expect(await read('ag-g', id)).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('the door of the agent', () => {
  it('hands out a job and takes its output as it was written', async () => {
    await emulated.deploy('do-a');
    const { id } = await submit('do-a', '{"input":{"s":"\\u00e9"}}');
    const door = await openGateway(await startAgent('do-a', 'w1'));
    const taken = await fetch(`${door}/v2/do-a/job-take/self?gpu=none`);
    expect(await taken.text()).toBe(`{"id":"${id}","input":{"s":"\\u00e9"}}`);
    const body = '{"output": {"s":"\\u00e9", "n":-0}}';
    const done = await fetch(`${door}/v2/do-a/job-done/self/${id}?isStream=false`, { method: 'POST', body });
    expect(done.status).toBe(200);
    expect(await read('do-a', id)).toMatchObject({ output: { inline: '{"s":"\\u00e9", "n":-0}' } });
  });

  it.each([
    ['{"error":"no GPU"}', 'no GPU'],
    ['{"error":{"code":1}}', '{"code":1}'],
    ['{"output":1,"error":"late"}', 'late'],
    ['not JSON', "The worker's report cannot be read. The body is not valid JSON"],
  ])('ends the job FAILED on the report %s', async (body, error) => {
    const endpoint = `do-b${body.length}`;
    await emulated.deploy(endpoint);
    const { id } = await submit(endpoint);
    const agent = await startAgent(endpoint, 'w1');
    await agent.next(forever);
    const door = await openGateway(agent);
    const done = await fetch(`${door}/v2/${endpoint}/job-done/self/${id}`, { method: 'POST', body });
    expect(done.status).toBe(200);
    expect(await read(endpoint, id)).toMatchObject({
      status: 'FAILED',
      error: { inline: expect.stringContaining(error) },
    });
  });

  it('puts a job back that the worker was no longer there to receive', async () => {
    await emulated.deploy('do-c');
    const door = await openGateway(await startAgent('do-c', 'w1'));
    const gone = new AbortController();
    const abandoned = fetch(`${door}/v2/do-c/job-take/self`, { signal: gone.signal }).catch(() => 'aborted');
    gone.abort();
    expect(await abandoned).toBe('aborted');
    const { id } = await submit('do-c');
    const taken = await fetch(`${door}/v2/do-c/job-take/self`);
    expect(await taken.json()).toMatchObject({ id });
  });

  it('puts a job back whose worker says that it has none, and only then', async () => {
    await emulated.deploy('do-e');
    const { id } = await submit('do-e');
    const agent = await startAgent('do-e', 'w1');
    const door = await openGateway(agent);
    await fetch(`${door}/v2/do-e/job-take/self?job_in_progress=0`);
    const asking = fetch(`${door}/v2/do-e/job-take/self?job_in_progress=1`);
    const second = await submit('do-e');
    expect(await (await asking).json()).toMatchObject({ id: second.id });
    expect(await read('do-e', id)).toMatchObject({ status: 'IN_PROGRESS', attempt: 1 });
    await agent.report(second.id, { output: '1' });

    const again = await fetch(`${door}/v2/do-e/job-take/self?job_in_progress=0`);
    expect(await again.json()).toMatchObject({ id });
    expect(await read('do-e', id)).toMatchObject({ status: 'IN_PROGRESS', attempt: 2 });
  });

  it('knows no other paths', async () => {
    await emulated.deploy('do-d');
    const door = await openGateway(await startAgent('do-d', 'w1'));
    expect((await fetch(`${door}/health`)).status).toBe(200);
    expect((await fetch(`${door}/v2/do-d/job-take`)).status).toBe(404);
    expect((await fetch(`${door}/v2/do-d/job-done/self/x`)).status).toBe(404);
  });
});
