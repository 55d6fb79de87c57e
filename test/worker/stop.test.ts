import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { REPORT_GRACE, STOP_LIMIT } from '../../core/limits.ts';
import type { World } from '../../core/world.ts';
import type { Agent } from '../../worker/agent.ts';
import { live } from '../../worker/live.ts';
import { type EmulatedWorld, startEmulatedWorld } from '../emulated-world.ts';
import { type Agents, createAgents, forever, log } from './agents.ts';

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

const never = new Promise<never>(() => undefined);

/** An agent whose container has a job, and the address of its door. */
async function busyAgent(endpoint: string, body?: string): Promise<{ id: string; agent: Agent; door: string }> {
  await emulated.deploy(endpoint);
  const id = await agents.submit(endpoint, body);
  const agent = await agents.start(endpoint, 'w1');
  await agent.next(forever);
  return { id, agent, door: `${await agents.open(agent)}/v2/${endpoint}` };
}

const cancel = (endpoint: string, id: string) =>
  world.jobs.move('cancelRunning', { endpoint, id }, { $now: world.clock.now(), $graceStart: 0, $removeAfter: 1 });

const stopPoll = async (door: string): Promise<unknown> => (await fetch(`${door}/job-stop/self`)).json();

/** Whether a poll is still open, after calls that began later have been answered. */
async function isOpen(poll: Promise<unknown>, door: string): Promise<boolean> {
  let open = true;
  void poll.then(() => {
    open = false;
  });
  for (let calls = 0; calls < 3; calls += 1) await fetch(`${door}/ping/self`);
  return open;
}

describe('a job that is no longer the worker’s', () => {
  it('is told to a poll that waits, as soon as the agent has seen it', async () => {
    const { id, agent, door } = await busyAgent('st-a');
    const poll = stopPoll(door);
    await agent.watch();
    expect(await isOpen(poll, door)).toBe(true);
    await cancel('st-a', id);
    await agent.watch();
    expect(await poll).toEqual({ jobsToStop: [id] });
  });

  it('is told once in every watch until the container says that it has no job', async () => {
    const { id, agent, door } = await busyAgent('st-b');
    await cancel('st-b', id);
    await agent.watch();
    expect(await stopPoll(door)).toEqual({ jobsToStop: [id] });
    const second = stopPoll(door);
    expect(await isOpen(second, door)).toBe(true);
    await agent.watch();
    expect(await second).toEqual({ jobsToStop: [id] });

    // It is still open when the test ends.
    const third = stopPoll(door).catch(() => 'closed');
    await fetch(`${door}/job-take/self?job_in_progress=0&wait=0`);
    await agent.watch();
    expect(await isOpen(third, door)).toBe(true);
    expect(await world.jobs.read({ endpoint: 'st-b', id })).toMatchObject({ status: 'CANCELLED', attempt: 1 });
  });

  it('is let go of by a container that stops at once, when it asks again after it was told twice', async () => {
    const { id, agent, door } = await busyAgent('st-l');
    const asked = `${door}/job-stop/self?stops=at-once`;
    const idleSince = async () => {
      await agent.beat();
      return (await world.workers.read('st-l', 'w1'))?.idleSince;
    };
    await cancel('st-l', id);
    for (let told = 0; told < 2; told += 1) {
      const poll = fetch(asked);
      await agent.watch();
      expect(await (await poll).json()).toEqual({ jobsToStop: [id] });
      expect(await idleSince()).toBeUndefined();
    }
    // It is still open when the test ends.
    const third = fetch(asked).catch(() => 'closed');
    expect(await isOpen(third, door)).toBe(true);
    expect(await idleSince()).toBe(world.clock.now());
    emulated.clock.advance(STOP_LIMIT);
    await agent.watch();
    expect(await isOpen(agent.overdue, door)).toBe(true);
  });

  it('that ran out of time is recorded so, and a report on it is dropped', async () => {
    const { id, agent, door } = await busyAgent('st-c', '{"input":{},"policy":{"executionTimeout":6000}}');
    emulated.clock.advance(6_001 + REPORT_GRACE);
    await agent.watch();
    expect(await world.jobs.read({ endpoint: 'st-c', id })).toMatchObject({ code: 'EXECUTION_TIMEOUT' });
    const done = await fetch(`${door}/job-done/self/${id}`, { method: 'POST', body: '{"output":1}' });
    expect(done.status).toBe(200);
    expect(await world.jobs.read({ endpoint: 'st-c', id })).toMatchObject({ status: 'TIMED_OUT' });
    // A report is a way to let go, too.
    emulated.clock.advance(STOP_LIMIT);
    await agent.watch();
    expect(await isOpen(agent.overdue, door)).toBe(true);
  });

  it('takes its hint along, and needs no other', async () => {
    const { id, agent } = await busyAgent('st-d');
    const calls: string[] = [];
    const { drop, send } = world.hints;
    world.hints.drop = async (hint) => {
      await drop(hint);
      calls.push(`drop ${hint.job}`);
    };
    world.hints.send = async () => void calls.push('send');
    await cancel('st-d', id);
    await agent.watch();
    await agent.giveBackAll();
    Object.assign(world.hints, { drop, send });
    expect(calls).toEqual([`drop ${id}`]);
  });

  it('is not in the lease, which says that the worker is busy all the same', async () => {
    const { id, agent } = await busyAgent('st-e');
    await cancel('st-e', id);
    await agent.watch();
    await agent.beat();
    const busy = await world.workers.read('st-e', 'w1');
    expect(busy).toMatchObject({ jobs: [] });
    expect(busy).not.toHaveProperty('idleSince');
    await agent.giveBackAll();
    await agent.beat();
    expect(await world.workers.read('st-e', 'w1')).toMatchObject({ jobs: [], idleSince: world.clock.now() });
  });

  it('stays with its other worker', async () => {
    const { id, agent } = await busyAgent('st-f');
    const facts = {
      $now: world.clock.now(),
      $graceStart: 0,
      $worker: 'w1',
      $attempt: 1,
      $leaseEnds: 0,
      $generation: 0,
    };
    await world.jobs.move('requeue', { endpoint: 'st-f', id }, facts);
    await world.jobs.move('take', { endpoint: 'st-f', id }, { ...facts, $worker: 'w2' });
    await agent.watch();
    expect(await agent.stops(forever)).toEqual([id]);
    await agent.drain(0);
    expect(await world.jobs.read({ endpoint: 'st-f', id })).toMatchObject({ status: 'IN_PROGRESS', worker: 'w2' });
  });
});

