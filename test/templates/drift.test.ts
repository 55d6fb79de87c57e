/** Tests changes by clients of templates that files declare, from the update to the deployment that takes them back. */
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createTemplatePorts } from '../../aws/templates/ports.ts';
import { MINUTE } from '../../core/limits.ts';
import { associate, dissociate } from '../../core/templates/associate.ts';
import { declare, undeclare } from '../../core/templates/declare.ts';
import { list } from '../../core/templates/list.ts';
import { read } from '../../core/templates/read.ts';
import { remove } from '../../core/templates/remove.ts';
import type { TemplatePorts } from '../../core/templates/store.ts';
import { takeBack } from '../../core/templates/take-back.ts';
import { type Drift, templateSettingsSchema } from '../../core/templates/template.ts';
import { update } from '../../core/templates/update.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { templateOf } from './settings.ts';

const OWNER = 'platform';
const CANARY = 'canary-77c0';
const key: Drift['by'] = { kind: 'key', id: '0a1b2c', name: 'ci' };
const user: Drift['by'] = { kind: 'user', id: 'sub-1', name: 'ada' };
const settings = templateSettingsSchema.parse(templateOf({ env: { MODE: 'slow' }, readme: 'From the file' }));
const { name: _, category: __, isPublic: ___, isServerless: ____, ...carried } = settings;

const emulated = useEmulatedDeployment();
let ports: TemplatePorts;

beforeAll(() => {
  ports = {
    ...createTemplatePorts({ clock: emulated.clock }),
    vault: { find: async () => 'arn' },
    isDeclaredLocked: false,
    earnedPerMinute: 0,
  };
});

const deploy = (endpoint: string, changes: Partial<typeof carried> = {}) =>
  associate(ports, {
    endpoint,
    place: { category: 'CPU', largestDiskInGb: 200, imageRepositories: [] },
    template: { carried: { ...carried, ...changes } },
  });
/**
 * Deploys an endpoint whose file contains a template.
 * @returns the id of the template
 */
const deployed = async (endpoint: string) => (await deploy(endpoint)).template;
const scopes = ['templates:write', 'templates:secrets'];
const change = (template: string, changes: object, { by = key, isLocked = false } = {}) =>
  update(
    { ...ports, isDeclaredLocked: isLocked },
    { owner: OWNER, scopes, by, template, body: JSON.stringify(changes) },
  );
const show = (template: string, owner = OWNER) => read(ports, { owner, permitted: ['*'], template });
const driftOf = async (template: string) => (await show(template)).drift;
const now = () => new Date(emulated.clock.now()).toISOString();

