/**
 * Tests the custom resources of templates: the responses of their functions to CloudFormation, and the stored
 * items.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDeclaredPorts, createTemplatePorts } from '../../aws/templates/ports.ts';
import type { Templates } from '../../core/templates/store.ts';
import type { Template } from '../../core/templates/template.ts';
import { update } from '../../core/templates/update.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { templateOf } from '../templates/settings.ts';
import { onFargate, type SmallStacks, startSmallStacks } from './small-stacks.ts';

useEmulatedDeployment();
let cloudFormation: SmallStacks;
let templates: Templates;

beforeAll(async () => {
  ({ templates } = createDeclaredPorts());
  cloudFormation = await startSmallStacks();
});
afterAll(() => cloudFormation.stop());

const send: SmallStacks['send'] = (file, event) => cloudFormation.send(file, event);
const stackOf: SmallStacks['stackOf'] = (endpoint) => cloudFormation.stackOf(endpoint);

/** Properties as CloudFormation sends them: scalars are strings, and empty properties are absent. */
const carried = {
  imageName: 'team/worker:1',
  containerDiskInGb: '20',
  volumeInGb: '0',
  volumeMountPath: '/workspace',
  env: { MODE: 'slow' },
};

/** Changes a template as clients do through the management interface. */
const change = (id: string, owner: string, changes: Partial<Template>) =>
  update(createTemplatePorts(), {
    owner,
    scopes: ['templates:write'],
    by: { kind: 'key', id: '0a1b2c', name: 'ci' },
    template: id,
    body: JSON.stringify(changes),
  });

describe('the template that the file of an endpoint contains', () => {
  it('is created by the first deployment, and used only by the endpoint', async () => {
    const answered = await stackOf('made').deploy({ carried });
    expect(answered).toMatchObject({ Status: 'SUCCESS', Data: { template: 'endpoint-made' } });
    expect(await templates.read('endpoint-made')).toMatchObject({
      ...templateOf({ id: 'endpoint-made', name: 'endpoint-made', imageName: 'team/worker:1', containerDiskInGb: 20 }),
      env: { MODE: 'slow' },
      owner: 'platform',
      origin: 'endpoint',
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    expect(await templates.endpointsOf('endpoint-made')).toEqual(['made']);
  });

  it('receives all settings of a changed file, and names the changes by clients that it overwrites', async () => {
    const stack = stackOf('merged');
    expect((await stack.deploy({ carried })).Data?.takenBack).toMatch(/^\d{4}-[\d-]+T[\d:.]+Z: nothing$/);
    await change('endpoint-merged', 'platform', {
      imageName: 'team/worker:9',
      containerDiskInGb: 30,
      env: { MODE: 'mine' },
      name: 'Renamed',
    });
    const { Data } = await stack.deploy({ carried: { ...carried, containerDiskInGb: '30', ports: ['80/http'] } });
    const by = 'changed by the key ci at [\\d-]+T[\\d:.]+Z';
    expect(Data?.takenBack).toMatch(new RegExp(`^[\\d-]+T[\\d:.]+Z: imageName, ${by}; env, ${by}$`));
    const template = await templates.read('endpoint-merged');
    expect(template).toMatchObject({
      imageName: 'team/worker:1',
      containerDiskInGb: 30,
      env: { MODE: 'slow' },
      ports: ['80/http'],
      name: 'Renamed',
      version: 3,
    });
    expect(template).not.toHaveProperty('drift');
    expect((await stack.deploy({ carried, minWorkers: '2' })).Data?.takenBack).toMatch(/Z: nothing$/);
  });

  it('has no new edition after a deployment that does not change the template', async () => {
    const stack = stackOf('same');
    await stack.deploy({ carried });
    await stack.deploy({ carried, minWorkers: '2' });
    await stack.deploy({ carried });
    expect(await templates.read('endpoint-same')).toMatchObject({ version: 1, edition: 1 });
  });

  it('loses settings that were removed from the file', async () => {
    const stack = stackOf('public');
    await stack.deploy({ carried: { ...carried, containerRegistryAuthId: 'team', ports: ['80/http'] } });
    await stack.deploy({ carried });
    const template = await templates.read('endpoint-public');
    expect(template).not.toHaveProperty('containerRegistryAuthId');
    expect(template?.ports).toEqual([]);
  });

  it("receives changes of the endpoint's category and owner", async () => {
    const stack = stackOf('moved');
    await stack.deploy({ carried });
    await stack.deploy({ carried, category: 'NVIDIA', largestDiskInGb: '25', owner: 'team-a' });
    expect(await templates.read('endpoint-moved')).toMatchObject({ category: 'NVIDIA', owner: 'team-a', version: 1 });
  });

  it('is removed with the stack, unless another endpoint uses it', async () => {
    const [one, other] = [stackOf('shared'), stackOf('borrower')];
    await one.deploy({ carried });
    await other.deploy({ named: 'endpoint-shared' });
    await change('endpoint-shared', 'platform', { imageName: 'team/worker:9' });
    await one.destroy();
    expect(await templates.endpointsOf('endpoint-shared')).toEqual(['borrower']);
    // No file declares it any more, so clients own its settings.
    const released = await templates.read('endpoint-shared');
    expect(released).toMatchObject({ origin: 'api', imageName: 'team/worker:9' });
    expect(released).not.toHaveProperty('drift');
    await stackOf('shared').deploy({ carried });
    expect(await templates.read('endpoint-shared')).toMatchObject({ origin: 'endpoint', imageName: 'team/worker:1' });
    const alone = stackOf('alone');
    await alone.deploy({ carried });
    await alone.destroy();
    expect(await templates.read('endpoint-alone')).toBeUndefined();
  });

  it('is refused, and nothing is stored, if the capacity does not support it', async () => {
    const refused = await stackOf('large').deploy({ carried: { ...carried, containerDiskInGb: '201' } });
    expect(refused).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining('`containerDiskInGb` must be at most 200'),
      PhysicalResourceId: 'large/',
    });
    expect(await templates.read('endpoint-large')).toBeUndefined();
    // CloudFormation deletes a resource whose creation failed.
    const event = { RequestType: 'Delete', PhysicalResourceId: 'large/', ResourceProperties: { endpoint: 'large' } };
    expect(await send('associate', event)).toMatchObject({ Status: 'SUCCESS' });
  });

  it('is refused if another template has its name', async () => {
    await templates.create(templateOf({ id: 'squatter', name: 'Endpoint-Squatted' }));
    const { Reason } = await stackOf('squatted').deploy({ carried });
    expect(Reason).toContain('Another template has the name endpoint-squatted');
  });
});

