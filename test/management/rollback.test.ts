/** Tests rolling an endpoint back to an earlier release, over the local ECS. */

import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { createTemplates } from '../../aws/templates/templates.ts';
import { SECOND } from '../../core/limits.ts';
import { rollBack } from '../../core/management/rollback.ts';
import { keyOf } from '../../core/releases/history.ts';
import { rollout } from '../../core/releases/template-rollout.ts';
import { VERSIONS_KEPT } from '../../core/templates/limits.ts';
import type { Template } from '../../core/templates/template.ts';
import { edited } from '../../core/templates/template.ts';
import {
  OWNER,
  type RollingEndpoint,
  type RollingServices,
  startRollingServices,
} from '../releases/rolling-service.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { templateOf } from '../templates/settings.ts';

const emulated = useEmulatedDeployment();
let services: RollingServices;
const documents = createDocumentClient();
const TableName = 'TEMPLATES_TABLE';
const key = { kind: 'key', id: '0a1b2c', name: 'ci' } as const;
const ALL = ['templates:write', 'templates:secrets'];

beforeAll(async () => {
  services = await startRollingServices(emulated);
});
afterAll(() => services.stop());

interface Options {
  readonly reason?: string;
  readonly owner?: string;
  readonly scopes?: readonly string[];
  readonly isLocked?: boolean;
}

const back = (
  endpoint: string,
  revision: number,
  { reason, owner = OWNER, scopes = ALL, isLocked = false }: Options = {},
) =>
  rollBack(
    { ...services.ports, isDeclaredLocked: isLocked },
    { owner, scopes, by: key, endpoint, body: Buffer.from(JSON.stringify({ revision, reason })) },
  );

/** Deploys an endpoint that has completed the releases of versions 1 and 2, whose images are `image:1` and `image:2`. */
async function updated(id: string): Promise<RollingEndpoint> {
  const endpoint = await services.deploy(id, 1);
  await endpoint.ready();
  await endpoint.update({ imageName: 'image:2', env: { MODE: 'fast' } });
  await endpoint.ready();
  return endpoint;
}

const templateNow = async ({ template }: RollingEndpoint): Promise<Template> => {
  const read = await services.ports.templates.read(template);
  if (!read) throw new Error(`There is no template ${template}.`);
  return read;
};

const replacedKey = (template: string, version: number) => ({ collection: 'replaced', item: `${template}/${version}` });

describe('a rollback', () => {
  it('releases the settings of the earlier release once, even if it is repeated', async () => {
    const endpoint = await updated('back');
    await endpoint.edit({ name: 'renamed', readme: 'More' });
    const outcome = { id: 'back', restores: { revision: 1, version: 1 }, template: 't-back', version: 3 };
    expect(await back('back', 1)).toEqual(outcome);
    await rollout(services.ports, [endpoint.template]);
    await endpoint.hear();
    expect(await back('back', 1)).toEqual(outcome);
    await endpoint.ready();
    expect(await back('back', 1)).toEqual(outcome);
    await rollout(services.ports, [endpoint.template]);
    expect(await endpoint.history()).toEqual(['3 v3 COMPLETED', '2 v2 COMPLETED', '1 v1 COMPLETED']);
    expect(endpoint.imageOf(3)).toBe('image:1');
    expect(await templateNow(endpoint)).toMatchObject({ version: 3, env: {}, name: 'renamed', readme: 'More' });
  });

  it('ends a release in progress, while the earlier workers still run', async () => {
    const endpoint = await updated('hurried');
    await endpoint.update({ imageName: 'image:3' });
    await expect(back('hurried', 3)).rejects.toThrow('has the settings that template `t-hurried` has now');
    expect(await back('hurried', 2)).toMatchObject({ version: 4 });
    await rollout(services.ports, [endpoint.template]);
    await endpoint.hear();
    await endpoint.ready();
    expect(await endpoint.history()).toEqual(['4 v4 COMPLETED', '3 v3 SUPERSEDED', '2 v2 COMPLETED', '1 v1 COMPLETED']);
    expect(endpoint.imageOf(4)).toBe('image:2');
  });

  it('removes a registry login that the earlier release did not have', async () => {
    const endpoint = await updated('login');
    await endpoint.edit({ containerRegistryAuthId: 'hub' });
    await back('login', 1);
    expect(await templateNow(endpoint)).not.toHaveProperty('containerRegistryAuthId');
  });

  it('is drift of a declared template, with the caller, the time and the reason', async () => {
    const endpoint = await updated('drifted');
    await endpoint.edit({ origin: 'endpoint' });
    await back('drifted', 1, { reason: 'Version 2 is slow' });
    const change = { by: key, at: emulated.clock.now(), reason: 'Version 2 is slow' };
    expect((await templateNow(endpoint)).drift).toEqual([
      { field: 'imageName', declared: 'image:2', ...change },
      { field: 'env', declared: { MODE: 'fast' }, ...change },
    ]);
  });
});

