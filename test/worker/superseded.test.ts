/** Tests how many ready workers an endpoint has while a release replaces them, with agents on the local ECS. */
import { describe, expect, it } from '@jest/globals';
import { BEAT, ENDPOINT_CACHE, LEASE } from '../../core/limits.ts';
import { health } from '../../core/status/health.ts';
import { revision, smallEcs } from '../../packages/emulator/test/ecs/small-ecs.ts';
import { type Protection, ProtectionBlocked } from '../../worker/agent/protection.ts';
import { releaseOf } from '../releases/settings.ts';
import { forever } from './agents.ts';
import { agents, emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

const numbered = (number: number) => releaseOf(`arn:f:${number}`);

/** Deploys an endpoint with this many workers, which run on the local ECS. */
async function fleetOf(endpoint: string, maxWorkers: number) {
  await emulated.deploy(endpoint, { maxWorkers });
  await ports.endpoints.setDesired(endpoint, undefined, maxWorkers);
  await ports.endpoints.setRelease(endpoint, undefined, numbered(1));
  const ecs = smallEcs(maxWorkers, { service: { taskDefinition: revision(1) } });
  const { service, tasks } = ecs;

  function protectionOf(task: (typeof tasks)[number]): Protection {
    let since: number | undefined;
    const protect = async () => {
      const refusal = service.protect(task, 10);
      if (refusal) throw new ProtectionBlocked(refusal);
      since ??= emulated.clock.now();
    };
    return {
      protect,
      since: () => since,
      async keep(wanted) {
        if (wanted) return since === undefined ? undefined : protect();
        since = undefined;
        service.protect(task, undefined);
      },
    };
  }

  /** Starts the agents of the tasks of a revision. Their containers ask for a job, which each promises. */
  async function run(number: number) {
    const its = tasks.filter(({ taskDefinition }) => taskDefinition.arn === revision(number).arn);
    for (const task of its) task.run();
    return Promise.all(
      its.map(async (task) => {
        const worker = `w${tasks.indexOf(task)}`;
        const protection = protectionOf(task);
        const agent = await agents.start(endpoint, worker, { revision: number, concurrency: 1, protection });
        const offer = agent.next(forever);
        while (typeof (await ports.workers.read(endpoint, worker))?.readySince !== 'number');
        return { agent, offer, task };
      }),
    );
  }

  /**
   * Watches the workers once, as their timers do, and ends those that ECS stops.
   * @returns the number of these
   */
  async function watch(workers: Awaited<ReturnType<typeof run>>): Promise<number> {
    emulated.clock.advance(ENDPOINT_CACHE);
    for (const { agent } of workers) await agent.watch();
    const stopped = workers.filter(({ task }) => task.stops.length > 0);
    await Promise.all(stopped.map(({ agent }) => agent.drain(0)));
    return stopped.length;
  }

  const ready = async () => (await health(ports, endpoint)).workers.ready;
  return { service, run, watch, ready };
}

describe('a release of an endpoint whose workers are protected', () => {
  it('has at most twice as many ready workers, and ECS stops old ones as soon as they have no job', async () => {
    const maxWorkers = 3;
    const { service, run, watch, ready } = await fleetOf('su-a', maxWorkers);
    const old = await run(1);
    const jobs = await Promise.all(old.map(() => agents.submit('su-a')));
    const offers = await Promise.all(old.map(({ offer }) => offer));
    expect(new Set(offers.map((offer) => offer?.id))).toEqual(new Set(jobs));
    const end = async (n: number) => old[n]?.agent.report(offers[n]?.id ?? '', { output: '1' });
    await Promise.all([end(0), end(1)]);
    expect(await watch(old)).toBe(0);

    const present = (await ports.endpoints.readNow('su-a'))?.release;
    await ports.endpoints.setRelease('su-a', present, numbered(2));
    service.update({ taskDefinition: revision(2) });
    await run(2);
    expect(await ready()).toBe(2 * maxWorkers);

    // Their idle timeout has hardly begun, and no job was sent from which they could see the release.
    emulated.clock.advance(BEAT);
    expect(await watch(old)).toBe(2);
    expect(await ready()).toBe(maxWorkers + 1);
    expect(service.deployments()[0]?.rolloutState).toBe('IN_PROGRESS');

    await end(2);
    expect(await watch(old)).toBe(3);
    expect(await ready()).toBe(maxWorkers);
    expect(service.deployments()[0]?.rolloutState).toBe('COMPLETED');
  });

  it('keeps the old workers protected until new ones are ready, as many as are needed', async () => {
    const { service, run, watch } = await fleetOf('su-b', 2);
    const old = await run(1);
    const jobs = await Promise.all(old.map(() => agents.submit('su-b')));
    const offers = await Promise.all(old.map(({ offer }) => offer));
    expect(offers).toHaveLength(jobs.length);
    for (const [n, { agent }] of old.entries()) await agent.report(offers[n]?.id ?? '', { output: '1' });
    const present = (await ports.endpoints.readNow('su-b'))?.release;
    await ports.endpoints.setRelease('su-b', present, numbered(2));
    service.update({ taskDefinition: revision(2) });
    emulated.clock.advance(BEAT);
    expect(await watch(old)).toBe(0);

    const now = emulated.clock.now();
    const lease = { endpoint: 'su-b', worker: 'w2', jobs: [], revision: 2, readySince: now, idleSince: now };
    await ports.workers.beat({ ...lease, endsAt: now + LEASE, removeAfter: 1 });
    const protectedOld = () => old.filter(({ task }) => service.protectedUntil(task) !== undefined).length;
    expect(await watch(old)).toBe(0);
    expect(protectedOld()).toBe(1);
  });
});
