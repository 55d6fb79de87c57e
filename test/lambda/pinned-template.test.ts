/** Deploys endpoints whose files pin a version of a template. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDeclaredPorts } from '../../aws/templates/ports.ts';
import type { Templates } from '../../core/templates/store.ts';
import { edited } from '../../core/templates/template.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { templateOf } from '../templates/settings.ts';
import { type SmallStacks, startSmallStacks } from './small-stacks.ts';

useEmulatedDeployment();
let cloudFormation: SmallStacks;
let templates: Templates;

beforeAll(async () => {
  ({ templates } = createDeclaredPorts());
  cloudFormation = await startSmallStacks();
});
afterAll(() => cloudFormation.stop());

/** Creates version 1 of a public template, whose image tag is its version. */
async function publish(id: string): Promise<void> {
  await templates.create(templateOf({ id, name: id, isPublic: true, imageName: 'image:1' }));
}

async function update(id: string, edit: object = {}): Promise<void> {
  const present = await templates.read(id);
  if (!present) throw new Error(`The template ${id} does not exist.`);
  await templates.replace(present, edited(present, { imageName: `image:${present.version + 1}`, ...edit }, 0));
}

/** @returns the images of the versions from 1 to 4 that are stored for the endpoint */
const keptFor = (endpoint: string, id: string) =>
  Promise.all([1, 2, 3, 4].map(async (version) => (await templates.pinned(endpoint, id, version))?.imageName));

describe('a version that an endpoint pins', () => {
  it('is stored for that endpoint when the template gets another version', async () => {
    await publish('stranger');
    const stack = cloudFormation.stackOf('pinning');
    const pinned = { named: 'stranger', pinTemplate: '1' };
    expect(await stack.deploy(pinned)).toMatchObject({ Status: 'SUCCESS', Data: { template: 'stranger' } });
    await update('stranger');
    expect(await keptFor('pinning', 'stranger')).toEqual(['image:1', undefined, undefined, undefined]);
    expect(await stack.deploy(pinned)).toMatchObject({ Status: 'SUCCESS' });
    const late = await cloudFormation.stackOf('late').deploy(pinned);
    expect(late).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining(
        '`pinTemplate` is 1, and template `stranger` has version 2: an endpoint can pin the current version or a version that it pinned before.',
      ),
    });
    expect(await templates.endpointsOf('stranger')).toEqual(['pinning']);
  });

  it('is refused if it does not exist yet', async () => {
    await publish('young');
    const { Status, Reason } = await cloudFormation.stackOf('early').deploy({ named: 'young', pinTemplate: '2' });
    expect([Status, Reason]).toEqual(['FAILED', expect.stringContaining('`pinTemplate` is 2, and template `young`')]);
  });

  it('is stored together with the previous pinned version, for a rollback of the deployment', async () => {
    await publish('moving');
    const stack = cloudFormation.stackOf('moved');
    const deploy = (version: number) => stack.deploy({ named: 'moving', pinTemplate: String(version) });
    await deploy(1);
    await update('moving');
    await deploy(2);
    expect(await deploy(1)).toMatchObject({ Status: 'SUCCESS' });
    await update('moving');
    await deploy(3);
    expect(await keptFor('moved', 'moving')).toEqual(['image:1', undefined, 'image:3', undefined]);
  });

  it('must be supported by the capacity, but the current version of the template need not be', async () => {
    await publish('grown');
    const stack = cloudFormation.stackOf('small');
    await stack.deploy({ named: 'grown', pinTemplate: '1' });
    await update('grown', { containerDiskInGb: 201 });
    expect(await stack.deploy({ named: 'grown', pinTemplate: '1' })).toMatchObject({ Status: 'SUCCESS' });
    const following = await stack.deploy({ named: 'grown' });
    expect([following.Status, following.Reason]).toEqual(['FAILED', expect.stringContaining('at most 200')]);
  });

  it('is removed when the endpoint dissociates from the template', async () => {
    await publish('left');
    const stack = cloudFormation.stackOf('leaver');
    await stack.deploy({ named: 'left', pinTemplate: '1' });
    await stack.destroy();
    expect(await keptFor('leaver', 'left')).toEqual([undefined, undefined, undefined, undefined]);
  });
});