describe('a template that the file of an endpoint names', () => {
  it('is found by id or name, and dissociated when the file names another template', async () => {
    for (const id of ['first', 'second']) await templates.create(templateOf({ id, name: `The ${id}`, isPublic: true }));
    const stack = stackOf('named');
    expect(await stack.deploy({ named: 'first' })).toMatchObject({ Data: { template: 'first' } });
    expect(await stack.deploy({ named: 'THE SECOND' })).toMatchObject({ Data: { template: 'second' } });
    expect([await templates.endpointsOf('first'), await templates.endpointsOf('second')]).toEqual([[], ['named']]);
    expect(await stack.deploy({ carried })).toMatchObject({ Data: { template: 'endpoint-named' } });
    expect(await templates.endpointsOf('second')).toEqual([]);
    await stack.deploy({ named: 'first' });
    expect(await templates.read('endpoint-named')).toBeUndefined();
    await stack.destroy();
    expect(await templates.endpointsOf('first')).toEqual([]);
  });

  it('stays associated until CloudFormation deletes the replaced resource, and after a rollback', async () => {
    for (const id of ['old', 'new']) await templates.create(templateOf({ id, name: id, isPublic: true }));
    const [from, to] = ['old', 'new'].map((named) => ({ endpoint: 'back', ...onFargate, named }));
    const { PhysicalResourceId } = await send('associate', { RequestType: 'Create', ResourceProperties: from });
    const updated = await send('associate', {
      RequestType: 'Update',
      PhysicalResourceId,
      ResourceProperties: to,
      OldResourceProperties: from,
    });
    expect([await templates.endpointsOf('old'), await templates.endpointsOf('new')]).toEqual([['back'], ['back']]);
    const rolledBack = await send('associate', {
      RequestType: 'Update',
      PhysicalResourceId: updated.PhysicalResourceId,
      ResourceProperties: from,
      OldResourceProperties: to,
    });
    expect(rolledBack.PhysicalResourceId).toBe(PhysicalResourceId);
    await send('associate', {
      RequestType: 'Delete',
      PhysicalResourceId: updated.PhysicalResourceId,
      ResourceProperties: to,
    });
    expect([await templates.endpointsOf('old'), await templates.endpointsOf('new')]).toEqual([['back'], []]);
  });

  it.each<[string, Partial<Template>, object, string]>([
    [
      'private and has another owner',
      { owner: 'team-a' },
      {},
      'Endpoints of platform cannot use a template "REF": it does not exist or is private.',
    ],
    ['for Pods', { isPublic: true, isServerless: false }, {}, '`isServerless` must be true'],
    ['for GPUs', { isPublic: true, category: 'NVIDIA' }, {}, '`category` must be CPU'],
    [
      'too large for the disk of the capacity',
      { isPublic: true, containerDiskInGb: 50 },
      { largestDiskInGb: '40' },
      'must be at most 40',
    ],
    [
      'in a repository from which workers cannot pull',
      { isPublic: true, imageName: '123456789012.dkr.ecr.eu-west-1.amazonaws.com/secret/model:1' },
      { imageRepositories: ['123456789012.dkr.ecr.eu-west-1.amazonaws.com/models/*'] },
      'may pull (123456789012.dkr.ecr.eu-west-1.amazonaws.com/models/*)',
    ],
  ])('is refused if it is %s', async (kind, differences, place, reason) => {
    const id = kind.toLowerCase().replaceAll(' ', '-');
    await templates.create(templateOf({ id, name: id, ...differences }));
    const { Status, Reason } = await stackOf('refused').deploy({ named: id, ...place });
    expect(Status).toBe('FAILED');
    expect(Reason).toContain(reason.replace('REF', id));
    expect(await templates.endpointsOf(id)).toEqual([]);
  });

  it('can be a private template of the same owner', async () => {
    await templates.create(templateOf({ id: 'ours', name: 'ours', owner: 'team-a' }));
    expect(await stackOf('of-team').deploy({ named: 'ours', owner: 'team-a' })).toMatchObject({ Status: 'SUCCESS' });
  });

  it('stays associated if a deployment that names another template fails', async () => {
    await templates.create(templateOf({ id: 'kept', name: 'kept', isPublic: true }));
    const stack = stackOf('keeper');
    const { PhysicalResourceId } = await stack.deploy({ named: 'kept' });
    expect(await stack.deploy({ named: 'not-there' })).toMatchObject({ Status: 'FAILED', PhysicalResourceId });
    expect(await templates.endpointsOf('kept')).toEqual(['keeper']);
  });
});

