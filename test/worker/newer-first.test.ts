/** Tests which worker takes a job while a release replaces workers that still run. */
import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import type { JobQueues } from '../../core/jobs/queues.ts';
import { ENDPOINT_CACHE, LEASE, SECOND } from '../../core/limits.ts';
import { NEWER_FIRST } from '../../core/workers/succession.ts';
import type { Agent } from '../../worker/agent/agent.ts';
import { releaseOf } from '../releases/settings.ts';
import { forever } from './agents.ts';
import { agents, emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

const numbered = (revision: number) => releaseOf(`arn:f:${revision}`);

useEmulatedAgents();

/** Sets the clock relative to that of the queues, which is the real one: messages sent now have this age. */
const setAge = (age: number) => emulated.clock.advance(Date.now() + age - emulated.clock.now());
const [YOUNG, OLD] = [-600 * SECOND, 600 * SECOND];

/** Deploys an endpoint that runs this many workers and releases revision 2. */
async function releasing(endpoint: string, minWorkers: number): Promise<void> {
  setAge(YOUNG);
  await emulated.deploy(endpoint, { minWorkers });
  await ports.endpoints.setRelease(endpoint, undefined, numbered(2));
}

/** Stores the lease of a worker of revision 2 that is ready, or still starting, and never asks for a job. */
async function newer(endpoint: string, { isReady = true } = {}): Promise<void> {
  const now = emulated.clock.now();
  const readySince = isReady ? now : null;
  const lease = { endpoint, worker: 'newer', jobs: [], revision: 2, readySince, idleSince: now };
  await ports.workers.beat({ ...lease, endsAt: now + 10_000 * LEASE, removeAfter: 1 });
}

/** A worker of revision 1. It pauses until the test lets it continue. */
async function older(endpoint: string) {
  const waits: number[] = [];
  const lengths: number[] = [];
  let reads = 0;
  let resume = () => {};
  let { promise: paused, resolve: pauses } = Promise.withResolvers<void>();
  const jobQueues: JobQueues = {
    ...ports.jobQueues,
    receive(queueUrl, max, wait, ...rest) {
      waits.push(wait);
      return ports.jobQueues.receive(queueUrl, max, wait, ...rest);
    },
  };
  const changed = portsWith(ports, {
    jobQueues,
    workers: Object.assign(Object.create(ports.workers), {
      listLately(id: string) {
        reads += 1;
        return ports.workers.listLately(id);
      },
    }),
  });
  const agent = await agents.start(endpoint, 'older', {
    revision: 1,
    ports: changed,
    async pause(length, signal) {
      lengths.push(length);
      const { promise, resolve } = Promise.withResolvers<void>();
      const before = resume;
      resume = () => {
        before();
        resolve();
      };
      signal.addEventListener('abort', () => resolve());
      pauses();
      await promise;
    },
  });
  return {
    agent,
    waits,
    lengths,
    reads: () => reads,
    /** Resolves when the worker pauses, or pauses already. */
    paused: () => paused,
    /** Ends all pauses. */
    resume() {
      ({ promise: paused, resolve: pauses } = Promise.withResolvers<void>());
      const end = resume;
      resume = () => {};
      end();
    },
  };
}

const statusOf = async (endpoint: string, id: string) => (await ports.jobs.read({ endpoint, id }))?.status;

describe('a worker of a stale revision', () => {
  it('leaves all jobs to a ready worker of the release that has room', async () => {
    await releasing('nf-a', 2);
    const takers: string[] = [];
    const ended = new AbortController();
    const taken = new Map<string, () => void>();
    const serve = async (name: string, agent: Agent) => {
      for (let offer = await agent.next(ended.signal); offer; offer = await agent.next(ended.signal)) {
        takers.push(name);
        await agent.report(offer.id, { output: '1' });
        taken.get(offer.id)?.();
      }
    };
    const older = await agents.start('nf-a', 'older', {
      revision: 1,
      // It asks again in the same turn, so that only the rule keeps it from the jobs.
      pause: () => new Promise((resolve) => setImmediate(resolve)),
    });
    const newer = await agents.start('nf-a', 'newer', { revision: 2 });
    const serving = [serve('newer', newer)];
    while (typeof (await ports.workers.read('nf-a', 'newer'))?.readySince !== 'number');
    serving.push(serve('older', older));
    for (let n = 0; n < 8; n += 1) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const id = await agents.submit('nf-a');
      taken.set(id, resolve);
      if ((await statusOf('nf-a', id)) !== 'COMPLETED') await promise;
    }
    ended.abort();
    await Promise.all(serving);
    expect(takers).toEqual(Array(8).fill('newer'));
  });

  it('takes a job that no worker of the release has taken in time, and asks in intervals', async () => {
    await releasing('nf-b', 2);
    await newer('nf-b');
    const { agent, waits, lengths, paused, resume } = await older('nf-b');
    const id = await agents.submit('nf-b');
    const next = agent.next(forever);
    await paused();
    expect(await statusOf('nf-b', id)).toBe('IN_QUEUE');
    expect(new Set(lengths)).toEqual(new Set([NEWER_FIRST]));
    const before = waits.length;
    setAge(OLD);
    resume();
    expect(await next).toMatchObject({ id });
    // From now on it competes with no worker that waits for a message.
    expect(new Set(waits.slice(before))).toEqual(new Set([0]));
  });

  it.each<[string, { isReady: boolean } | undefined]>([
    ['no worker of the release exists', undefined],
    ['no worker of the release is ready', { isReady: false }],
  ])('takes jobs immediately while %s', async (name, state) => {
    const endpoint = `nf-${name.includes('exists') ? 'c' : 'd'}`;
    await releasing(endpoint, 1);
    if (state) await newer(endpoint, state);
    const { agent, lengths } = await older(endpoint);
    for (let n = 0; n < 2; n += 1) {
      const id = await agents.submit(endpoint);
      expect(await agent.next(forever)).toMatchObject({ id });
    }
    expect(lengths).toEqual([]);
  });

  it('takes no job while the service has enough other workers, and takes jobs when one is gone', async () => {
    await releasing('nf-e', 1);
    await newer('nf-e');
    const { agent, waits, paused, resume } = await older('nf-e');
    const id = await agents.submit('nf-e');
    const next = agent.next(forever);
    await paused();
    const before = waits.length;
    setAge(OLD);
    await agent.beat();
    for (let n = 0; n < 3; n += 1) {
      resume();
      await paused();
    }
    expect(await statusOf('nf-e', id)).toBe('IN_QUEUE');
    expect(waits.slice(before).filter((wait) => wait > 0)).toEqual([]);
    await ports.workers.remove('nf-e', 'newer');
    emulated.clock.advance(ENDPOINT_CACHE);
    resume();
    expect(await next).toMatchObject({ id });
  });

  it('takes jobs again when its release is restored', async () => {
    await releasing('nf-f', 1);
    await newer('nf-f');
    const { agent, paused, resume } = await older('nf-f');
    const id = await agents.submit('nf-f');
    const next = agent.next(forever);
    await paused();
    const present = (await ports.endpoints.readNow('nf-f'))?.release;
    expect(await ports.endpoints.setRelease('nf-f', present, numbered(1))).toBe(true);
    emulated.clock.advance(ENDPOINT_CACHE);
    resume();
    expect(await next).toMatchObject({ id });
  });
});

describe('a worker of the wanted revision', () => {
  it('reads no leases to take jobs', async () => {
    setAge(YOUNG);
    await emulated.deploy('nf-g');
    await ports.endpoints.setRelease('nf-g', undefined, numbered(1));
    await newer('nf-g');
    const { agent, lengths, reads } = await older('nf-g');
    const id = await agents.submit('nf-g');
    expect(await agent.next(forever)).toMatchObject({ id });
    expect([reads(), lengths]).toEqual([0, []]);
  });
});
