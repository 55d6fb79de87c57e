/**
 * Tests that a stream retry, an event or a sweep completes a release whose process died between any two of its
 * steps.
 */

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { MINUTE } from '../../core/limits.ts';
import { follow } from '../../core/releases/follow.ts';
import { release } from '../../core/releases/release.ts';
import { rollout } from '../../core/releases/template-rollout.ts';
import { sweepReleases } from '../../core/sweeper/sweep.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import {
  type RollingEndpoint,
  type RollingPorts,
  type RollingServices,
  startRollingServices,
} from './rolling-service.ts';

const emulated = useEmulatedDeployment();
let services: RollingServices;

beforeAll(async () => {
  services = await startRollingServices(emulated);
});
afterAll(() => services.stop());

class Crash extends Error {
  override readonly name = 'Crash';
}

/** @returns ports whose process dies after its nth write to AWS, and whether it has died */
function dyingAfter(nth: number): { readonly ports: RollingPorts; readonly hasDied: () => boolean } {
  let writes = 0;
  const counted = <Part extends object>(part: Part, names: readonly string[]): Part => {
    const methods = names.map((name) => {
      const real = Reflect.get(part, name) as (...inputs: unknown[]) => Promise<unknown>;
      const value = async (...inputs: unknown[]) => {
        if (writes >= nth) throw new Crash();
        const answer = await real.apply(part, inputs);
        writes += 1;
        if (writes === nth) throw new Crash();
        return answer;
      };
      return [name, { value }] as const;
    });
    return Object.create(part, Object.fromEntries(methods)) as Part;
  };
  const { endpoints, revisions, history } = services.ports;
  const ports = portsWith(services.ports, {
    endpoints: counted(endpoints, ['setRelease', 'saveFleet']),
    revisions: counted(revisions, ['register', 'deregister', 'deploy']),
    history: counted(history, ['begin', 'end', 'retire']),
  });
  return { ports, hasDied: () => writes >= nth };
}

/** Continues the release as a retry of the stream does. */
const stream = ({ template }: RollingEndpoint) => rollout(services.ports, [template]);
async function nextSweep({ id }: RollingEndpoint): Promise<void> {
  emulated.clock.advance(MINUTE);
  const endpoint = await services.ports.endpoints.readNow(id);
  if (endpoint && (await sweepReleases(services.ports, endpoint))) await release(services.ports, id);
}

/**
 * Repeats an action with processes that die after the first write, after the second, and so on, until none dies.
 * @returns number of processes that died
 */
async function dieEverywhere(
  name: string,
  goOn: (endpoint: RollingEndpoint) => Promise<unknown>,
  prepare: (id: string) => Promise<RollingEndpoint>,
  act: (endpoint: RollingEndpoint, ports: RollingPorts) => Promise<unknown>,
  check: (endpoint: RollingEndpoint) => Promise<void>,
): Promise<number> {
  let died = 0;
  for (let nth = 1; ; nth += 1) {
    const endpoint = await prepare(`${name}-${nth}`);
    const { ports, hasDied } = dyingAfter(nth);
    await act(endpoint, ports).catch((error: unknown) => {
      if (!hasDied()) throw error;
    });
    if (!hasDied()) return died;
    died += 1;
    await goOn(endpoint);
    await check(endpoint);
  }
}

async function complete(id: string): Promise<RollingEndpoint> {
  const endpoint = await services.deploy(id, 1);
  await endpoint.ready();
  return endpoint;
}

/**
 * Returns the newest active revision. A dead process can leave an unrecorded revision, but never as the newest.
 */
const newest = (endpoint: RollingEndpoint) => endpoint.active().at(-1);

describe('the process that continues a release', () => {
  it.each([
    ['a retry of the stream', 'stream', stream],
    ['a sweep', 'sweep', nextSweep],
  ])('completes an interrupted update if it is %s', async (_, name, goOn) => {
    const prepare = async (id: string) => {
      const endpoint = await complete(id);
      await endpoint.update({ imageName: 'image:2' });
      await endpoint.edit({ imageName: 'image:3' });
      return endpoint;
    };
    const act = ({ template }: RollingEndpoint, ports: RollingPorts) => rollout(ports, [template]);
    const died = await dieEverywhere(`update-${name}`, goOn, prepare, act, async (endpoint) => {
      const release = await endpoint.release();
      expect(endpoint.imageOf(endpoint.runs())).toBe('image:3');
      expect(newest(endpoint)).toBe(endpoint.runs());
      expect(release).toMatchObject({ state: 'IN_PROGRESS', settledAt: expect.any(Number) });
      expect(await endpoint.history()).toEqual([
        `${endpoint.runs()} v3 IN_PROGRESS`,
        '2 v2 SUPERSEDED',
        '1 v1 COMPLETED',
      ]);
      await endpoint.hear();
      await endpoint.ready();
      expect((await endpoint.history())[0]).toBe(`${endpoint.runs()} v3 COMPLETED`);
    });
    expect(died).toBe(7);
  });

  it('completes an interrupted rollback', async () => {
    const prepare = async (id: string) => {
      const endpoint = await complete(id);
      await endpoint.update({ imageName: 'image:2' });
      for (let n = 0; n < 2; n += 1) await endpoint.exits();
      return endpoint;
    };
    const act = (endpoint: RollingEndpoint, ports: RollingPorts) => endpoint.exits(undefined, ports);
    const died = await dieEverywhere('back', nextSweep, prepare, act, async (endpoint) => {
      expect([endpoint.runs(), endpoint.active()]).toEqual([1, [1]]);
      expect(await endpoint.history()).toEqual(['2 v2 ROLLED_BACK', '1 v1 COMPLETED']);
      expect((await services.ports.endpoints.readNow(endpoint.id))?.fleet.failed).toEqual([]);
    });
    expect(died).toBeGreaterThan(5);
  });

  it('completes the last steps of a successful release', async () => {
    const prepare = async (id: string) => {
      const endpoint = await complete(id);
      await endpoint.update({ imageName: 'image:2' });
      endpoint.fleet.tasks.at(-1)?.run();
      await endpoint.beat('w1', 2, emulated.clock.now());
      return endpoint;
    };
    const act = ({ id }: RollingEndpoint, ports: RollingPorts) => follow(ports, id);
    const died = await dieEverywhere('complete', nextSweep, prepare, act, async (endpoint) => {
      expect(await endpoint.history()).toEqual(['2 v2 COMPLETED', '1 v1 COMPLETED']);
      expect(await endpoint.release()).toMatchObject({ state: 'COMPLETED', settledAt: expect.any(Number) });
    });
    expect(died).toBe(4);
  });
});

describe('an update', () => {
  it('is released when the rollback in progress has finished', async () => {
    const endpoint = await complete('meanwhile');
    await endpoint.update({ imageName: 'image:2' });
    for (let n = 0; n < 2; n += 1) await endpoint.exits();
    const { ports } = dyingAfter(2);
    await endpoint.exits(undefined, ports).catch(() => undefined);
    expect((await endpoint.release())?.refused).toBeDefined();
    expect(await endpoint.release()).not.toHaveProperty('settledAt');
    await endpoint.update({ imageName: 'image:3' });
    expect([endpoint.runs(), endpoint.active()]).toEqual([3, [1, 3]]);
    await endpoint.ready();
    expect(await endpoint.history()).toEqual(['3 v3 COMPLETED', '2 v2 ROLLED_BACK', '1 v1 COMPLETED']);
  });
});
