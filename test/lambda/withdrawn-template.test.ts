/** Tests the deletion of official templates that endpoints use, for any order of stacks. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDeclaredPorts } from '../../aws/templates/ports.ts';
import type { Templates } from '../../core/templates/store.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { type SmallStacks, startSmallStacks } from './small-stacks.ts';

useEmulatedDeployment();
let cloudFormation: SmallStacks;
let templates: Templates;

beforeAll(async () => {
  ({ templates } = createDeclaredPorts());
  cloudFormation = await startSmallStacks();
});
afterAll(() => cloudFormation.stop());

/** Simulates the stack `Templates`: sends an event when the file is added, changed or deleted. */
function fileOf(id: string) {
  const ask = (event: object, settings: object = {}) =>
    cloudFormation.send('declare', {
      ...event,
      ResourceProperties: {
        id,
        settings: {
          name: `The ${id}`,
          imageName: 'team/worker:1',
          category: 'CPU',
          containerDiskInGb: '20',
          volumeInGb: '0',
          volumeMountPath: '/workspace',
          isServerless: 'true',
          ...settings,
        },
      },
    });
  return {
    add: (settings: object = {}) => ask({ RequestType: 'Create' }, settings),
    delete: () => ask({ RequestType: 'Delete', PhysicalResourceId: id }),
  };
}

const stackOf: SmallStacks['stackOf'] = (endpoint) => cloudFormation.stackOf(endpoint);

const success = { Status: 'SUCCESS' };

describe('an official template that an endpoint uses', () => {
  it('remains when its file is deleted, and is deleted when the last endpoint dissociates from it', async () => {
    const [file, one, other] = [fileOf('first'), stackOf('first-one'), stackOf('first-other')];
    await file.add();
    await one.deploy({ named: 'first' });
    await other.deploy({ named: 'first' });
    const before = await templates.read('first');
    expect(await file.delete()).toMatchObject(success);
    expect(await templates.read('first')).toEqual({
      ...before,
      edition: 2,
      updatedAt: expect.any(Number),
      withdrawnAt: expect.any(Number),
    });
    expect(await one.deploy({ named: 'endpoint-none' })).toMatchObject({ Status: 'FAILED' });
    expect(await one.destroy()).toMatchObject(success);
    expect(await templates.read('first')).toMatchObject({ version: 1 });
    expect(await other.destroy()).toMatchObject(success);
    expect(await templates.read('first')).toBeUndefined();
    expect(await templates.named('The first')).toBeUndefined();
  });

  it('is deleted when the endpoint changes to another template in the same deployment', async () => {
    const [file, stack] = [fileOf('swapped'), stackOf('swapping')];
    await file.add();
    await fileOf('successor').add();
    await stack.deploy({ named: 'swapped' });
    expect(await file.delete()).toMatchObject(success);
    expect(await stack.deploy({ named: 'successor' })).toMatchObject({ ...success, Data: { template: 'successor' } });
    expect(await templates.read('swapped')).toBeUndefined();
    expect(await templates.endpointsOf('successor')).toEqual(['swapping']);
  });

  it('is deleted with its file if the endpoint has dissociated from it before', async () => {
    const [file, stack] = [fileOf('left'), stackOf('leaving')];
    await file.add();
    await stack.deploy({ named: 'left' });
    await stack.destroy();
    expect(await templates.read('left')).not.toHaveProperty('withdrawnAt');
    expect(await file.delete()).toMatchObject(success);
    expect(await templates.read('left')).toBeUndefined();
  });

  it('stays withdrawn when CloudFormation repeats the deletion', async () => {
    const [file, stack] = [fileOf('twice'), stackOf('keeping-twice')];
    await file.add();
    await stack.deploy({ named: 'twice' });
    await file.delete();
    const withdrawn = await templates.read('twice');
    expect(await file.delete()).toMatchObject(success);
    expect(await templates.read('twice')).toEqual(withdrawn);
  });
});

describe('a withdrawn template', () => {
  const withdraw = async (id: string) => {
    const [file, stack] = [fileOf(id), stackOf(`${id}-user`)];
    await file.add();
    await stack.deploy({ named: id });
    await file.delete();
    return { file, stack };
  };

  it('can still be deployed by its endpoint by id, by name, or with a pinned version', async () => {
    const { stack } = await withdraw('kept');
    for (const properties of [
      { named: 'kept', minWorkers: '2' },
      { named: 'THE KEPT' },
      { named: 'kept', pinTemplate: '1' },
    ])
      expect(await stack.deploy(properties)).toMatchObject({ ...success, Data: { template: 'kept' } });
    expect(await templates.endpointsOf('kept')).toEqual(['kept-user']);
  });

  it('cannot be used by other endpoints, or by endpoints that have dissociated from it', async () => {
    const { file, stack } = await withdraw('refused');
    const refused = {
      Status: 'FAILED',
      Reason: expect.stringContaining('The template `refused` is withdrawn: its file in `templates/` was deleted.'),
    };
    expect(await stackOf('newcomer').deploy({ named: 'refused' })).toMatchObject(refused);
    // Another endpoint uses the template, so that it is not deleted.
    await file.add();
    await stackOf('refused-last').deploy({ named: 'refused' });
    await file.delete();
    await fileOf('other').add();
    expect(await stack.deploy({ named: 'other' })).toMatchObject(success);
    expect(await stack.deploy({ named: 'refused' })).toMatchObject(refused);
    expect(await templates.endpointsOf('refused')).toEqual(['refused-last']);
  });

  it('is official again when its file is restored, in its next version if the file has changed', async () => {
    const { file, stack } = await withdraw('back');
    expect(await file.add()).toMatchObject(success);
    expect(await templates.read('back')).toMatchObject({ version: 1 });
    expect(await templates.read('back')).not.toHaveProperty('withdrawnAt');
    await file.delete();
    await file.add({ imageName: 'team/worker:2' });
    expect(await templates.read('back')).toMatchObject({ version: 2, imageName: 'team/worker:2' });
    expect(await stackOf('back-newcomer').deploy({ named: 'back' })).toMatchObject(success);
    await stack.destroy();
    expect(await templates.endpointsOf('back')).toEqual(['back-newcomer']);
  });

  it('can be used again by its endpoint when a deployment is rolled back', async () => {
    const { stack } = await withdraw('base');
    expect(await stack.deploy({ named: 'not-there' })).toMatchObject({ Status: 'FAILED' });
    expect(await stack.deploy({ named: 'base' })).toMatchObject({ ...success, Data: { template: 'base' } });
  });
});