describe('a field that a client changes', () => {
  it('is shown with the value of the file, the caller, the time and the reason', async () => {
    const id = await deployed('shown');
    expect(await show(id)).toMatchObject({ declaredIn: 'endpoints/shown.yaml' });
    expect(await show(id)).not.toHaveProperty('drift');
    const imageName = { field: 'imageName', declared: 'team/worker:1.2', by: key, at: now() };
    const updated = await change(id, { imageName: 'team/worker:9', name: 'Renamed', isPublic: true });
    expect(updated.drift).toEqual([imageName]);
    emulated.clock.advance(MINUTE);
    const env = { field: 'env', declared: { MODE: 'slow' }, by: user, at: now(), reason: 'Incident 7' };
    await change(id, { env: {}, imageName: 'team/worker:9', reason: 'Incident 7' }, { by: user });
    expect(await driftOf(id)).toEqual([imageName, env]);
    const listed = (await list(ports, { owner: OWNER, limit: '100' })).templates.find((each) => each.id === id);
    expect(listed).toMatchObject({ declaredIn: 'endpoints/shown.yaml', drift: [imageName, env] });
  });

  it('keeps the value of the file after several changes, and is no drift with that value', async () => {
    const id = await deployed('restored');
    for (const imageName of ['team/worker:8', 'team/worker:9']) {
      emulated.clock.advance(MINUTE);
      await change(id, { imageName }, { by: imageName.endsWith('9') ? user : key });
    }
    expect(await driftOf(id)).toEqual([{ field: 'imageName', declared: 'team/worker:1.2', by: user, at: now() }]);
    expect(await change(id, { imageName: 'team/worker:1.2' })).not.toHaveProperty('drift');
  });

  it('can be the registry login, and variables with the names of members of objects', async () => {
    await deploy('odd', { containerRegistryAuthId: 'team', env: { constructor: 'x' } });
    await change('endpoint-odd', { containerRegistryAuthId: '', env: { toString: 'y' } });
    expect((await driftOf('endpoint-odd'))?.map(({ field, declared }) => [field, declared])).toEqual([
      ['containerRegistryAuthId', 'team'],
      ['env', { constructor: 'x' }],
    ]);
    await deploy('odd');
    await change('endpoint-odd', { containerRegistryAuthId: 'team' });
    expect(await driftOf('endpoint-odd')).toMatchObject([{ field: 'containerRegistryAuthId', declared: '' }]);
    expect(await takeBack(ports, 'endpoint-odd')).toHaveLength(1);
    expect(await show('endpoint-odd')).toMatchObject({ containerRegistryAuthId: '', env: { MODE: 'slow' } });
  });

  it('is not shown to other owners, with whom a public template shares no values', async () => {
    await deploy('public', { env: { TOKEN: CANARY } });
    await change('endpoint-public', { isPublic: true, env: { TOKEN: 'other' } });
    expect(JSON.stringify(await show('endpoint-public'))).toContain(CANARY);
    const foreign = await show('endpoint-public', 'bob');
    expect(foreign).toMatchObject({ declaredIn: 'endpoints/public.yaml', env: { TOKEN: '********' } });
    expect(foreign).not.toHaveProperty('drift');
    expect(JSON.stringify(await list(ports, { owner: 'bob', limit: '100' }))).not.toContain(CANARY);
  });

  it.each([
    ['drift', []],
    ['declaredIn', 'x'],
    ['reason', ''],
    ['reason', '  '],
    ['reason', 'x'.repeat(501)],
    ['reason', 1],
  ])('cannot be changed by a request with %s %j', async (field, value) => {
    const id = await deployed('refused');
    await expect(change(id, { imageName: 'team/worker:9', [field]: value })).rejects.toThrow(`\`${field}\``);
    expect(await show(id)).toMatchObject({ imageName: 'team/worker:1.2', version: 1 });
  });

  it('has no drift in a template of a client', async () => {
    await ports.templates.create(templateOf({ id: 'clients', name: 'clients', owner: OWNER }));
    const updated = await change('clients', { imageName: 'team/worker:9', reason: 'New' }, { isLocked: true });
    expect(updated).toMatchObject({ imageName: 'team/worker:9' });
    for (const field of ['drift', 'declaredIn', 'reason']) expect(updated).not.toHaveProperty(field);
  });
});

describe('a deployment of the file', () => {
  it('takes back all fields that differ, and returns them', async () => {
    const id = await deployed('back');
    await change(id, { imageName: 'team/worker:9', containerDiskInGb: 30, readme: 'By a client' });
    const drift = (await ports.templates.read(id))?.drift ?? [];
    // The file adopts the disk that the client has set.
    const { takenBack } = await deploy('back', { containerDiskInGb: 30, ports: ['80/http'] });
    expect(takenBack).toEqual(drift.filter(({ field }) => field !== 'containerDiskInGb'));
    expect(takenBack.map(({ field }) => field)).toEqual(['imageName', 'readme']);
    const template = await show(id);
    expect(template).toMatchObject({
      ...carried,
      containerDiskInGb: 30,
      ports: ['80/http'],
      containerRegistryAuthId: '',
    });
    expect(template).not.toHaveProperty('drift');
    expect((await deploy('back', { containerDiskInGb: 30, ports: ['80/http'] })).takenBack).toEqual([]);
  });

  it('takes back a change that a client makes during the deployment', async () => {
    const id = await deployed('raced');
    const { replace } = ports.templates;
    const late = jest.spyOn(ports.templates, 'replace').mockImplementationOnce(async (from, to) => {
      await change(id, { imageName: 'team/worker:9' });
      return replace(from, to);
    });
    const { takenBack } = await deploy('raced', { containerDiskInGb: 30 });
    late.mockRestore();
    expect(takenBack).toMatchObject([{ field: 'imageName', by: key }]);
    expect(await show(id)).toMatchObject({ imageName: 'team/worker:1.2', containerDiskInGb: 30 });
  });
});

