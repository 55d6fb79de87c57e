import { describe, expect, it } from '@jest/globals';
import { WATCH } from '../../core/limits.ts';
import { NOTICE_GRACE, stopNotice } from '../../worker/agent/shutdown.ts';
import { log } from './agents.ts';
import { busyAgent } from './busy-agent.ts';
import { ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

/** Starts an agent whose task metadata endpoint gives these answers, one after the other. */
function scripted(answers: readonly (boolean | Error)[]) {
  const said: string[] = [];
  const left = [...answers];
  const ending = new AbortController();
  const done = stopNotice(
    { retire: ({ reason = '' } = {}) => said.push(reason) },
    {
      log: { info: () => undefined, error: () => said.push('not known') },
      async isToStop() {
        const answer = left.shift();
        if (answer === undefined) throw new Error('The metadata was read too often.');
        if (answer instanceof Error) throw answer;
        return answer;
      },
      async pause(milliseconds) {
        said.push(`${milliseconds} ms`);
        if (left.length === 0) ending.abort();
      },
    },
    ending.signal,
  );
  return { done, said };
}

describe('the stop notice of a task', () => {
  it('makes the agent take no more jobs, and leaves the agent time to requeue held jobs', async () => {
    const { done, said } = scripted([false, false, true]);
    await done;
    const pause = `${WATCH} ms`;
    expect(said).toEqual([pause, pause, 'ECS stops this task, so it takes no more jobs.', `${NOTICE_GRACE} ms`]);
    // Fargate Spot leaves two minutes, and the drain of the agent needs 10 s of them.
    expect(NOTICE_GRACE + WATCH + 10_000).toBeLessThan(120_000);
  });

  it('does not make the scaler start another worker, because ECS has already started one', async () => {
    const { agent } = await busyAgent('sn-a');
    const ending = new AbortController();
    const host = { log, isToStop: async () => true, pause: async () => ending.abort() };
    await stopNotice(agent, host, ending.signal);
    // A job that replaces its worker must not change the lease.
    agent.retire();
    await agent.beat();
    const lease = await ports.workers.read('sn-a', 'w1');
    expect(lease?.jobs).toHaveLength(1);
    expect(lease).not.toHaveProperty('retiring');
  });

  it('is polled again if the metadata endpoint does not answer', async () => {
    const { done, said } = scripted([new Error('no answer'), true]);
    await done;
    expect(said.slice(0, 3)).toEqual(['not known', `${WATCH} ms`, 'ECS stops this task, so it takes no more jobs.']);
  });

  it('is no longer polled when the agent exits', async () => {
    const { done, said } = scripted([false]);
    await done;
    expect(said).toEqual([`${WATCH} ms`]);
  });
});
