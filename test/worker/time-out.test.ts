/** What becomes of the results, chunks and progress of a job that runs for longer than its `executionTimeout`. */
import { describe, expect, it } from '@jest/globals';
import { type Ports, portsWith } from '../../aws/ports.ts';
import type { Jobs } from '../../core/jobs/store.ts';
import { REPORT_GRACE } from '../../core/limits.ts';
import { status } from '../../core/status/status.ts';
import { stream } from '../../core/streams/stream.ts';
import { busyAgent } from './busy-agent.ts';
import { emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

const TIMEOUT = 6_000;
const body = `{"input":{},"policy":{"executionTimeout":${TIMEOUT}}}`;
const timedOut = { status: 'TIMED_OUT', code: 'EXECUTION_TIMEOUT', executionTime: TIMEOUT };

const statusOf = async (endpoint: string, id: string) => JSON.parse(String(await status(ports, { endpoint, id })));

async function chunksOf(endpoint: string, id: string): Promise<unknown[]> {
  let text = '';
  for await (const piece of await stream(ports, { endpoint, id })) text += piece;
  return (JSON.parse(text) as { output: unknown }[]).map(({ output }) => output);
}

/** Ports that take time to store how a job ended. */
function slowPorts(milliseconds: number): Ports {
  const jobs = Object.create(ports.jobs) as Jobs;
  jobs.report = (name, key, facts) => {
    emulated.clock.advance(milliseconds);
    return ports.jobs.report(name, key, facts);
  };
  return portsWith(ports, { jobs });
}

describe('the time-out of a running job', () => {
  it.each([
    ['a result', '{"output":1}'],
    ['an error', '{"error":"no"}'],
    ['a result that cannot be read', '{"output":'],
  ])('ends the job at once if its worker reports %s a millisecond later', async (what, report) => {
    const endpoint = `to-a${what.length}`;
    const { id, post } = await busyAgent(endpoint, { body });
    emulated.clock.advance(TIMEOUT + 1);
    expect((await post('job-done', id, report)).status).toBe(200);
    expect(await statusOf(endpoint, id)).toMatchObject(timedOut);
  });

  it('does not end a job whose worker returned its result in time, although storing the result lasts longer', async () => {
    const { id, post } = await busyAgent('to-b', { body, ports: slowPorts(REPORT_GRACE) });
    emulated.clock.advance(TIMEOUT);
    await post('job-done', id, '{"output":1}');
    expect(await statusOf('to-b', id)).toMatchObject({ status: 'COMPLETED', output: 1, executionTime: TIMEOUT });
  });

  it('ends the job although the system’s clock was set back while the job ran', async () => {
    let elapsed = 0;
    const { id, post } = await busyAgent('to-c', { body, elapsed: () => elapsed });
    emulated.clock.advance(1_000);
    elapsed = TIMEOUT + 1;
    await post('job-done', id, '{"output":1}');
    expect(await statusOf('to-c', id)).toMatchObject(timedOut);
  });

  it('ends the job when its agent checks it next, without a grace', async () => {
    const { id, agent } = await busyAgent('to-d', { body });
    emulated.clock.advance(TIMEOUT);
    await agent.watch();
    expect(await statusOf('to-d', id)).toMatchObject({ status: 'IN_PROGRESS' });
    emulated.clock.advance(1);
    await agent.watch();
    expect(await statusOf('to-d', id)).toMatchObject(timedOut);
  });

  it('ends the job if its worker gives up the job later, so that the job does not run again', async () => {
    const { id, agent } = await busyAgent('to-e', { body });
    emulated.clock.advance(TIMEOUT + 1);
    await agent.requeueAll();
    expect(await statusOf('to-e', id)).toMatchObject({ ...timedOut, attempts: 1 });
  });

  it('refuses later chunks and progress, and keeps earlier chunks until the job ends', async () => {
    const { id, post, read } = await busyAgent('to-f', { body });
    await post('job-stream', id, '{"output":"in time"}');
    emulated.clock.advance(TIMEOUT + 1);
    const late = await post('job-stream', id, '{"output":"late"}');
    const reason = `the job has run for longer than its executionTimeout of ${TIMEOUT} ms`;
    expect(await late.json()).toEqual({ dropped: `The chunk is not stored, because ${reason}.` });
    await post('job-done', id, '{"output":50,"status":"IN_PROGRESS"}');
    expect(await read(id)).not.toHaveProperty('output');
    expect(await chunksOf('to-f', id)).toEqual(['in time']);
  });
});

describe('executionTime', () => {
  it('never exceeds the time-out and never decreases, before and after the end of a job', async () => {
    const { id } = await busyAgent('to-g', { body });
    const times: [string, number][] = [];
    for (const step of [TIMEOUT - 1, 1, 1, REPORT_GRACE - 1, 1, 60_000]) {
      emulated.clock.advance(step);
      const { status: is, executionTime } = await statusOf('to-g', id);
      times.push([is, executionTime]);
    }
    expect(times).toEqual([
      ['IN_PROGRESS', TIMEOUT - 1],
      ['IN_PROGRESS', TIMEOUT],
      ['IN_PROGRESS', TIMEOUT],
      ['IN_PROGRESS', TIMEOUT],
      ['TIMED_OUT', TIMEOUT],
      ['TIMED_OUT', TIMEOUT],
    ]);
  });

  it('contains the time in which the output of the job was stored', async () => {
    const { id, post } = await busyAgent('to-h', { ports: slowObjects(300) });
    emulated.clock.advance(1_000);
    await post('job-done', id, JSON.stringify({ output: 'x'.repeat(10_000) }));
    expect(await statusOf('to-h', id)).toMatchObject({ status: 'COMPLETED', executionTime: 1_300 });
  });
});

/** Ports that take time to store a large output, during which readers see the job run. */
function slowObjects(milliseconds: number): Ports {
  const objects = Object.create(ports.objects) as Ports['objects'];
  objects.write = (key, bytes) => {
    emulated.clock.advance(milliseconds);
    return ports.objects.write(key, bytes);
  };
  return portsWith(ports, { objects });
}