describe('an official template', () => {
  const settings = { ...carried, name: 'Official', category: 'CPU', isServerless: 'true' };
  const deploy = (id: string, differences: object = {}, RequestType = 'Create') =>
    send('declare', {
      RequestType,
      ...(RequestType !== 'Create' && { PhysicalResourceId: id }),
      ResourceProperties: { id, settings: { ...settings, ...differences } },
    });

  it('has the settings of its file, is public, and is deleted with its file', async () => {
    await deploy('official');
    expect(await templates.read('official')).toMatchObject({
      name: 'Official',
      isPublic: true,
      isServerless: true,
      origin: 'git',
      owner: 'platform',
    });
    await deploy('official', { imageName: 'team/worker:2' }, 'Update');
    await deploy('official', { imageName: 'team/worker:2' }, 'Update');
    expect(await templates.read('official')).toMatchObject({ imageName: 'team/worker:2', version: 2, edition: 2 });
    await deploy('official', {}, 'Delete');
    expect(await templates.read('official')).toBeUndefined();
  });

  it('cannot have the name or the id of another template', async () => {
    await templates.create(templateOf({ id: 'theirs', name: 'Theirs' }));
    expect((await deploy('mine', { name: 'theirs' })).Reason).toContain('Another template has the name "theirs"');
    expect((await deploy('theirs', { name: 'Free' })).Reason).toContain('Template `theirs` exists and is not declared');
    // CloudFormation deletes a resource whose creation failed.
    await deploy('theirs', {}, 'Delete');
    expect(await templates.read('theirs')).toMatchObject({ name: 'Theirs', origin: 'api' });
  });
});