describe('a template that is taken back without a deployment', () => {
  it('has the values of its file, in a new version', async () => {
    const id = await deployed('taken');
    await change(id, { imageName: 'team/worker:9', env: {} });
    expect((await takeBack(ports, id)).map(({ field }) => field)).toEqual(['imageName', 'env']);
    expect(await show(id)).toMatchObject({ ...carried, containerRegistryAuthId: '', version: 3 });
    expect(await driftOf(id)).toBeUndefined();
    expect(await takeBack(ports, id)).toEqual([]);
    expect(await takeBack(ports, 'missing')).toEqual([]);
  });
});

describe('a deployment with locked declarations', () => {
  const locked = { isLocked: true };

  it('refuses keys, and users without a reason, with the name of the file', async () => {
    const id = await deployed('locked');
    for (const [options, body] of [
      [locked, { imageName: 'team/worker:9', readme: 'x' }],
      [locked, { imageName: 'team/worker:9', readme: 'x', reason: 'Incident 7' }],
      [
        { ...locked, by: user },
        { imageName: 'team/worker:9', readme: 'x' },
      ],
    ] as const)
      await expect(change(id, body, options)).rejects.toMatchObject({
        status: 409,
        code: 'DECLARED_IN_GIT',
        message: expect.stringMatching(/^The file `endpoints\/locked\.yaml` declares `imageName`, `readme`: /),
      });
    expect(await show(id)).toMatchObject({ imageName: 'team/worker:1.2', version: 1 });
  });

  it('accepts a user with a reason, and shows the reason', async () => {
    const id = await deployed('urgent');
    const body = { imageName: 'team/worker:9', reason: 'Incident 7' };
    await change(id, body, { ...locked, by: user });
    expect(await driftOf(id)).toMatchObject([{ field: 'imageName', by: user, reason: 'Incident 7' }]);
    // Other fields are refused without changing the drift that exists.
    await expect(change(id, { readme: 'x' }, locked)).rejects.toMatchObject({ code: 'DECLARED_IN_GIT' });
    // A key can repeat the present value, and return to the file.
    expect(await change(id, { imageName: 'team/worker:9' }, locked)).toMatchObject({ version: 2 });
    expect(await change(id, { imageName: 'team/worker:1.2' }, locked)).not.toHaveProperty('drift');
  });

  it('accepts changes of fields that no file can declare', async () => {
    const id = await deployed('named');
    expect(await change(id, { name: 'Another name', isPublic: true }, locked)).toMatchObject({ isPublic: true });
  });
});

describe('a declared template', () => {
  it('is not deleted by a client while its endpoint is deployed, even if it has drift', async () => {
    const id = await deployed('kept');
    await change(id, { imageName: 'team/worker:9' });
    await expect(remove(ports, { owner: OWNER, template: id })).rejects.toMatchObject({ code: 'TEMPLATE_IN_USE' });
  });

  it('becomes a template of the client when its file is removed or renamed while another endpoint uses it', async () => {
    const id = await deployed('old-name');
    await ports.templates.associate(id, 'borrower');
    await change(id, { imageName: 'team/worker:9' });
    expect(await deploy('new-name')).toEqual({ template: 'endpoint-new-name', takenBack: [] });
    await dissociate(ports, 'old-name', id);
    const released = await show(id);
    expect(released).toMatchObject({ imageName: 'team/worker:9', version: 2, endpoints: [{ id: 'borrower' }] });
    for (const field of ['drift', 'declaredIn']) expect(released).not.toHaveProperty(field);
    expect(await change(id, { imageName: 'team/worker:10' }, { isLocked: true })).toMatchObject({ version: 3 });
  });

  it('names its file if it is official, until it is withdrawn', async () => {
    await declare(ports, 'official', { ...settings, name: 'Official', isPublic: true });
    expect(await show('official', 'bob')).toMatchObject({ declaredIn: 'templates/official.yaml' });
    await ports.templates.associate('official', 'user-of-it');
    await undeclare(ports, 'official');
    expect(await show('official', 'bob')).not.toHaveProperty('declaredIn');
  });
});