describe('the replaced version of a template', () => {
  it('is stored with the change, for longer than its release is listed, and without its readme', async () => {
    const templates = createTemplates(documents, TableName, emulated.clock);
    const from = templateOf({ id: 'stored', name: 'stored', readme: 'x', env: { constructor: 'x' } });
    await templates.create(from);
    const renamed = edited(from, { name: 'stored again', readme: 'y' }, 1);
    await templates.replace(from, renamed);
    expect(await templates.replaced('stored', 1)).toBeUndefined();
    expect(await templates.replace(from, edited(from, { imageName: 'a:2' }, 1))).toBe('changed');
    expect(await templates.replaced('stored', 1)).toBeUndefined();
    await templates.replace(renamed, edited(renamed, { imageName: 'a:2' }, 1));
    expect(await templates.replaced('stored', 1)).toEqual({ ...renamed, readme: '' });
    const { Item } = await documents.send(new GetCommand({ TableName, Key: replacedKey('stored', 1) }));
    expect(Item?.removeAfter).toBe(Math.ceil((emulated.clock.now() + VERSIONS_KEPT) / SECOND));
  });
});

describe('a rollback is refused', () => {
  let endpoint: RollingEndpoint;
  beforeAll(async () => {
    endpoint = await updated('refused');
  });

  const refused = async (sentence: string, revision = 1, id = 'refused') => {
    const before = await templateNow(endpoint);
    await expect(back(id, revision)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(sentence),
    });
    expect(await templateNow(endpoint)).toEqual(before);
  };

  it('if the endpoint does not exist', async () => {
    await expect(back('nowhere', 1)).rejects.toMatchObject({ code: 'ENDPOINT_NOT_FOUND' });
  });

  it.each([
    ['{}', '`revision` must be'],
    ['{"revision":"1"}', '`revision` must be'],
    ['{"revision":0}', '`revision` must be'],
    ['{"revision":2147483648}', '`revision` must be'],
    ['{"revision":1,"reason":" "}', '`reason` must be'],
    ['[]', 'body'],
  ])('if the body is %s', async (body, sentence) => {
    const request = { owner: OWNER, scopes: ALL, by: key, endpoint: 'refused', body: Buffer.from(body) };
    await expect(rollBack({ ...services.ports, isDeclaredLocked: false }, request)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(sentence),
    });
  });

  it('if the body is large', async () => {
    const body = Buffer.from(`{"revision":1,"x":"${'x'.repeat(65_536)}"}`);
    const request = { owner: OWNER, scopes: ALL, by: key, endpoint: 'refused', body };
    await expect(rollBack({ ...services.ports, isDeclaredLocked: false }, request)).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
  });

  it('if the endpoint has no such release', () => refused('has no release with revision 9', 9));

  it('if the release runs', () => refused('already runs revision 2', 2));

  it('if the release was rolled back itself', async () => {
    const failed = await updated('failed');
    await failed.update({ imageName: 'image:3' });
    for (let n = 0; n < 3; n += 1) await failed.exits();
    expect((await failed.history())[0]).toBe('3 v3 ROLLED_BACK');
    await refused('Revision 3 was rolled back itself', 3, 'failed');
    await refused('already runs revision 2', 2, 'failed');
  });

  it('if only the blueprint of the release was another one', async () => {
    const redeployed = await updated('blueprint');
    const record = {
      state: 'COMPLETED',
      template: 't-blueprint',
      version: 2,
      startedAt: emulated.clock.now(),
    } as const;
    await services.ports.history.end('blueprint', { key: keyOf(7), record: { ...record, revision: 7 } });
    await refused('has the settings that template `t-blueprint` has now', 7, redeployed.id);
  });

  it('if the release was of another template', async () => {
    const record = { state: 'COMPLETED', template: 'other', version: 1, startedAt: 1 } as const;
    await services.ports.history.end('refused', { key: keyOf(8), record: { ...record, revision: 8 } });
    await refused('runs template `other`, and endpoint `refused` now uses `t-refused`', 8);
  });

  it('if the template was deleted and created again', async () => {
    const record = { state: 'COMPLETED', template: 't-refused', version: 1, startedAt: -1 } as const;
    await services.ports.history.end('refused', { key: keyOf(6), record: { ...record, revision: 6 } });
    await refused('no longer stored', 6);
  });

  it('if the settings of the release are no longer stored', async () => {
    await updated('expired');
    await documents.send(new DeleteCommand({ TableName, Key: replacedKey('t-expired', 1) }));
    await refused('The settings of version 1 of template `t-expired` are no longer stored', 1, 'expired');
  });

  it('if the endpoint pins a version', async () => {
    const { config } = await updated('pinned');
    await services.ports.endpoints.register({ ...config, pinTemplate: 2 });
    await refused('Endpoint `pinned` pins version 2', 1, 'pinned');
  });

  it('if other endpoints use the template', async () => {
    const { template } = await updated('shared');
    await services.ports.templates.associate(template, 'neighbour');
    await refused('is also used by other endpoints (1)', 1, 'shared');
  });

  it('if the endpoint no longer supports the settings', async () => {
    const { config } = await updated('smaller');
    await services.ports.endpoints.register({ ...config, largestDiskInGb: 5 });
    await refused('does not support the change', 1, 'smaller');
  });

  it('if the caller may not change the template', async () => {
    for (const revision of [1, 9])
      await expect(back('refused', revision, { owner: 'bob' })).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
    const open = await updated('open');
    await open.edit({ isPublic: true });
    await expect(back('open', 1, { owner: 'bob' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await open.edit({ origin: 'git' });
    await expect(back('open', 1)).rejects.toMatchObject({ code: 'TEMPLATE_READ_ONLY' });
  });

  it('if the key may not name a secret of the release, or the secret no longer exists', async () => {
    const named = await updated('secrets');
    await named.update({ env: { A: '{{secrets:known}}', B: '{{secrets:gone}}' } });
    await named.update({ env: { A: '{{secrets:known}}' } });
    await named.edit({ env: {} });
    const scopes = ['templates:write'];
    await expect(back('secrets', 1, { scopes })).resolves.toMatchObject({ version: 6 });
    const template = await templateNow(named);
    const record = { state: 'COMPLETED', template: template.id, startedAt: 1 } as const;
    for (const version of [3, 4])
      await services.ports.history.end('secrets', {
        key: keyOf(version),
        record: { ...record, version, revision: version },
      });
    await expect(back('secrets', 4, { scopes })).rejects.toMatchObject({ code: 'SECRETS_NOT_PERMITTED' });
    await expect(back('secrets', 3)).rejects.toThrow('names secrets that do not exist: `gone`');
    await expect(back('secrets', 4)).resolves.toMatchObject({ version: 7 });
  });

  it('if the deployment locks declared templates', async () => {
    const declared = await updated('locked');
    await declared.edit({ origin: 'endpoint' });
    await expect(back('locked', 1, { isLocked: true })).rejects.toMatchObject({ code: 'DECLARED_IN_GIT' });
  });
});
