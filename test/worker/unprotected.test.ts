/** Tests a worker that ECS refuses to protect because it already protects as many tasks as the service desires. */
import { describe, expect, it } from '@jest/globals';
import { type Ports, portsWith } from '../../aws/ports.ts';
import type { Release } from '../../core/endpoints/release.ts';
import { SCALE_IN_LASTS } from '../../core/limits.ts';
import type { Lease } from '../../core/workers/lease.ts';
import { ProtectionBlocked } from '../../worker/agent/protection.ts';
import { eventually } from '../acceptance/local-service.ts';
import { releaseOf } from '../releases/settings.ts';
import { forever, IDLE_TIMEOUT } from './agents.ts';
import { agents, emulated, useEmulatedAgents } from './emulated-agents.ts';

const REVISION = 7;

useEmulatedAgents();

/** How ECS answers the worker. */
class Ecs {
  error: Error | undefined = new ProtectionBlocked('DEPLOYMENT_BLOCKED');
  asked = 0;
  #since: number | undefined;
  readonly since = () => this.#since;
  readonly protect = async () => {
    this.asked += 1;
    if (this.error) throw this.error;
    this.#since ??= emulated.clock.now();
  };
  readonly keep = (wanted: boolean) => (wanted ? this.protect().catch(() => undefined) : Promise.resolve());
}

interface Situation {
  readonly release?: Partial<Release>;
  readonly ports?: (ports: Ports) => Ports;
}

/**
 * Starts a worker of `REVISION`. Its endpoint is rolling out that revision, unless the situation sets another
 * release.
 */
async function start(endpoint: string, ecs: Ecs, { release: differences, ports = (its) => its }: Situation = {}) {
  await emulated.deploy(endpoint);
  await emulated.ports.endpoints.setRelease(endpoint, undefined, releaseOf(`arn:family:${REVISION}`, differences));
  const { promise: paused, resolve: pauses } = Promise.withResolvers<void>();
  const pause = async (_: number, signal: AbortSignal) => {
    pauses();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  };
  const settings = { protection: ecs, pause, ports: ports(emulated.ports), revision: REVISION };
  const agent = await agents.start(endpoint, 'w1', settings);
  return { agent, paused };
}

/**
 * Submits a job that the worker does not take.
 * @returns the job's id
 */
async function leaves(endpoint: string, { agent, paused }: Awaited<ReturnType<typeof start>>): Promise<string> {
  const id = await agents.submit(endpoint);
  const ended = new AbortController();
  const offered = agent.next(ended.signal);
  await paused;
  expect(await statusOf(endpoint, id)).toBe('IN_QUEUE');
  ended.abort();
  expect(await offered).toBeUndefined();
  return id;
}

const leaseOf = (endpoint: string) => emulated.ports.workers.read(endpoint, 'w1');
const statusOf = async (endpoint: string, id: string) => (await emulated.ports.jobs.read({ endpoint, id }))?.status;

