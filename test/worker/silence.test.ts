/** Tests workers whose container no longer asks for jobs, with a process as the container. */
import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { zeroCounters } from '../../core/endpoints/counts.ts';
import { partitionsOf } from '../../core/jobs/id.ts';
import { BEAT, ENDPOINT_CACHE, SECOND } from '../../core/limits.ts';
import { health } from '../../core/status/health.ts';
import { waitOf } from '../../core/status/waiting.ts';
import { AGENT_SILENT, agentVariables, SILENT_AFTER } from '../../core/workers/protocol.ts';
import type { Agent } from '../../worker/agent/agent.ts';
import { runUntilShutdown } from '../../worker/agent/shutdown.ts';
import { eventually } from '../acceptance/local-service.ts';
import { forever, log } from './agents.ts';
import { openAgent } from './busy-agent.ts';
import { agents, emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

const containers: ChildProcess[] = [];
afterEach(() => {
  for (const container of containers.splice(0)) container.kill('SIGKILL');
});

/** Starts the container, gives it a job, and waits until it only pings. */
async function silentWorker(endpoint: string, env: Readonly<Record<string, string>> = { REPORTS: 'true' }) {
  const opened = await openAgent(endpoint);
  let pings = 0;
  const pinged: Agent['pinged'] = async (...call) => {
    await opened.agent.pinged(...call);
    pings += 1;
  };
  const url = new URL(await agents.open({ ...opened.agent, pinged }));
  const id = await agents.submit(endpoint);
  const script = 'test/worker/silent-worker.mjs';
  const variables = { ...process.env, ...agentVariables(endpoint, Number(url.port)), ...env };
  containers.push(spawn(process.execPath, [script], { env: variables, stdio: 'inherit' }));
  /** Resolves when a ping that began after this call has been handled. */
  const nextPings = () => {
    const before = pings;
    return eventually('the container pings', () => pings >= before + 2 || undefined, { every: 5 });
  };
  await nextPings();
  await opened.agent.watch();
  return { ...opened, id, nextPings };
}

let sequence = 100;

/** Adds a waiting job to the counts of the endpoint. */
async function addWaiting(endpoint: string): Promise<void> {
  const [partition = ''] = partitionsOf(endpoint);
  sequence += 1;
  const delta = { ...zeroCounters, inQueue: 1 };
  await ports.ledger.add(partition, [{ sequence: String(sequence), delta, arrivals: {} }]);
  emulated.clock.advance(ENDPOINT_CACHE);
}

/** Lets this time pass for the agent, which checks its worker before and after. */
async function pass(agent: Agent, length: number): Promise<void> {
  await agent.watch();
  emulated.clock.advance(length);
  await agent.watch();
}

describe('a worker whose container no longer asks for jobs', () => {
  it('is replaced after 30 s while a job waits, and exits with a separate code', async () => {
    const { agent } = await silentWorker('si-a');
    const ended = runUntilShutdown(agent, { log, asked: new Promise(() => undefined) });
    await addWaiting('si-a');
    await pass(agent, SILENT_AFTER - 1);
    expect(agent.isFree()).toBe(true);
    await pass(agent, 1);
    expect(agent.isFree()).toBe(false);
    expect(await ended).toBe(AGENT_SILENT);
    expect(await ports.workers.read('si-a', 'w1')).toBeUndefined();
  });

  it('counts as unhealthy before, and waiting jobs have the reason', async () => {
    const { agent } = await silentWorker('si-b');
    await addWaiting('si-b');
    await pass(agent, BEAT);
    await agent.beat();
    emulated.clock.advance(ENDPOINT_CACHE);
    expect((await health(ports, 'si-b')).workers).toMatchObject({ idle: 0, ready: 0, unhealthy: 1 });
    const endpoint = await ports.endpoints.readNow('si-b');
    const leases = await ports.workers.listNow('si-b');
    expect(endpoint && waitOf(endpoint, leases, { lowPriority: false }, ports.clock.now())).toEqual({
      waitReason: 'WORKER_UNHEALTHY',
      waitDetail: expect.stringContaining('did not ask for one for 30 s'),
    });
  });

  it('is replaced although it holds a job that its pings do not list, and the job waits again', async () => {
    const { agent, id, read, nextPings } = await silentWorker('si-c', {});
    const ended = runUntilShutdown(agent, { log, asked: new Promise(() => undefined) });
    await nextPings();
    emulated.clock.advance(SILENT_AFTER);
    await nextPings();
    await agent.watch();
    await agent.watch();
    expect(await ended).toBe(AGENT_SILENT);
    expect(await read(id)).toMatchObject({ status: 'IN_QUEUE', attempt: 1 });
  });

  it('is not replaced while no job waits', async () => {
    const { agent } = await silentWorker('si-d');
    await pass(agent, 10 * SILENT_AFTER);
    expect(agent.isFree()).toBe(true);
  });
});

describe('a worker that takes no job now', () => {
  it('reads its endpoint only if it is quiet for two checks, because it is also quiet between two jobs', async () => {
    const { agent } = await openAgent('si-h');
    const id = await agents.submit('si-h');
    await agent.next(forever);
    await agent.report(id, { output: '1' });
    const read = jest.spyOn(ports.endpoints, 'read');
    await agent.watch();
    expect(read).not.toHaveBeenCalled();
    await agent.watch();
    expect(read).toHaveBeenCalled();
  });

  it('is not silent while it runs a job', async () => {
    const { agent, url } = await openAgent('si-e');
    const id = await agents.submit('si-e');
    await agent.next(forever);
    await addWaiting('si-e');
    const ping = (jobs: string) => fetch(`${url}/ping/self?runpod_version=1.12.0${jobs}`);
    await ping(`&job_id=${id}`);
    await pass(agent, 2 * SILENT_AFTER);
    await ping(`&job_id=${id}`);
    await agent.watch();
    expect(await ports.jobs.read({ endpoint: 'si-e', id })).toMatchObject({ status: 'IN_PROGRESS', attempt: 1 });
    expect(agent.retired).toBeInstanceOf(Promise);
    await agent.report(id, { output: '1' });
    expect(agent.isFree()).toBe(true);
  });

  it.each<[string, (agent: Agent) => Promise<unknown>]>([
    ['has never asked for a job', async () => undefined],
    [
      'waits for a job',
      async (agent) => {
        void agent.next(forever);
        await new Promise((asked) => setImmediate(asked));
      },
    ],
  ])('is not silent if it %s', async (title, prepare) => {
    const endpoint = `si-f${title.length}`;
    const { agent } = await openAgent(endpoint);
    await addWaiting(endpoint);
    await prepare(agent);
    await pass(agent, 2 * SILENT_AFTER);
    expect(agent.isFree()).toBe(true);
  });

  it('is not silent if it asks again within 30 s', async () => {
    const { agent } = await silentWorker('si-g');
    await addWaiting('si-g');
    await pass(agent, SILENT_AFTER - SECOND);
    const asking = new AbortController();
    const asked = agent.next(asking.signal);
    await agent.watch();
    asking.abort();
    await asked;
    await pass(agent, SILENT_AFTER - 1);
    expect(agent.isFree()).toBe(true);
  });
});
