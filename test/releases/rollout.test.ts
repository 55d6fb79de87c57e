/**
 * Tests updates of templates over the local ECS: when a release is completed, when it is rolled back, and its
 * history.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import type { ServiceName } from '../../core/endpoints/endpoint.ts';
import { isApplied, numberOf } from '../../core/endpoints/release.ts';
import { lastRelease } from '../../core/endpoints/release-summary.ts';
import { resume } from '../../core/fleet/resume.ts';
import { saveStart } from '../../core/fleet/start.ts';
import { LEASE, MINUTE, RELEASE_PATIENCE } from '../../core/limits.ts';
import { releases } from '../../core/management/releases.ts';
import { release } from '../../core/releases/release.ts';
import { rollout } from '../../core/releases/template-rollout.ts';
import { sweep } from '../../core/sweeper/sweep.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { type RollingEndpoint, type RollingServices, startRollingServices } from './rolling-service.ts';

const emulated = useEmulatedDeployment();
let services: RollingServices;

beforeAll(async () => {
  services = await startRollingServices(emulated);
});
afterAll(() => services.stop());

/** Deploys an endpoint whose first release is complete. */
async function completed(id: string, desired = 1): Promise<RollingEndpoint> {
  const endpoint = await services.deploy(id, desired);
  for (let number = 0; number < desired; number += 1) await endpoint.ready(number);
  return endpoint;
}

const sweepAfter = async (milliseconds: number) => {
  emulated.clock.advance(milliseconds);
  await sweep(services.ports);
};

/** ECS stopped the task, because the service needs fewer. */
const stoppedByService = {
  stopCode: 'ServiceSchedulerInitiated',
  stoppedReason: 'Scaling activity initiated by (x)',
};

describe('a first release', () => {
  it('is in progress until one of its workers is ready', async () => {
    const endpoint = await services.deploy('first', 1);
    expect(await endpoint.history()).toEqual(['1 v1 IN_PROGRESS']);
    await endpoint.ready();
    expect(await endpoint.history()).toEqual(['1 v1 COMPLETED']);
    expect(endpoint.imageOf(1)).toBe('image:1');
  });

  it('stays in progress with a reason if its workers fail, because it has no revision to roll back to', async () => {
    const endpoint = await services.deploy('first-fails', 1);
    for (let n = 0; n < 4; n += 1) await endpoint.exits();
    expect(await endpoint.history()).toEqual(['1 v1 IN_PROGRESS']);
    const read = await services.ports.endpoints.readNow('first-fails');
    expect(read?.fleet.backOff).toBeDefined();
    expect(read && lastRelease(read)).toMatchObject({
      state: 'IN_PROGRESS',
      version: 1,
      revision: 1,
      reason: expect.stringContaining('container "worker" exited with code 1'),
    });
  });
});

