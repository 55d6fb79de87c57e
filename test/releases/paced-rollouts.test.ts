/** Tests the release of a template to many endpoints, which ECS does not accept at once. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { LEASE, MINUTE, SECOND } from '../../core/limits.ts';
import { RELEASED_AT_ONCE, rollout } from '../../core/releases/template-rollout.ts';
import { RELEASES_BEGIN, sweep } from '../../core/sweeper/sweep.ts';
import { startJob } from '../jobs/scripted-job.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { atRates, deployMany, imagesOf } from './paced-rollouts.ts';
import {
  type RollingEndpoint,
  type RollingPorts,
  type RollingServices,
  startRollingServices,
} from './rolling-service.ts';

/** Buckets are filled ten times as fast as in AWS. `paced-rollouts.long.ts` has the rates of AWS. */
const speed = 10;
const COUNT = 30;

const emulated = useEmulatedDeployment();
let services: RollingServices;
let many: Awaited<ReturnType<typeof deployMany>>;

beforeAll(async () => {
  services = await startRollingServices(emulated);
  many = await deployMany(services, 'paced', COUNT);
}, 180_000);
afterAll(() => services.stop());

/**
 * Changes the image of the template.
 * @returns its id
 */
async function edit(imageName: string): Promise<string> {
  const [{ template, ...first }] = many;
  await first.edit({ imageName });
  return template;
}

const registered = (endpoints: readonly RollingEndpoint[]) =>
  endpoints.reduce((sum, { active }) => sum + active().length, 0);

/**
 * Returns ports of a process in which each call to ECS takes a time of the injected clock. Like a function at its
 * timeout, the process takes no step after `until`, and calls under way have no answer.
 */
function cutOffAt(until: number, callTime: number) {
  const atOnce = new Map<string, number>();
  let isCut: () => void = () => undefined;
  const cut = new Promise<void>((resolve) => {
    isCut = resolve;
  });
  /** Maximum number of concurrent calls, by operation. */
  const maxAtOnce = new Map<string, number>();
  const count = (name: string, by: number) => {
    const now = (atOnce.get(name) ?? 0) + by;
    atOnce.set(name, now);
    maxAtOnce.set(name, Math.max(now, maxAtOnce.get(name) ?? 0));
  };
  const never = () => {
    isCut();
    return new Promise<never>(() => undefined);
  };
  const timed = <Part extends object>(part: Part, names: readonly string[], time: number): Part => {
    const methods = names.map((name) => {
      const real = Reflect.get(part, name) as (...inputs: unknown[]) => Promise<unknown>;
      const value = async (...inputs: unknown[]) => {
        if (emulated.clock.now() >= until) return never();
        count(name, 1);
        try {
          return await real.apply(part, inputs);
        } finally {
          count(name, -1);
          emulated.clock.advance(time);
          if (emulated.clock.now() >= until) await never();
        }
      };
      return [name, { value }] as const;
    });
    return Object.create(part, Object.fromEntries(methods)) as Part;
  };
  const { endpoints, revisions, history } = services.ports;
  const ports: RollingPorts = portsWith(services.ports, {
    endpoints: timed(endpoints, ['setRelease', 'saveFleet', 'readNow'], 0),
    revisions: timed(revisions, ['read', 'register', 'deregister', 'currentDeployment', 'deploy'], callTime),
    history: timed(history, ['begin', 'end', 'retire'], 0),
  });
  return { ports, cut, maxAtOnce };
}

/**
 * Runs until the action ends or is cut off after a minute.
 * @returns whether it ended
 */
async function inOneMinute(act: (ports: RollingPorts) => Promise<unknown>) {
  const { ports, cut, maxAtOnce } = cutOffAt(emulated.clock.now() + MINUTE, SECOND);
  const ended = await Promise.race([act(ports).then(() => true), cut.then(() => false)]);
  emulated.clock.advance(1);
  return { ended, maxAtOnce };
}