describe('a job that still runs when the agent ends', () => {
  it('is stopped before it is given back, so that it does not run twice', async () => {
    const { id, agent, door } = await busyAgent('st-i');
    const stored = () => world.jobs.read({ endpoint: 'st-i', id });
    const poll = stopPoll(door);
    expect(await isOpen(poll, door)).toBe(true);
    const drained = agent.drain(0);
    expect(await poll).toEqual({ jobsToStop: [id] });
    expect(await stored()).toMatchObject({ status: 'IN_PROGRESS', worker: 'w1' });
    await fetch(`${door}/job-take/self?job_in_progress=0&wait=0`);
    expect(await stored()).toMatchObject({ status: 'IN_QUEUE', attempt: 1 });
    await drained;
    expect(await world.workers.read('st-i', 'w1')).toBeUndefined();
  });
});

describe('a container that does not stop a job', () => {
  it('costs its task, after the limit and not before; the other jobs are put back', async () => {
    const { id, agent } = await busyAgent('st-g');
    const other = await agents.submit('st-g');
    await agent.next(forever);
    let code: number | undefined;
    const ended = live(agent, never, log).then((value) => (code = value));
    await cancel('st-g', id);
    await agent.watch();
    emulated.clock.advance(STOP_LIMIT - 1);
    await agent.watch();
    expect(code).toBeUndefined();
    emulated.clock.advance(1);
    await agent.watch();
    expect(await ended).toBe(1);
    expect(await world.jobs.read({ endpoint: 'st-g', id: other })).toMatchObject({ status: 'IN_QUEUE' });
    expect(await world.workers.read('st-g', 'w1')).toBeUndefined();
  });

  it('is not waited for when the agent is asked to end', async () => {
    const { agent } = await busyAgent('st-h');
    await agent.giveBackAll();
    expect(await live(agent, Promise.resolve(), log)).toBe(0);
  });
});