describe('an update', () => {
  it('retains the old revision until ECS reports the update as complete and a worker was ready', async () => {
    const endpoint = await completed('good');
    await endpoint.update({ imageName: 'image:2' });
    expect(endpoint.runs()).toBe(2);
    expect(await endpoint.release()).toMatchObject({
      state: 'IN_PROGRESS',
      restore: { revision: expect.stringMatching(/:1$/) },
    });
    await endpoint.ready();
    expect(await endpoint.history()).toEqual(['2 v2 COMPLETED', '1 v1 COMPLETED']);
    expect(await endpoint.release()).not.toHaveProperty('restore');
    expect(endpoint.imageOf(2)).toBe('image:2');
  });

  it('releases nothing if only name and readme change', async () => {
    const endpoint = await completed('words');
    const before = endpoint.fleet.events.length;
    await endpoint.update({ name: 'other words', readme: 'more' });
    expect([endpoint.active(), endpoint.fleet.events.length]).toEqual([[1], before]);
    expect(await endpoint.history()).toEqual(['1 v1 COMPLETED']);
  });

  it('is in progress at 0 tasks until one worker is ready, even if ECS reports it as complete', async () => {
    const endpoint = await completed('zero', 0);
    expect(await endpoint.history()).toEqual(['1 v1 IN_PROGRESS']);
    await services.ports.services.setDesired(endpoint.config, 1);
    await endpoint.ready();
    await services.ports.services.setDesired(endpoint.config, 0);
    await endpoint.update({ imageName: 'image:2' });
    expect(endpoint.fleet.service.deployments()[0]?.rolloutState).toBe('COMPLETED');
    await sweepAfter(MINUTE);
    expect((await endpoint.history())[0]).toBe('2 v2 IN_PROGRESS');
    await services.ports.services.setDesired(endpoint.config, 1);
    await endpoint.ready();
    expect((await endpoint.history())[0]).toBe('2 v2 COMPLETED');
  });

  it('is complete if its worker started and stopped between two sweeps', async () => {
    const endpoint = await completed('brief', 1);
    await services.ports.services.setDesired(endpoint.config, 0);
    await endpoint.update({ imageName: 'image:2' });
    await saveStart(services.ports, endpoint.id, 'brief-2', { readyAt: emulated.clock.now() });
    await endpoint.taskChanges('brief-2', 2, stoppedByService);
    expect((await endpoint.history())[0]).toBe('2 v2 COMPLETED');
  });

  it('is in progress if its worker stopped before it was ready, however often the event arrives', async () => {
    const endpoint = await completed('never-ready');
    await services.ports.services.setDesired(endpoint.config, 0);
    await endpoint.update({ imageName: 'image:2' });
    await endpoint.beat('never-ready-2', 2, null);
    for (let n = 0; n < 2; n += 1) await endpoint.taskChanges('never-ready-2', 2, stoppedByService);
    expect((await endpoint.history())[0]).toBe('2 v2 IN_PROGRESS');
  });

  it('replaces an update in progress, whose revision is withdrawn', async () => {
    const endpoint = await completed('two');
    await endpoint.update({ imageName: 'image:2' });
    await endpoint.update({ imageName: 'image:3' });
    expect([endpoint.runs(), endpoint.active()]).toEqual([3, [1, 3]]);
    await endpoint.ready();
    expect(await endpoint.history()).toEqual(['3 v3 COMPLETED', '2 v2 SUPERSEDED', '1 v1 COMPLETED']);
  });

  it('waits a few seconds for a worker of the previous update that has jobs and no protection', async () => {
    const endpoint = await completed('soon', 2);
    await endpoint.update({ imageName: 'image:2' });
    const { clock } = emulated;
    const begin = clock.now();
    await endpoint.beat('w2', 2, begin, 'WORKS');
    const pause = async (milliseconds: number) => {
      expect(endpoint.runs()).toBe(2);
      clock.advance(milliseconds);
      if (clock.now() - begin > RELEASE_PATIENCE / 2) await endpoint.beat('w2', 2, begin);
    };
    await endpoint.update(
      { imageName: 'image:3' },
      portsWith(services.ports, { clock: { now: () => clock.now(), pause } }),
    );
    expect(endpoint.runs()).toBe(3);
  });

  it('waits for an unprotected worker until a sweep finds that it has protection or no jobs', async () => {
    const endpoint = await completed('unprotected', 2);
    await endpoint.update({ imageName: 'image:2' });
    await endpoint.beat('w2', 2, emulated.clock.now(), 'WORKS');
    await endpoint.update({ imageName: 'image:3' });
    await endpoint.beat('w2', 2, emulated.clock.now(), 'WORKS');
    await sweepAfter(LEASE - 1);
    expect(endpoint.runs()).toBe(2);
    expect(await endpoint.release()).toMatchObject({ state: 'IN_PROGRESS', revision: expect.stringMatching(/:3$/) });
    await endpoint.beat('w2', 2, emulated.clock.now());
    await sweepAfter(MINUTE);
    expect([endpoint.runs(), endpoint.active()]).toEqual([3, [1, 3]]);
    expect(await endpoint.history()).toEqual(['3 v3 IN_PROGRESS', '2 v2 SUPERSEDED', '1 v1 COMPLETED']);
  });

  it('keeps only the revision of the later of two simultaneous updates, for any order of processes', async () => {
    const endpoint = await completed('race');
    await endpoint.edit({ imageName: 'image:2' });
    const early = rollout(services.ports, [endpoint.template]);
    await endpoint.edit({ imageName: 'image:3' });
    await Promise.all([early, ...[1, 2, 3].map(() => rollout(services.ports, [endpoint.template]))]);
    const newest = endpoint.active().at(-1) ?? 0;
    expect(endpoint.active()).toEqual([1, newest]);
    expect([endpoint.runs(), endpoint.imageOf(newest)]).toEqual([newest, 'image:3']);
    await endpoint.hear();
    await endpoint.ready();
    expect((await endpoint.history())[0]).toBe(`${newest} v3 COMPLETED`);
  });

  it('remains deployed if an execution that has read the previous release continues later', async () => {
    const endpoint = await completed('overtaken');
    const { revisions } = services.ports;
    let reads = 0;
    const currentDeployment = async (service: ServiceName) => {
      reads += 1;
      if (reads === 1) await endpoint.update({ imageName: 'image:2' });
      return revisions.currentDeployment(service);
    };
    const late = portsWith(services.ports, {
      revisions: Object.assign(Object.create(revisions) as typeof revisions, { currentDeployment }),
    });
    await release(late, endpoint.id);
    expect([reads, endpoint.runs()]).toEqual([1, 2]);
    await endpoint.ready();
    expect(await endpoint.history()).toEqual(['2 v2 COMPLETED', '1 v1 COMPLETED']);
  });

  it('remains deployed if it is applied while a late execution deploys the previous release', async () => {
    const endpoint = await completed('late-deploy');
    await endpoint.update({ imageName: 'image:2' });
    await endpoint.ready();
    const { endpoints, revisions } = services.ports;
    const stored = await endpoints.readNow(endpoint.id);
    const restored = stored?.release?.revision;
    if (!restored) throw new Error('The endpoint has no release.');
    await revisions.deploy(stored, restored.replace(/:2$/, ':1'));
    const [isDeployed, mayApply] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const second = portsWith(services.ports, {
      endpoints: Object.assign(Object.create(endpoints) as typeof endpoints, {
        async setRelease(...[id, from, to]: Parameters<typeof endpoints.setRelease>) {
          if (numberOf(to.revision) === 3 && isApplied(to)) {
            isDeployed.resolve();
            await mayApply.promise;
          }
          return endpoints.setRelease(id, from, to);
        },
      }),
    });
    let secondUpdate: Promise<unknown> | undefined;
    let wasRefused = false;
    const first = portsWith(services.ports, {
      revisions: Object.assign(Object.create(revisions) as typeof revisions, {
        async deploy(...[service, revision]: Parameters<typeof revisions.deploy>) {
          if (!secondUpdate) {
            await release(services.ports, endpoint.id);
            await endpoint.edit({ imageName: 'image:3' });
            secondUpdate = rollout(second, [endpoint.template]);
            await isDeployed.promise;
          }
          await revisions.deploy(service, revision);
        },
      }),
      endpoints: Object.assign(Object.create(endpoints) as typeof endpoints, {
        async setRelease(...[id, from, to]: Parameters<typeof endpoints.setRelease>) {
          const isStored = await endpoints.setRelease(id, from, to);
          wasRefused ||= !isStored;
          return isStored;
        },
        async readNow(id: string) {
          const read = await endpoints.readNow(id);
          if (wasRefused) {
            mayApply.resolve();
            await secondUpdate;
          }
          return read;
        },
      }),
    });
    await release(first, endpoint.id);
    expect(wasRefused).toBe(true);
    expect(endpoint.runs()).toBe(3);
    expect((await endpoint.history())[0]).toBe('3 v3 IN_PROGRESS');
  });

  it('is rolled out by the next sweep if the stream function did not roll it out', async () => {
    const endpoint = await completed('lost');
    await endpoint.edit({ imageName: 'image:2' });
    await sweepAfter(MINUTE);
    expect(endpoint.runs()).toBe(2);
  });

  it('is released to all endpoints except one whose release fails, after which the call fails', async () => {
    const [one, other] = [await completed('fine'), await completed('broken')];
    await services.ports.templates.associate(one.template, other.id);
    await services.ports.endpoints.register({ ...other.config, template: one.template });
    await one.edit({ imageName: 'image:2' });
    const { endpoints } = services.ports;
    const readNow = async (id: string) => {
      if (id === other.id) throw new Error('The endpoint cannot be read.');
      return endpoints.readNow(id);
    };
    const broken = Object.assign(Object.create(endpoints), { readNow });
    const ports = portsWith(services.ports, { endpoints: broken });
    await expect(rollout(ports, [one.template])).rejects.toThrow(
      'The release of the templates failed: Error: The endpoint cannot be read.',
    );
    expect([one.runs(), other.runs()]).toEqual([2, 1]);
    await rollout(services.ports, [one.template]);
    expect(other.runs()).toBe(2);
  });
});