describe('a template of many endpoints', () => {
  it('is released to all of them while ECS refuses calls, and to a few at once', async () => {
    const template = await edit('image:2');
    const { result, figures } = await atRates(services, { speed, spent: true }, (ports) => rollout(ports, [template]));
    expect(result).toMatchObject({ status: 'fulfilled', value: { length: COUNT } });
    expect(imagesOf(many)).toEqual({ 'image:2': COUNT });
    // ECS has refused calls. No endpoint has a revision that it does not need.
    expect(figures.throttled).toBeGreaterThan(0);
    expect(figures.maxAtOnce).toBeLessThanOrEqual(RELEASED_AT_ONCE);
    expect(registered(many)).toBe(COUNT);
  }, 180_000);

  it('is released by the next run to endpoints whose release has failed', async () => {
    const template = await edit('image:3');
    const fails = (operation: string, body: string) =>
      operation === 'RegisterTaskDefinition' && /"Endpoint-paced-[0-4]"/.test(body);
    const { result } = await atRates(services, { speed: 1_000, fails }, (ports) => rollout(ports, [template]));
    expect(result).toMatchObject({ status: 'rejected', reason: { errors: { length: 5 } } });
    expect(imagesOf(many)).toEqual({ 'image:2': 5, 'image:3': COUNT - 5 });
    await rollout(services.ports, [template]);
    expect(imagesOf(many)).toEqual({ 'image:3': COUNT });
    expect(registered(many)).toBe(COUNT);
  }, 180_000);

  it('is released by the following runs if each run is cut off after a minute', async () => {
    const template = await edit('image:4');
    const released: number[] = [0];
    for (let run = 1; imagesOf(many)['image:4'] !== COUNT; run += 1) {
      expect(run).toBeLessThanOrEqual(8);
      const { ended, maxAtOnce } = await inOneMinute((ports) => rollout(ports, [template]));
      const now = imagesOf(many)['image:4'] ?? 0;
      expect(maxAtOnce.get('register')).toBeLessThanOrEqual(RELEASED_AT_ONCE);
      // Each run continues where the last one was cut off.
      expect(now).toBeGreaterThan(released.at(-1) ?? 0);
      expect(ended).toBe(now === COUNT);
      released.push(now);
    }
    // One run is not enough.
    expect(released.length).toBeGreaterThan(2);
    for (const endpoint of many) expect(endpoint.active().at(-1)).toBe(endpoint.runs());
    // A run that is cut off leaves at most the revisions that it was about to store.
    expect(registered(many)).toBeLessThanOrEqual(COUNT + RELEASED_AT_ONCE * released.length);
  }, 180_000);
});

describe('a sweep while releases are due to many endpoints', () => {
  it('requeues the jobs of lost workers before it begins the releases, a few at once', async () => {
    await edit('image:5');
    const jobs: string[] = [];
    for (const { id } of many.slice(0, 3)) {
      const job = await startJob(services.ports, id, {}, 'lost');
      const endsAt = emulated.clock.now() + LEASE;
      await services.ports.workers.beat({
        endpoint: id,
        worker: 'lost',
        jobs: [job.id],
        readySince: 1,
        endsAt,
        removeAfter: 1,
      });
      jobs.push(job.id);
    }
    emulated.clock.advance(LEASE + 1);
    const requeuedAt: number[] = [];
    const { ports: timedPorts, maxAtOnce } = cutOffAt(Number.POSITIVE_INFINITY, SECOND);
    const registers: number[] = [];
    let firstAt: number | undefined;
    const revisions = Object.create(timedPorts.revisions, {
      register: {
        value: (...inputs: Parameters<RollingPorts['revisions']['register']>) => {
          firstAt ??= emulated.clock.now();
          registers.push(requeuedAt.length);
          return timedPorts.revisions.register(...inputs);
        },
      },
    }) as RollingPorts['revisions'];
    const jobQueues = Object.create(services.ports.jobQueues, {
      send: {
        value: (...inputs: Parameters<RollingPorts['jobQueues']['send']>) => {
          requeuedAt.push(emulated.clock.now());
          return services.ports.jobQueues.send(...inputs);
        },
      },
    }) as RollingPorts['jobQueues'];
    const swept = await sweep(portsWith(timedPorts, { revisions, jobQueues }));
    expect(swept).toMatchObject({ requeued: 3, failed: {} });
    expect(registers.every((requeued) => requeued >= 3)).toBe(true);
    expect(maxAtOnce.get('register')).toBeLessThanOrEqual(RELEASED_AT_ONCE);
    expect(maxAtOnce.get('deploy')).toBeLessThanOrEqual(RELEASED_AT_ONCE);
    // The sweep leaves the rest to the next one.
    const first = imagesOf(many)['image:5'] ?? 0;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(COUNT);
    expect(emulated.clock.now() - (firstAt ?? 0)).toBeLessThan(RELEASES_BEGIN + RELEASED_AT_ONCE * 10 * SECOND);
    for (let run = 1; imagesOf(many)['image:5'] !== COUNT; run += 1) {
      expect(run).toBeLessThanOrEqual(10);
      emulated.clock.advance(MINUTE);
      await sweep(cutOffAt(Number.POSITIVE_INFINITY, SECOND).ports);
    }
    for (const endpoint of many) expect(endpoint.active().at(-1)).toBe(endpoint.runs());
  }, 180_000);
});
