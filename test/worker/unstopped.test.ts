import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import type { Jobs } from '../../core/jobs/store.ts';
import { BEAT, REPORT_GRACE, STOP_LIMIT } from '../../core/limits.ts';
import type { Agent } from '../../worker/agent/agent.ts';
import { runUntilShutdown } from '../../worker/agent/shutdown.ts';
import { forever, log, unprotected } from './agents.ts';
import { busyAgent, cancel } from './busy-agent.ts';
import { agents, emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

const never = new Promise<never>(() => undefined);

describe('a container that does not stop a lost job', () => {
  /** Runs the agent. `code` returns its exit code after it has exited. */
  function living(agent: Agent): { readonly ended: Promise<number>; code(): number | undefined } {
    let code: number | undefined;
    const ended = runUntilShutdown(agent, { log, asked: never }).then((value) => (code = value));
    return { ended, code: () => code };
  }

  /** Cancels the job, and advances the clock until its stop is overdue. */
  async function becomesOverdue(endpoint: string, agent: Agent, id: string): Promise<void> {
    await cancel(endpoint, id);
    await agent.watch();
    emulated.clock.advance(STOP_LIMIT);
    await agent.watch();
  }

  it('stops its task after the limit and not before, if it has no other job', async () => {
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
    expect(await ports.workers.read('st-g', 'w1')).toBeUndefined();
  });

  it('finishes its other jobs with protection and gets no more jobs, and then its task stops', async () => {
    const wanted: boolean[] = [];
    const protection = { ...unprotected.protection, keep: async (keep: boolean) => void wanted.push(keep) };
    const { id, agent, post } = await busyAgent('st-m', { protection });
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
    const lease = await ports.workers.read('st-m', 'w1');
    expect(lease).toMatchObject({ jobs: [other], retiring: true });
    expect(lease).not.toHaveProperty('idleSince');
    expect(wanted).not.toContain(false);

    await post('job-done', other, '{"output":1}');
    expect(code()).toBeUndefined();
    await agent.watch();
    expect(await ended).toBe(1);
    const stored = (job: string) => ports.jobs.read({ endpoint: 'st-m', id: job });
    expect(await stored(other)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
    expect(await stored(waiting)).toMatchObject({ status: 'IN_QUEUE', attempt: 0 });
  });

  it('stops its task when its container runs only jobs that it no longer holds', async () => {
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
    expect(await ports.jobs.read({ endpoint: 'st-n', id: limited })).toMatchObject({ status: 'TIMED_OUT' });
  });

  it('stops its task when the deadlines of its other jobs have passed, although no job can be read', async () => {
    const fail = () => Promise.reject(new Error('DynamoDB cannot be reached.'));
    const broken = portsWith(ports, { jobs: Object.create(ports.jobs) as Jobs });
    const { id, agent } = await busyAgent('st-o', { ports: broken });
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

  it('is replaced without an error if it eventually releases the job', async () => {
    const { id, agent, post } = await busyAgent('st-p');
    const other = await agents.submit('st-p');
    await agent.next(forever);
    const { ended } = living(agent);
    await becomesOverdue('st-p', agent, id);
    for (const job of [id, other]) await post('job-done', job, '{"output":1}');
    expect(await ended).toBe(0);
    expect(await ports.jobs.read({ endpoint: 'st-p', id: other })).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  });

  it('does not delay the exit of the agent', async () => {
    const { agent } = await busyAgent('st-h');
    await agent.requeueAll();
    expect(await runUntilShutdown(agent, { log, asked: Promise.resolve() })).toBe(0);
  });
});