describe('an update that fails', () => {
  it("is rolled back with the provider's message, and its revision withdrawn, if its image is missing", async () => {
    const endpoint = await completed('bad-image');
    await endpoint.update({ imageName: 'image:2' });
    for (let n = 0; n < 3; n += 1) await endpoint.cannotPull();
    expect([endpoint.runs(), endpoint.active()]).toEqual([1, [1]]);
    expect(await endpoint.history()).toEqual(['2 v2 ROLLED_BACK', '1 v1 COMPLETED']);
    expect(await endpoint.reason()).toContain('CannotPullContainerError: image:2 not found');
    const read = await services.ports.endpoints.readNow('bad-image');
    expect(read?.fleet).toMatchObject({ failed: [] });
    expect(read?.fleet).not.toHaveProperty('condition');
    expect(read?.desiredWorkers).toBe(1);
  });

  it('is rolled back if its workers exit immediately, which ECS does not count as a failure', async () => {
    const endpoint = await completed('exits');
    await endpoint.update({ imageName: 'image:2' });
    for (let n = 0; n < 3; n += 1) {
      expect((await endpoint.release())?.refused).toBeUndefined();
      await endpoint.exits();
    }
    expect([endpoint.runs(), endpoint.active()]).toEqual([1, [1]]);
    expect(await endpoint.reason()).toContain('container "worker" exited with code 1');
  });

  it('is rolled back at 0 tasks when the first workers fail', async () => {
    const endpoint = await completed('zero-bad');
    await services.ports.services.setDesired(endpoint.config, 0);
    await endpoint.update({ imageName: 'image:2' });
    await services.ports.services.setDesired(endpoint.config, 1);
    for (let n = 0; n < 3; n += 1) await endpoint.cannotPull();
    expect([endpoint.runs(), endpoint.active()]).toEqual([1, [1]]);
    expect((await endpoint.history())[0]).toBe('2 v2 ROLLED_BACK');
  });

  it('is rolled back when ECS has rolled back, even if no event of its workers arrived', async () => {
    const endpoint = await completed('breaker');
    await endpoint.update({ imageName: 'image:2' });
    for (let n = 0; n < 3; n += 1) {
      endpoint.fleet.tasks.at(-1)?.end('no image');
      await endpoint.fleet.clock.pass(60_000);
    }
    expect(endpoint.runs()).toBe(1);
    await sweepAfter(MINUTE);
    expect(endpoint.active()).toEqual([1]);
    expect((await endpoint.history())[0]).toBe('2 v2 ROLLED_BACK');
    expect(await endpoint.reason()).toBe('ECS rolled back the deployment, because its workers did not start.');
  });

  it('keeps the failure reason if a worker of the previous revision starts meanwhile', async () => {
    const endpoint = await completed('kept-reason');
    await endpoint.update({ imageName: 'image:2' });
    await endpoint.cannotPull();
    const runs = { lastStatus: 'RUNNING', desiredStatus: 'RUNNING', stopCode: undefined };
    await endpoint.taskChanges('another', 1, runs);
    for (let n = 0; n < 2; n += 1) {
      endpoint.fleet.tasks.at(-1)?.end('no image');
      await endpoint.fleet.clock.pass(60_000);
    }
    await sweepAfter(MINUTE);
    expect((await endpoint.history())[0]).toBe('2 v2 ROLLED_BACK');
    expect(await endpoint.reason()).toContain('image:2 not found');
  });

  it('is not rolled back because workers of the previous revision fail or capacity is missing', async () => {
    const endpoint = await completed('others');
    await endpoint.update({ imageName: 'image:2' });
    for (let n = 0; n < 6; n += 1) {
      const stoppedReason = n % 2 ? 'CannotPullContainerError: no' : 'Capacity is unavailable at this time';
      const failure = { stopCode: 'TaskFailedToStart', stoppedReason, startedAt: undefined };
      await endpoint.taskChanges(`old-${n}`, n % 2 ? 1 : 2, failure);
    }
    await sweepAfter(MINUTE);
    expect((await endpoint.history())[0]).toBe('2 v2 IN_PROGRESS');
  });

  it('does not make the endpoint back off when workers of the failed revision fail later', async () => {
    const endpoint = await completed('late');
    await endpoint.update({ imageName: 'image:2' });
    for (let n = 0; n < 3; n += 1) await endpoint.cannotPull();
    const failure = { stopCode: 'TaskFailedToStart', stoppedReason: 'CannotPullContainerError', startedAt: undefined };
    for (const worker of ['a', 'b', 'c']) await endpoint.taskChanges(worker, 2, failure);
    expect((await services.ports.endpoints.readNow('late'))?.fleet).toMatchObject({ failed: [] });
  });

  it('is released again by the next sweep after a deployment has changed the repositories of its workers', async () => {
    const endpoint = await completed('repositories');
    const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com';
    const permit = (name: string) =>
      services.ports.endpoints.register({ ...endpoint.config, imageRepositories: [`${registry}/${name}`] });
    await permit('old');
    await endpoint.update({ imageName: `${registry}/new:1` });
    await sweepAfter(MINUTE);
    expect([endpoint.runs(), endpoint.active()]).toEqual([1, [1]]);
    expect(await endpoint.reason()).toContain(`from which workers may pull (${registry}/old)`);
    await permit('new');
    await sweepAfter(MINUTE);
    expect([endpoint.runs(), endpoint.imageOf(2)]).toEqual([2, `${registry}/new:1`]);
    expect(await endpoint.history()).toEqual(['2 v2 IN_PROGRESS', '- v2 ROLLED_BACK', '1 v1 COMPLETED']);
  });

  it('is not released again before a new version or a resume', async () => {
    const endpoint = await completed('again');
    await endpoint.update({ imageName: 'image:2' });
    for (let n = 0; n < 3; n += 1) await endpoint.cannotPull();
    await endpoint.update({ readme: 'more' });
    await release(services.ports, endpoint.id);
    await sweepAfter(MINUTE);
    expect([endpoint.runs(), endpoint.active()]).toEqual([1, [1]]);
    await resume(services.ports, endpoint.id);
    await sweepAfter(MINUTE);
    expect([endpoint.runs(), endpoint.active()]).toEqual([3, [1, 3]]);
    await endpoint.hear();
    for (let n = 0; n < 3; n += 1) await endpoint.cannotPull();
    await endpoint.update({ imageName: 'image:1' });
    await endpoint.ready();
    expect(await endpoint.history()).toEqual([
      '4 v3 COMPLETED',
      '3 v2 ROLLED_BACK',
      '2 v2 ROLLED_BACK',
      '1 v1 COMPLETED',
    ]);
    expect(await endpoint.release()).not.toHaveProperty('refused');
  });

  it('keeps the back-off of the running revision if it cannot be composed', async () => {
    const endpoint = await completed('backed-off');
    for (let n = 0; n < 3; n += 1) await endpoint.exits();
    const backOff = async () => (await services.ports.endpoints.readNow(endpoint.id))?.fleet.backOff;
    const before = await backOff();
    expect(before).toBeDefined();
    await endpoint.update({ env: { TOKEN: '{{secrets:gone}}' } });
    expect((await endpoint.release())?.refused).toBeDefined();
    expect(await backOff()).toEqual(before);
  });

  it('reverts a manual change of the service while another template is refused', async () => {
    const endpoint = await completed('by-hand');
    await endpoint.update({ imageName: 'image:2' });
    await endpoint.ready();
    await endpoint.update({ env: { TOKEN: '{{secrets:gone}}' } });
    const stored = await services.ports.endpoints.readNow(endpoint.id);
    const revision = stored?.release?.revision;
    if (!revision) throw new Error('The endpoint has no release.');
    await services.ports.revisions.deploy(stored, revision.replace(/:2$/, ':1'));
    expect(endpoint.runs()).toBe(1);
    await release(services.ports, endpoint.id);
    expect(endpoint.runs()).toBe(2);
  });

  it('does not replace the running revision if it cannot be composed', async () => {
    const endpoint = await completed('secret');
    await endpoint.update({ env: { TOKEN: '{{secrets:gone}}' } });
    expect([endpoint.runs(), endpoint.active()]).toEqual([1, [1]]);
    expect(await endpoint.reason()).toBe(
      '`env.TOKEN` refers to secret gone, which does not exist: create it, or change `env`.',
    );
    await endpoint.update({ imageName: 'image:2' });
    await endpoint.update({ env: {} });
    await endpoint.ready();
    expect(await endpoint.history()).toEqual([
      '2 v4 COMPLETED',
      '- v3 ROLLED_BACK',
      '- v2 ROLLED_BACK',
      '1 v1 COMPLETED',
    ]);
  });
});

describe('GET /endpoints/{endpoint}/releases', () => {
  it('lists releases in pages, the newest first, with reasons', async () => {
    const endpoint = await completed('listed');
    for (const version of [2, 3, 4]) await endpoint.update({ imageName: `image:${version}` });
    const list = (limit: string, cursor?: string) => releases(services.ports, { endpoint: 'listed', limit, cursor });
    const { releases: page, nextCursor } = await list('3');
    expect(page).toMatchObject([
      { state: 'IN_PROGRESS', revision: 4, template: 't-listed', version: 4 },
      { state: 'SUPERSEDED', revision: 3, endedAt: expect.any(String) },
      { state: 'SUPERSEDED', revision: 2 },
    ]);
    expect(await list('3', nextCursor)).toMatchObject({ releases: [{ state: 'COMPLETED', revision: 1 }] });
    expect(await list('1', nextCursor)).not.toHaveProperty('nextCursor');
    await expect(list('101')).rejects.toThrow('`limit` must be a whole number from 1 to 100');
    await expect(list('1', 'x')).rejects.toThrow('`cursor` must be');
    await expect(releases(services.ports, { endpoint: 'nowhere' })).rejects.toThrow('no endpoint');
  });
});
