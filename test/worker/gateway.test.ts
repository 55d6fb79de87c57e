import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { World } from '../../core/world.ts';
import { type EmulatedWorld, startEmulatedWorld } from '../emulated-world.ts';
import { type Agents, createAgents, forever } from './agents.ts';

let emulated: EmulatedWorld;
let world: World;
let agents: Agents;

beforeAll(async () => {
  emulated = await startEmulatedWorld();
  ({ world } = emulated);
  agents = createAgents(emulated);
});
afterEach(() => agents.end());
afterAll(() => emulated.stop());

const submit = (endpoint: string, body?: string) => agents.submit(endpoint, body);
const read = (endpoint: string, id: string) => world.jobs.read({ endpoint, id });

describe('the door of the agent', () => {
  it('hands out a job and takes its output as it was written', async () => {
    await emulated.deploy('do-a');
    const id = await submit('do-a', '{"input":{"s":"\\u00e9"}}');
    const door = await agents.open(await agents.start('do-a', 'w1'));
    const taken = await fetch(`${door}/v2/do-a/job-take/self?gpu=none`);
    expect(await taken.text()).toBe(`{"id":"${id}","attempt":1,"input":{"s":"\\u00e9"}}`);
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
    const id = await submit(endpoint);
    const agent = await agents.start(endpoint, 'w1');
    await agent.next(forever);
    const door = await agents.open(agent);
    const done = await fetch(`${door}/v2/${endpoint}/job-done/self/${id}`, { method: 'POST', body });
    expect(done.status).toBe(200);
    expect(await read(endpoint, id)).toMatchObject({
      status: 'FAILED',
      error: { inline: expect.stringContaining(error) },
    });
  });

  it('puts a job back that the worker was no longer there to receive', async () => {
    await emulated.deploy('do-c');
    const door = await agents.open(await agents.start('do-c', 'w1'));
    const gone = new AbortController();
    const abandoned = fetch(`${door}/v2/do-c/job-take/self`, { signal: gone.signal }).catch(() => 'aborted');
    gone.abort();
    expect(await abandoned).toBe('aborted');
    const id = await submit('do-c');
    const taken = await fetch(`${door}/v2/do-c/job-take/self`);
    expect(await taken.json()).toMatchObject({ id });
  });

  it('puts a job back whose worker says that it has none, and only then', async () => {
    await emulated.deploy('do-e');
    const id = await submit('do-e');
    const agent = await agents.start('do-e', 'w1');
    const door = await agents.open(agent);
    await fetch(`${door}/v2/do-e/job-take/self?job_in_progress=0`);
    const asking = fetch(`${door}/v2/do-e/job-take/self?job_in_progress=1`);
    const second = await submit('do-e');
    expect(await (await asking).json()).toMatchObject({ id: second });
    expect(await read('do-e', id)).toMatchObject({ status: 'IN_PROGRESS', attempt: 1 });
    await agent.report(second, { output: '1' });

    const again = await fetch(`${door}/v2/do-e/job-take/self?job_in_progress=0`);
    expect(await again.json()).toMatchObject({ id });
    expect(await read('do-e', id)).toMatchObject({ status: 'IN_PROGRESS', attempt: 2 });
  });

  it('knows no other paths', async () => {
    await emulated.deploy('do-d');
    const door = await agents.open(await agents.start('do-d', 'w1'));
    expect((await fetch(`${door}/health`)).status).toBe(200);
    expect((await fetch(`${door}/v2/do-d/job-take`)).status).toBe(404);
    expect((await fetch(`${door}/v2/do-d/job-done/self/x`)).status).toBe(404);
  });
});
