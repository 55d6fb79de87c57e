import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { STOP_GRACE } from '../../core/limits.ts';
import { startMetadataServer } from '../../packages/emulator/ecs/metadata.ts';
import { runUntilShutdown } from '../../worker/agent/shutdown.ts';
import { hasContainerExited } from '../../worker/agent/task.ts';
import { forever, log } from './agents.ts';
import { busyAgent, cancel, isOpen, stopPoll } from './busy-agent.ts';
import { agents, emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

describe('a job that still runs when the agent stops', () => {
  it('is stopped before it is requeued, so that it does not run twice', async () => {
    const { id, agent, url } = await busyAgent('st-i');
    const stored = () => ports.jobs.read({ endpoint: 'st-i', id });
    const poll = stopPoll(url);
    expect(await isOpen(poll, url)).toBe(true);
    const drained = agent.drain(0);
    expect(await poll).toEqual({ jobsToStop: [id] });
    expect(await stored()).toMatchObject({ status: 'IN_PROGRESS', worker: 'w1' });
    await fetch(`${url}/job-take/self?job_in_progress=0&wait=0`);
    expect(await stored()).toMatchObject({ status: 'IN_QUEUE', attempt: 1 });
    await drained;
    expect(await ports.workers.read('st-i', 'w1')).toBeUndefined();
  });

  it.each([
    ['while a stop poll returns another job', true],
    ['before the container polls again', false],
  ])('is stopped before its requeue when the agent drains %s', async (_, isHeld) => {
    const endpoint = `st-q-${isHeld}`;
    const { id: cancelled, agent, url } = await busyAgent(endpoint);
    const id = await agents.submit(endpoint);
    await agent.next(forever);
    const stored = () => ports.jobs.read({ endpoint, id });
    const poll = stopPoll(url);
    expect(await isOpen(poll, url)).toBe(true);
    await cancel(endpoint, cancelled);
    await agent.watch();
    if (!isHeld) await poll;
    const drained = agent.drain(0);
    expect(await poll).toEqual({ jobsToStop: [cancelled] });
    expect(await stored()).toMatchObject({ status: 'IN_PROGRESS', worker: 'w1' });
    expect(await stopPoll(url)).toEqual({ jobsToStop: [cancelled, id] });
    expect(await stored()).toMatchObject({ status: 'IN_PROGRESS', worker: 'w1' });
    await fetch(`${url}/job-take/self?job_in_progress=0&wait=0`);
    await drained;
    expect(await stored()).toMatchObject({ status: 'IN_QUEUE', attempt: 1 });
  });

  it('is requeued immediately if its container has not polled for a while', async () => {
    const { id, agent, url } = await busyAgent('st-r');
    const other = await agents.submit('st-r');
    await agent.next(forever);
    await cancel('st-r', id);
    await agent.watch();
    expect(await stopPoll(url)).toEqual({ jobsToStop: [id] });
    emulated.clock.advance(3_000);
    // An agent that waits for its container waits as long as this timer, which is started first.
    const waited = delay(2 * STOP_GRACE, 'waited', { ref: false });
    const drained = agent.drain(0).then(() => 'drained');
    expect(await Promise.race([drained, waited])).toBe('drained');
    expect(await ports.jobs.read({ endpoint: 'st-r', id: other })).toMatchObject({ status: 'IN_QUEUE', attempt: 1 });
  });

  it.each([
    ['immediately if its container has crashed', 'STOPPED', [0]],
    ['after a grace period if its container still runs', 'RUNNING', [5_000]],
  ] as const)('is requeued %s', async (_, status, graces) => {
    const endpoint = `st-${status.toLowerCase()}`;
    const { id, agent } = await busyAgent(endpoint);
    const metadata = await startMetadataServer();
    const asked: number[] = [];
    const recorded: typeof agent = {
      ...agent,
      drain(grace) {
        asked.push(grace);
        return agent.drain(0);
      },
    };
    const of = (name: string, lastStatus: 'RUNNING' | 'STOPPED') => ({
      Name: name,
      Image: name,
      KnownStatus: lastStatus,
    });
    metadata.add('t', () => ({
      Cluster: 'fleet',
      TaskARN: 'arn:task/t',
      Family: 'f',
      Revision: '1',
      DesiredStatus: 'STOPPED',
      KnownStatus: 'STOPPING',
      Containers: [of('agent', 'RUNNING'), of('worker', status)],
    }));
    process.env.ECS_CONTAINER_METADATA_URI_V4 = metadata.address('t', 'agent');
    try {
      const host = { log, asked: Promise.resolve(), hasContainerExited };
      expect(await runUntilShutdown(recorded, host)).toBe(0);
    } finally {
      metadata.close();
    }
    expect(asked).toEqual(graces);
    expect(await ports.jobs.read({ endpoint, id })).toMatchObject({ status: 'IN_QUEUE', attempt: 1 });
  });
});