describe('a worker that ECS refuses to protect', () => {
  it('takes jobs during its release, after its lease shows that it works unprotected', async () => {
    const seen: unknown[] = [];
    const watched = (ports: Ports) =>
      portsWith(ports, {
        endpoints: Object.assign(Object.create(ports.endpoints), {
          async readNow(id: string) {
            seen.push((await leaseOf(id))?.unprotected, await statusOf(id, jobs[0] ?? ''));
            return ports.endpoints.readNow(id);
          },
        }),
      });
    const ecs = new Ecs();
    const { agent } = await start('un-a', ecs, { ports: watched });
    const jobs = [await agents.submit('un-a'), await agents.submit('un-a')];
    const taken = [await agent.next(forever), await agent.next(forever)].map((offer) => offer?.id);
    expect(new Set(taken)).toEqual(new Set(jobs));
    expect(seen).toEqual(['WORKS', 'IN_QUEUE']);
    // The second take neither asked ECS nor stored a lease.
    expect(ecs.asked).toBe(1);
  });

  it.each<[string, Partial<Release>]>([
    ['is complete', { state: 'COMPLETED' }],
    ['is of another revision', { revision: 'arn:family:8' }],
  ])('takes no jobs if the release %s, and its lease shows that it waits', async (name, differences) => {
    const endpoint = `un-${name.replaceAll(' ', '-')}`;
    await leaves(endpoint, await start(endpoint, new Ecs(), { release: differences }));
    expect((await leaseOf(endpoint))?.unprotected).toBe('WAITS');
  });

  it('takes no jobs within 15 s after a scale-in has begun, and takes jobs afterwards', async () => {
    const worker = await start('un-s', new Ecs());
    await emulated.ports.endpoints.setScaleIn('un-s', emulated.clock.now());
    const id = await leaves('un-s', worker);
    emulated.clock.advance(SCALE_IN_LASTS + 1);
    expect(await worker.agent.next(forever)).toMatchObject({ id });
  });

  it('takes no jobs if ECS refuses for another reason', async () => {
    const ecs = new Ecs();
    ecs.error = new Error('ServerException');
    await leaves('un-o', await start('un-o', ecs));
  });

  it('takes no jobs while its lease could not be stored', async () => {
    let failures = 0;
    const failing = (ports: Ports) =>
      portsWith(ports, {
        workers: Object.assign(Object.create(ports.workers), {
          async beat(lease: Lease) {
            if (lease.unprotected && failures === 0) {
              failures += 1;
              throw new Error('no answer');
            }
            return ports.workers.beat(lease);
          },
        }),
      });
    const { agent } = await start('un-b', new Ecs(), { ports: failing });
    const id = await agents.submit('un-b');
    const offered = agent.next(forever);
    await eventually('the lease could not be stored', () => failures > 0 || undefined, { every: 5 });
    // The message of the first job becomes visible later, as after any failed take.
    const second = await agents.submit('un-b');
    expect(await offered).toMatchObject({ id: second });
    expect(await statusOf('un-b', id)).toBe('IN_QUEUE');
    expect((await leaseOf('un-b'))?.unprotected).toBe('WORKS');
  });

  it('has `WORKS` in its lease until ECS protects it', async () => {
    const ecs = new Ecs();
    const { agent } = await start('un-p', ecs);
    await agents.submit('un-p');
    await agent.next(forever);
    await agent.watch();
    await agent.beat();
    expect((await leaseOf('un-p'))?.unprotected).toBe('WORKS');
    ecs.error = undefined;
    await agent.watch();
    await agent.beat();
    expect(await leaseOf('un-p')).not.toHaveProperty('unprotected');
    expect(ecs.since()).toBe(emulated.clock.now());
  });

  it('has `WORKS` in its lease until it has no job, and again before the next job', async () => {
    const ecs = new Ecs();
    const { agent } = await start('un-i', ecs);
    const id = await agents.submit('un-i');
    await agent.next(forever);
    await agent.report(id, { output: '1' });
    await agent.watch();
    await agent.beat();
    expect(await leaseOf('un-i')).not.toHaveProperty('unprotected');
    await agents.submit('un-i');
    await agent.next(forever);
    expect((await leaseOf('un-i'))?.unprotected).toBe('WORKS');
  });

  it('has `WAITS` removed from its lease when it has been idle for the idle timeout', async () => {
    const worker = await start('un-l', new Ecs(), { release: { state: 'COMPLETED' } });
    await leaves('un-l', worker);
    const { agent } = worker;
    await agent.watch();
    await agent.beat();
    expect((await leaseOf('un-l'))?.unprotected).toBe('WAITS');
    emulated.clock.advance(IDLE_TIMEOUT);
    await agent.watch();
    await agent.beat();
    expect(await leaseOf('un-l')).not.toHaveProperty('unprotected');
  });
});
