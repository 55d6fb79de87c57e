import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import type { Jobs } from '../../core/jobs/store.ts';
import { SECOND } from '../../core/limits.ts';
import { retry } from '../../core/submission/retry.ts';
import { AGENT_FAILING, QUICK_FAILURES } from '../../core/workers/protocol.ts';
import type { Agent } from '../../worker/agent/agent.ts';
import { runUntilShutdown } from '../../worker/agent/shutdown.ts';
import { forever, log } from './agents.ts';
import { agents, emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

interface Worker {
  readonly agent: Agent;
  readonly takesJobs: () => boolean;
  /**
   * Runs a job that ends with this report after this many milliseconds.
   * @returns its id
   */
  run(report: object, ran?: number): Promise<string>;
}

async function workerOf(endpoint: string, name = 'w1', { isServer = false, itsPorts = ports } = {}): Promise<Worker> {
  if (!(await ports.endpoints.read(endpoint))) await emulated.deploy(endpoint);
  const agent = await agents.start(endpoint, name, { ports: itsPorts, isServer });
  const url = `${await agents.open(agent)}/v2/${endpoint}`;
  return {
    agent,
    takesJobs: agent.isFree,
    async run(report, ran = 0) {
      await agents.submit(endpoint);
      const offer = await agent.next(forever);
      if (!offer) throw new Error('The worker takes no more jobs.');
      emulated.clock.advance(ran);
      await fetch(`${url}/job-done/self/${offer.id}`, { method: 'POST', body: JSON.stringify(report) });
      return offer.id;
    },
  };
}

const failed = { error: 'the server refuses connections' };
const quick = QUICK_FAILURES.within - 1;

/** Ports that take a second to store that a job has failed. */
function slowPorts(): typeof ports {
  const jobs = Object.create(ports.jobs) as Jobs;
  jobs.report = (name, key, facts) => {
    if (name === 'fail') emulated.clock.advance(SECOND);
    return ports.jobs.report(name, key, facts);
  };
  return portsWith(ports, { jobs });
}

describe('a worker whose jobs fail immediately', () => {
  it('is replaced after three failed jobs in a row, and exits with a separate code; the jobs remain FAILED', async () => {
    const { agent, run, takesJobs } = await workerOf('qf-a');
    const ended = runUntilShutdown(agent, {
      log,
      asked: new Promise(() => undefined),
    });
    await run({ output: 1 });
    const ids = [await run(failed, quick), await run(failed, quick)];
    expect(takesJobs()).toBe(true);
    ids.push(await run(failed, quick));
    expect(takesJobs()).toBe(false);
    expect(await ended).toBe(AGENT_FAILING);
    for (const id of ids)
      expect(await ports.jobs.read({ endpoint: 'qf-a', id })).toMatchObject({ status: 'FAILED', attempt: 1 });
    expect(await ports.workers.read('qf-a', 'w1')).toBeUndefined();
  });

  it.each<[string, object, number]>([
    ['a job that succeeds', { output: 1 }, 0],
    ['a job that fails after a second', failed, SECOND],
    ['a job that its server refuses', { error: 'vLLM returned HTTP 404: {"object":"error","message":"No model"}' }, 1],
  ])('is not replaced if it has %s between failures', async (_, report, ran) => {
    const { run, takesJobs } = await workerOf(`qf-b${ran}`);
    await run(failed);
    await run(failed);
    await run(report, ran);
    await run(failed);
    await run(failed);
    expect(takesJobs()).toBe(true);
  });

  it('is replaced although storing the failures takes a long time', async () => {
    const { run, takesJobs } = await workerOf('qf-h', 'w1', { itsPorts: slowPorts() });
    for (let jobs = 0; jobs < 3; jobs += 1) await run(failed, quick);
    expect(takesJobs()).toBe(false);
  });

  it('is not replaced if the same job fails repeatedly', async () => {
    const { agent, run, takesJobs } = await workerOf('qf-c');
    const id = await run(failed);
    for (let times = 0; times < 3; times += 1) {
      await retry(ports, { endpoint: 'qf-c', id });
      await agent.next(forever);
      await agent.report(id, failed);
    }
    expect(takesJobs()).toBe(true);
  });

  it('is not replaced if it is an HTTP server, which has a health check', async () => {
    const { run, takesJobs } = await workerOf('qf-d', 'w1', { isServer: true });
    for (let jobs = 0; jobs < 4; jobs += 1) await run(failed);
    expect(takesJobs()).toBe(true);
  });

  it('is not replaced within ten minutes after another worker of the endpoint was replaced for failures', async () => {
    const first = await workerOf('qf-e');
    for (let jobs = 0; jobs < 3; jobs += 1) await first.run(failed);
    const second = await workerOf('qf-e', 'w2');
    for (let jobs = 0; jobs < 5; jobs += 1) await second.run(failed);
    expect(second.takesJobs()).toBe(true);
    emulated.clock.advance(QUICK_FAILURES.every);
    await second.run(failed);
    expect(second.takesJobs()).toBe(false);

    const other = await workerOf('qf-f');
    for (let jobs = 0; jobs < 3; jobs += 1) await other.run(failed);
    expect(other.takesJobs()).toBe(false);
  });

  it('lets another worker of the endpoint be replaced if it is already being replaced', async () => {
    const first = await workerOf('qf-i');
    const ids: string[] = [];
    for (let jobs = 0; jobs < 3; jobs += 1) {
      ids.push(await agents.submit('qf-i'));
      await first.agent.next(forever);
    }
    first.agent.retire();
    for (const id of ids) await first.agent.report(id, failed);
    const second = await workerOf('qf-i', 'w2');
    for (let jobs = 0; jobs < 3; jobs += 1) await second.run(failed);
    expect(second.takesJobs()).toBe(false);
  });

  it('reports its jobs although it cannot read whether another worker was replaced', async () => {
    const hold = () => Promise.reject(new Error('DynamoDB cannot be reached.'));
    const itsPorts = portsWith(ports, { replacementMarks: { ...ports.replacementMarks, hold } });
    const { run, takesJobs } = await workerOf('qf-g', 'w1', { itsPorts });
    const ids = [await run(failed), await run(failed), await run(failed)];
    expect(takesJobs()).toBe(true);
    for (const id of ids) expect(await ports.jobs.read({ endpoint: 'qf-g', id })).toMatchObject({ status: 'FAILED' });
  });
});
