/**
 * Tests which versions of another owner's template an endpoint runs: each update, one pinned version, or no new
 * version.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../core/limits.ts';
import { first } from '../../core/releases/endpoint-stack.ts';
import { release } from '../../core/releases/release.ts';
import { sweep } from '../../core/sweeper/sweep.ts';
import { carriedId } from '../../core/templates/drift.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { templateOf } from '../templates/settings.ts';
import { OWNER, type RollingServices, startRollingServices } from './rolling-service.ts';

const emulated = useEmulatedDeployment();
let services: RollingServices;

beforeAll(async () => {
  services = await startRollingServices(emulated);
});
afterAll(() => services.stop());

/** Deploys an endpoint with a public template, whose first release is complete. */
async function completed(id: string) {
  const endpoint = await services.deploy(id, 1);
  await endpoint.edit({ isPublic: true });
  await endpoint.ready(0);
  const deploy = async (differences: object) => {
    await emulated.deploy(id, { ...endpoint.config, ...differences });
    await release(services.ports, id);
    await endpoint.hear();
  };
  return { ...endpoint, deploy };
}

describe('an endpoint that pins a version', () => {
  async function pinned(id: string) {
    const endpoint = await completed(id);
    const template = await services.ports.templates.read(endpoint.template);
    if (!template) throw new Error(`There is no template ${endpoint.template}.`);
    await services.ports.templates.pin(id, template);
    await endpoint.deploy({ pinTemplate: 1 });
    return endpoint;
  }

  it('keeps that version when the template is updated, and follows updates again when the pin is removed', async () => {
    const endpoint = await pinned('pinned');
    await endpoint.update({ imageName: 'image:2' });
    emulated.clock.advance(MINUTE);
    await sweep(services.ports);
    expect([endpoint.runs(), endpoint.active(), await endpoint.history()]).toEqual([1, [1], ['1 v1 COMPLETED']]);
    await endpoint.deploy({ pinTemplate: undefined });
    await endpoint.ready();
    expect([endpoint.imageOf(2), await endpoint.history()]).toEqual(['image:2', ['2 v2 COMPLETED', '1 v1 COMPLETED']]);
  });

  it('runs that version with the changes of a later deployment', async () => {
    const endpoint = await pinned('redeployed');
    await endpoint.update({ imageName: 'image:2' });
    await endpoint.deploy({ pinTemplate: 1, blueprint: endpoint.blueprint('two') });
    expect([endpoint.imageOf(2), await endpoint.history()]).toEqual([
      'image:1',
      ['2 v1 IN_PROGRESS', '1 v1 COMPLETED'],
    ]);
  });

  it('keeps its running revision and shows the reason if the version is no longer stored', async () => {
    const endpoint = await pinned('unkept');
    await endpoint.update({ imageName: 'image:2' });
    await endpoint.deploy({ pinTemplate: 3 });
    expect([endpoint.runs(), await endpoint.history()]).toEqual([1, ['- v3 ROLLED_BACK', '1 v1 COMPLETED']]);
    expect(await endpoint.reason()).toBe(
      'Version 3 of template `t-unkept` is not stored: deploy the endpoint again, which stores it.',
    );
  });
});

describe('an update of a public template', () => {
  it('is released to endpoints of other owners without a deployment by them', async () => {
    const endpoint = await completed('following');
    await endpoint.deploy({ owner: 'b' });
    await endpoint.update({ imageName: 'image:2' });
    await endpoint.ready();
    expect([endpoint.imageOf(2), await endpoint.history()]).toEqual(['image:2', ['2 v2 COMPLETED', '1 v1 COMPLETED']]);
  });
});

describe('a template that its owner makes private', () => {
  it('is no longer released to endpoints of other owners, which keep their revision and show the reason', async () => {
    const endpoint = await completed('private');
    await endpoint.deploy({ owner: 'b' });
    await endpoint.update({ isPublic: false });
    expect(await endpoint.history()).toEqual(['1 v1 COMPLETED']);
    await endpoint.update({ imageName: 'image:2' });
    expect([endpoint.runs(), endpoint.active()]).toEqual([1, [1]]);
    expect(await endpoint.history()).toEqual(['- v2 ROLLED_BACK', '1 v1 COMPLETED']);
    expect(await endpoint.reason()).toBe(
      'Template `t-private` is now private to an owner other than b: use another template, or ask its owner to make it public.',
    );
  });

  it('is not released to endpoints of other owners that pin a version', async () => {
    const endpoint = await completed('private-pin');
    const template = await services.ports.templates.read(endpoint.template);
    if (template) await services.ports.templates.pin('private-pin', template);
    await endpoint.update({ isPublic: false });
    await endpoint.deploy({ owner: 'b', pinTemplate: 1, blueprint: endpoint.blueprint('two') });
    expect([endpoint.runs(), await endpoint.reason()]).toEqual([1, expect.stringContaining('is now private')]);
  });

  it('is still released to endpoints of its owner', async () => {
    const endpoint = await completed('own');
    await endpoint.update({ isPublic: false, imageName: 'image:2' });
    await endpoint.ready();
    expect(await endpoint.history()).toEqual(['2 v2 COMPLETED', '1 v1 COMPLETED']);
  });
});

describe('the first release of an endpoint', () => {
  const make = async (endpoint: string, template: string, owner: string) => {
    const family = `Family-${endpoint}`;
    const blueprint = (await completed(`blueprint-of-${endpoint}`)).blueprint('one');
    await services.ports.templates.create(templateOf({ id: template, name: template, owner: OWNER }));
    await emulated.deploy(endpoint, { family, blueprint, template, owner });
    return first(services.ports, { endpoint, family, blueprint, template, owner });
  };

  it('fails for a private template of another owner', async () => {
    await expect(make('newcomer', 'hidden', 'b')).rejects.toThrow('Template `hidden` is now private');
  });

  it('runs the template in the endpoint file after its owner has changed', async () => {
    await make('mover', carriedId('mover'), 'b');
    expect((await services.ports.endpoints.readNow('mover'))?.release).toMatchObject({ template: { version: 1 } });
  });
});
