/**
 * Tests how long calls of OpenAI clients wait, how often they read the job, and what ends them, with a clock that
 * tests advance.
 */

import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import type { Clock } from '../../core/clock.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import type { JobQueues } from '../../core/jobs/queues.ts';
import { MAX_ATTEMPTS, MINUTE, openAiLimits, policyLimits, REPORT_GRACE, SECOND } from '../../core/limits.ts';
import { answerCall, type OpenAiReply } from '../../core/openai/answer.ts';
import { TooManyRequests } from '../../core/requests/errors.ts';
import { append } from '../../core/streams/append.ts';
import type { Chunks } from '../../core/streams/store.ts';
import type { WaitSlots } from '../../core/waiting-calls/slots.ts';
import { finish } from '../../core/workers/report.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { eventually } from '../acceptance/local-service.ts';
import { takeJob } from '../jobs/scripted-job.ts';
import type { EmulatedDeployment } from '../support/emulated-deployment.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

interface Event {
  /** Returns the milliseconds since the call began. */
  readonly at: number;
  readonly happens: (job: RunningJob) => Promise<unknown>;
}

interface Course {
  readonly events?: readonly Event[];
  readonly config?: Parameters<EmulatedDeployment['deploy']>[1];
  /** Minimum length of a pause in milliseconds. A slow process reads less often. */
  readonly pause?: number;
  /** Number of the chunk during whose read the client disconnects. */
  readonly leavesAt?: number;
}

/** Starts a call whose job a worker takes immediately. The job changes while the call pauses. */
async function call(endpoint: string, body: string, { events = [], config = {}, pause = 0, leavesAt }: Course = {}) {
  await emulated.deploy(endpoint, config);
  const start = emulated.clock.now();
  const pending = [...events];
  let job: RunningJob | undefined;
  let slots = 0;
  const clock: Clock = {
    now: () => emulated.clock.now(),
    async pause(length) {
      emulated.clock.advance(Math.max(pause, length));
      while (job && pending[0] && emulated.clock.now() - start >= pending[0].at) await pending.shift()?.happens(job);
    },
  };
  const waitSlots: WaitSlots = {
    take: async (request) => {
      slots += 1;
      return { ...request, item: 'i', lease: 'l' };
    },
    release: async () => {
      slots -= 1;
    },
  };
  const http = { method: 'POST', path: 'v1/x', queryText: '', body: Buffer.from(body) };
  let id = '';
  const hooks = {
    mayBeStored: (stored: string) => {
      id = stored;
    },
    onParsed: () => undefined,
    onSubmitted: () => undefined,
  };
  // The job is taken before its call has read it, because the message is sent when the job is stored.
  const jobQueues: JobQueues = Object.create(ports.jobQueues, {
    send: {
      value: async (...sent: Parameters<JobQueues['send']>) => {
        await ports.jobQueues.send(...sent);
        job = await takeJob(ports, endpoint, id);
      },
    },
  });
  const leaving = new AbortController();
  const chunks: Chunks = Object.create(ports.chunks, {
    list: {
      async *value(...listed: Parameters<Chunks['list']>) {
        for await (const chunk of ports.chunks.list(...listed)) {
          if (chunk.number === leavesAt) leaving.abort();
          // The ingress has no memory for a client that has disconnected.
          if (leaving.signal.aborted) throw new Error('There was no memory for the output of the job.');
          yield chunk;
        }
      },
    },
  });
  const over = portsWith(ports, { clock, jobQueues, waitSlots, chunks });
  const reply = answerCall(over, { endpoint, owner: 'ada', gone: leaving.signal, ...http }, hooks);
  const passed = () => emulated.clock.now() - start;
  return { reply, passed, slots: () => slots, stored: () => ports.jobs.read({ endpoint, id }) };
}

const eventsIn = (reply: OpenAiReply) => {
  if ('events' in reply) return reply.events;
  throw new Error('The reply is not a stream.');
};

const SLOW = 15 * SECOND;

