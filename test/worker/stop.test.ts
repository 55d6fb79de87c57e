import { describe, expect, it } from '@jest/globals';
import { chunkBuffer } from '../../core/jobs/chunk-limits.ts';
import { BEAT, REPORT_GRACE, STOP_LIMIT } from '../../core/limits.ts';
import type { World } from '../../core/world.ts';
import type { Agent, AgentHost } from '../../worker/agent.ts';
import { live } from '../../worker/live.ts';
import { worldWith } from '../emulated-world.ts';
import { forever, log, unprotected } from './agents.ts';
import { agents, emulated, useEmulatedAgents, world } from './emulated-agents.ts';

useEmulatedAgents();

const never = new Promise<never>(() => undefined);

/** An agent whose container has a job, and the address of its door. */
async function busyAgent(
  endpoint: string,
  body?: string,
  host: Partial<AgentHost> = {},
  itsWorld = world,
): Promise<{ id: string; agent: Agent; door: string }> {
  await emulated.deploy(endpoint);
  const id = await agents.submit(endpoint, body);
  const agent = await agents.start(endpoint, 'w1', host, itsWorld);
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
    // The gateway holds an answer back until no chunk is posted; the agent answers at once.
    const gone = new AbortController();
    expect(await isOpen(agent.stops(gone.signal), door)).toBe(true);
    gone.abort();
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
    expect(await isOpen(agent.stuck, door)).toBe(true);
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
    expect(await isOpen(agent.stuck, door)).toBe(true);
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

describe('a job that streams', () => {
  it('is told to stop when the container has its answer to a chunk, so that it stops the handler and not the chunk', async () => {
    await emulated.deploy('st-m');
    const id = await agents.submit('st-m');
    const { promise: stored, resolve: store } = Promise.withResolvers<void>();
    const write: World['chunks']['write'] = async (...call) => {
      await stored;
      await world.chunks.write(...call);
    };
    const chunks = { list: world.chunks.list, write };
    const agent = await agents.start('st-m', 'w1', {}, worldWith(world, { chunks }));
    await agent.next(forever);
    const door = `${await agents.open(agent)}/v2/st-m`;
    const answered: string[] = [];
    // It is larger than the buffer, so it is answered when it is stored.
    const body = JSON.stringify({ output: 'x'.repeat(chunkBuffer.bytes) });
    const posted = fetch(`${door}/job-stream/self/${id}`, { method: 'POST', body }).then(() => answered.push('chunk'));
    const told = stopPoll(door).then(() => answered.push('stop'));
    expect(await isOpen(posted, door)).toBe(true);
    await cancel('st-m', id);
    await agent.watch();
    setTimeout(store, 200);
    await Promise.all([posted, told]);
    expect(answered).toEqual(['chunk', 'stop']);
  });

  it('is told to stop although an answer to its chunk is held back', async () => {
    await emulated.deploy('st-n');
    const id = await agents.submit('st-n');
    const chunks = { list: world.chunks.list, write: () => never };
    const agent = await agents.start('st-n', 'w1', {}, worldWith(world, { chunks }));
    await agent.next(forever);
    const door = `${await agents.open(agent)}/v2/st-n`;
    const body = JSON.stringify({ output: 'x'.repeat(chunkBuffer.bytes) });
    const posted = fetch(`${door}/job-stream/self/${id}`, { method: 'POST', body }).catch(() => 'closed');
    expect(await isOpen(posted, door)).toBe(true);
    await cancel('st-n', id);
    await agent.watch();
    expect(await stopPoll(door)).toEqual({ jobsToStop: [id] });
  });

  it.each([
    ['given back', (agent: Agent, id: string) => agent.giveBack(id)],
    [
      'cancelled',
      async (agent: Agent, id: string) => {
        await cancel('st-cancelled', id);
        await agent.watch();
      },
    ],
  ])('has no more of its chunks stored once it was %s', async (how, end) => {
    const endpoint = `st-${how.replace(' ', '-')}`;
    await emulated.deploy(endpoint);
    const id = await agents.submit(endpoint);
    const { promise: stored, resolve: store } = Promise.withResolvers<void>();
    let writes = 0;
    const write: World['chunks']['write'] = async (...call) => {
      writes += 1;
      await stored;
      await world.chunks.write(...call);
    };
    const agent = await agents.start(endpoint, 'w1', {}, worldWith(world, { chunks: { ...world.chunks, write } }));
    await agent.next(forever);
    for (const output of ['1', '2']) await agent.chunk(id, output, undefined);
    await end(agent, id);
    store();
    for (let calls = 0; calls < 5; calls += 1) await world.jobs.read({ endpoint, id });
    expect(writes).toBe(1);
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

  it.each([
    ['while the container is answered about another job', true],
    ['before the container asks again', false],
  ])('is stopped first when the agent drains %s', async (_, isHeld) => {
    const endpoint = `st-q-${isHeld}`;
    const { id: cancelled, agent, door } = await busyAgent(endpoint);
    const id = await agents.submit(endpoint);
    await agent.next(forever);
    const stored = () => world.jobs.read({ endpoint, id });
    const poll = stopPoll(door);
    expect(await isOpen(poll, door)).toBe(true);
    await cancel(endpoint, cancelled);
    await agent.watch();
    if (!isHeld) await poll;
    const drained = agent.drain(0);
    expect(await poll).toEqual({ jobsToStop: [cancelled] });
    expect(await stored()).toMatchObject({ status: 'IN_PROGRESS', worker: 'w1' });
    expect(await stopPoll(door)).toEqual({ jobsToStop: [cancelled, id] });
    expect(await stored()).toMatchObject({ status: 'IN_PROGRESS', worker: 'w1' });
    await fetch(`${door}/job-take/self?job_in_progress=0&wait=0`);
    await drained;
    expect(await stored()).toMatchObject({ status: 'IN_QUEUE', attempt: 1 });
  });

  it('is given back at once when its container has not asked for a while', async () => {
    const { id, agent, door } = await busyAgent('st-r');
    const other = await agents.submit('st-r');
    await agent.next(forever);
    await cancel('st-r', id);
    await agent.watch();
    expect(await stopPoll(door)).toEqual({ jobsToStop: [id] });
    emulated.clock.advance(3_000);
    const drained = agent.drain(0).then(() => 'drained');
    expect(await Promise.race([drained, stopPoll(door).catch(() => 'closed')])).toBe('drained');
    expect(await world.jobs.read({ endpoint: 'st-r', id: other })).toMatchObject({ status: 'IN_QUEUE', attempt: 1 });
  });
});

describe('a container that does not stop a job', () => {
  /** The agent lives; its exit code, once it has one. */
  function living(agent: Agent): { readonly ended: Promise<number>; code(): number | undefined } {
    let code: number | undefined;
    const ended = live(agent, never, log).then((value) => (code = value));
    return { ended, code: () => code };
  }

  /** The agent has told the container to stop the job for so long that it is overdue. */
  async function becomesOverdue(endpoint: string, agent: Agent, id: string): Promise<void> {
    await cancel(endpoint, id);
    await agent.watch();
    emulated.clock.advance(STOP_LIMIT);
    await agent.watch();
  }

  it('costs its task, after the limit and not before, where it is the only job', async () => {
    const { id, agent } = await busyAgent('st-g');
    const { ended, code } = living(agent);
    await cancel('st-g', id);
    await agent.watch();
    emulated.clock.advance(STOP_LIMIT - 1);
    await agent.watch();
    expect(code()).toBeUndefined();
    emulated.clock.advance(1);
    await agent.watch();
    expect(await ended).toBe(1);
    expect(await world.workers.read('st-g', 'w1')).toBeUndefined();
  });

  it('runs its other jobs to their end, protected, and gets no more; then its task ends', async () => {
    const wanted: boolean[] = [];
    const protection = { ...unprotected.protection, keep: async (keep: boolean) => void wanted.push(keep) };
    const { id, agent, door } = await busyAgent('st-m', undefined, { protection });
    const other = await agents.submit('st-m');
    await agent.next(forever);
    const { ended, code } = living(agent);
    await becomesOverdue('st-m', agent, id);
    const waiting = await agents.submit('st-m');
    expect(await agent.next(forever)).toBeUndefined();
    for (let beats = 0; beats < 3; beats += 1) {
      emulated.clock.advance(BEAT);
      await agent.beat();
      await agent.watch();
    }
    const lease = await world.workers.read('st-m', 'w1');
    expect(lease).toMatchObject({ jobs: [other], retiring: true });
    expect(lease).not.toHaveProperty('idleSince');
    expect(wanted).not.toContain(false);

    await fetch(`${door}/job-done/self/${other}`, { method: 'POST', body: '{"output":1}' });
    expect(code()).toBeUndefined();
    await agent.watch();
    expect(await ended).toBe(1);
    const stored = (job: string) => world.jobs.read({ endpoint: 'st-m', id: job });
    expect(await stored(other)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
    expect(await stored(waiting)).toMatchObject({ status: 'IN_QUEUE', attempt: 0 });
  });

  it('ends when other jobs that it does not stop either are all that is left', async () => {
    const { id, agent } = await busyAgent('st-n');
    const limited = await agents.submit('st-n', '{"input":{},"policy":{"executionTimeout":60000}}');
    await agent.next(forever);
    const second = await agents.submit('st-n');
    await agent.next(forever);
    const { ended, code } = living(agent);
    await becomesOverdue('st-n', agent, id);
    await becomesOverdue('st-n', agent, second);
    expect(code()).toBeUndefined();
    emulated.clock.advance(60_000 - 2 * STOP_LIMIT + REPORT_GRACE + 1);
    await agent.watch();
    await agent.watch();
    expect(await ended).toBe(1);
    expect(await world.jobs.read({ endpoint: 'st-n', id: limited })).toMatchObject({ status: 'TIMED_OUT' });
  });

  it('ends when the time of its other jobs is over, though nothing can be read', async () => {
    const fail = () => Promise.reject(new Error('There is no way to DynamoDB.'));
    const broken = worldWith(world, { jobs: Object.create(world.jobs) as World['jobs'] });
    const { id, agent } = await busyAgent('st-o', undefined, {}, broken);
    await agents.submit('st-o', '{"input":{},"policy":{"executionTimeout":30000}}');
    await agent.next(forever);
    const { ended, code } = living(agent);
    await becomesOverdue('st-o', agent, id);
    broken.jobs.read = fail;
    emulated.clock.advance(30_000 - STOP_LIMIT + REPORT_GRACE);
    await agent.watch();
    expect(code()).toBeUndefined();
    emulated.clock.advance(1);
    await agent.watch();
    expect(await ended).toBe(1);
  });

  it('is replaced in order if it lets go of the job after all', async () => {
    const { id, agent, door } = await busyAgent('st-p');
    const other = await agents.submit('st-p');
    await agent.next(forever);
    const { ended } = living(agent);
    await becomesOverdue('st-p', agent, id);
    for (const job of [id, other])
      await fetch(`${door}/job-done/self/${job}`, { method: 'POST', body: '{"output":1}' });
    expect(await ended).toBe(0);
    expect(await world.jobs.read({ endpoint: 'st-p', id: other })).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  });

  it('is not waited for when the agent is asked to end', async () => {
    const { agent } = await busyAgent('st-h');
    await agent.giveBackAll();
    expect(await live(agent, Promise.resolve(), log)).toBe(0);
  });
});