describe('a call from an OpenAI client', () => {
  it('waits for 10 minutes and then returns a 504 with the id of the job, which continues', async () => {
    const { reply, passed, slots, stored } = await call('oc-late', '{}', { pause: SLOW });
    await expect(reply).rejects.toMatchObject({ status: 504, isFinal: true, problem: { code: 'TIMEOUT' } });
    const job = await stored();
    await expect(reply).rejects.toThrow(`Job ${job?.id} has not ended after 10 minutes`);
    expect([job?.status, slots()]).toEqual(['IN_PROGRESS', 0]);
    expect(passed()).toBeGreaterThanOrEqual(openAiLimits.wait);
    expect(passed()).toBeLessThan(openAiLimits.wait + 2 * SLOW);
  });

  it('has the same time limit if it streams, whenever its last event arrived', async () => {
    const events = [{ at: 9 * MINUTE, happens: (job: RunningJob) => append(ports, job, 0, { output: '"data: 1"' }) }];
    const { reply, passed, slots } = await call('oc-late-stream', '{"stream":true}', { events, pause: SLOW });
    const texts = eventsIn(await reply);
    expect((await texts.next()).value).toBe('data: 1');
    await expect(texts.next()).rejects.toMatchObject({ status: 504 });
    expect(slots()).toBe(0);
    expect(passed()).toBeLessThan(openAiLimits.wait + 2 * SLOW);
  });

  it('returns a 500 that its client may retry, if every worker of its job was lost', async () => {
    const lose = async (job: RunningJob) => {
      await rescue(ports, job, 0, job.generation);
      for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1)
        await rescue(ports, await takeJob(ports, job.endpoint, job.id), 0, job.generation);
    };
    const { reply } = await call('oc-lost', '{}', { events: [{ at: SECOND, happens: lose }] });
    await expect(reply).rejects.toMatchObject({ status: 500, isFinal: false, problem: { code: 'WORKER_LOST' } });
  });

  it('returns a 504 that its client does not retry, if the job ran for too long', async () => {
    const config = { executionTimeout: policyLimits.executionTimeout.min };
    const { reply, passed } = await call('oc-timeout', '{}', { config });
    const problem = { code: 'EXECUTION_TIMEOUT', message: expect.stringContaining('executionTimeout') };
    await expect(reply).rejects.toMatchObject({ status: 504, isFinal: true, problem });
    expect(passed()).toBeLessThan(policyLimits.executionTimeout.min + REPORT_GRACE + 2 * SECOND);
  });

  it('is refused before anything is stored, if no slot is free', async () => {
    await emulated.deploy('oc-full');
    const waitSlots: WaitSlots = {
      take: async () => ({ of: 'endpoint', max: 400 }),
      release: async () => undefined,
    };
    const http = { method: 'POST', path: 'v1/x', queryText: '', body: Buffer.from('{}') };
    const hooks = { mayBeStored: () => undefined, onParsed: () => undefined, onSubmitted: () => undefined };
    const reply = answerCall(portsWith(ports, { waitSlots }), { endpoint: 'oc-full', owner: 'ada', ...http }, hooks);
    await expect(reply).rejects.toThrow(TooManyRequests);
    expect(await Array.fromAsync(ports.jobs.list('oc-full'))).toEqual([]);
  });
});

describe('a stream for an OpenAI client', () => {
  it('cancels its job if the client disconnects while an event is read', async () => {
    const happens = async (job: RunningJob) => {
      await append(ports, job, 0, { output: '"data: 1"' });
      await append(ports, job, 1, { output: '"data: 2"' });
    };
    const course = { events: [{ at: SECOND, happens }], leavesAt: 1 };
    const { reply, slots, stored } = await call('oc-gone', '{"stream":true}', course);
    const texts = eventsIn(await reply);
    expect((await texts.next()).value).toBe('data: 1');
    await texts.next().catch(() => undefined);
    await eventually('the job is cancelled', async () => (await stored())?.status === 'CANCELLED' || undefined);
    expect(slots()).toBe(0);
  });

  it('lets its job end if the client disconnects at the last event', async () => {
    const happens = (job: RunningJob) => append(ports, job, 0, { output: '"data: 1\\n\\ndata: [DONE]\\n\\n"' });
    const { reply, slots, stored } = await call('oc-done', '{"stream":true}', { events: [{ at: SECOND, happens }] });
    const texts = eventsIn(await reply);
    expect((await texts.next()).value).toContain('[DONE]');
    await texts.return?.();
    expect([(await stored())?.status, slots()]).toEqual(['IN_PROGRESS', 0]);
  });

  it('returns an error like a call without a stream if a worker streams an error', async () => {
    const error = { object: 'error', message: 'No model', code: 404 };
    const happens = (job: RunningJob) => append(ports, job, 0, { output: JSON.stringify(error) });
    const { reply } = await call('oc-error', '{"stream":true}', { events: [{ at: SECOND, happens }] });
    await expect(reply).rejects.toMatchObject({ status: 404, problem: { message: 'No model' } });
  });

  it('sends each event soon after it is stored while events keep arriving', async () => {
    const times = Array.from({ length: 4 }, (_, n) => 4_237 * (n + 1));
    const events: Event[] = times.map((at, n) => ({
      at,
      happens: (job) => append(ports, job, n, { output: `"data: ${n}\\n\\n"` }),
    }));
    const last = times.length;
    events.push({ at: 20_000, happens: (job) => finish(ports, job, { output: '[]', chunks: last }) });
    const { reply, passed, slots } = await call('oc-soon', '{"stream":true}', { events });
    const texts = eventsIn(await reply);
    const delays: number[] = [];
    for (const [n, at] of times.entries()) {
      expect((await texts.next()).value).toBe(`data: ${n}\n\n`);
      delays.push(passed() - at);
    }
    expect(Math.max(...delays)).toBeLessThan(200);
    expect([(await texts.next()).done, slots()]).toEqual([true, 0]);
  });
});
