/** Tests operations on templates over the emulator. The tests in bin/verify/rows check each field over HTTP. */
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { createDocumentClient } from '../../aws/clients.ts';
import { createTemplatePorts } from '../../aws/templates/ports.ts';
import { createTemplates } from '../../aws/templates/templates.ts';
import { ENDPOINT_CACHE } from '../../core/limits.ts';
import { begun } from '../../core/releases/transitions.ts';
import { create } from '../../core/templates/create.ts';
import { list } from '../../core/templates/list.ts';
import { read } from '../../core/templates/read.ts';
import { remove } from '../../core/templates/remove.ts';
import type { TemplatePorts } from '../../core/templates/store.ts';
import { update } from '../../core/templates/update.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { templateOf } from './settings.ts';

const CANARY = 'canary-5d20e1';
const ADA = 'ada';
const BOB = 'bob';

const emulated = useEmulatedDeployment();
let ports: TemplatePorts;

beforeAll(async () => {
  const documents = createDocumentClient();
  ports = {
    ...createTemplatePorts({ clock: emulated.clock }),
    endpoints: emulated.ports.endpoints,
    templates: createTemplates(documents, 'TEMPLATES_TABLE', emulated.clock),
    vault: { find: async (_, name) => (['team', 'TOKEN'].includes(name) ? `arn:${name}` : undefined) },
    earnedPerMinute: 0.25,
  };
});
afterEach(() => {
  jest.restoreAllMocks();
});

let made = 0;
const bodyOf = (settings: object) => JSON.stringify(settings);
const ALL = ['templates:read', 'templates:write', 'templates:secrets'];
const WITHOUT_SECRETS = ALL.slice(0, 2);
function make(settings: object = {}, owner = ADA, scopes = ALL) {
  made += 1;
  return create(ports, { owner, scopes, body: bodyOf({ name: `template ${made}`, imageName: 'a:1', ...settings }) });
}
const by = { kind: 'key', id: '0a1b2c', name: 'ci' } as const;
const change = (id: string, changes: object, owner = ADA, scopes = ALL) =>
  update(ports, { owner, scopes, by, template: id, body: bodyOf(changes) });
const show = (id: string, owner = ADA, permitted = ['*']) => read(ports, { owner, permitted, template: id });

describe('a template', () => {
  it('can be changed only by its creator', async () => {
    const hidden = await make();
    for (const refused of [
      () => show(hidden.id, BOB),
      () => change(hidden.id, {}, BOB),
      () => remove(ports, { owner: BOB, template: hidden.id }),
    ])
      await expect(refused()).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
    const open = await make({ isPublic: true });
    for (const refused of [() => change(open.id, {}, BOB), () => remove(ports, { owner: BOB, template: open.id })])
      await expect(refused()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await show(open.id, BOB)).toMatchObject(open);
    expect(await change(hidden.id, { isPublic: true })).toMatchObject({ isPublic: true });
    expect(await show(hidden.id, BOB)).toMatchObject({ id: hidden.id });
  });

  it('can be read by every owner and changed by no owner if it is official', async () => {
    await ports.templates.create(templateOf({ id: 'official', name: 'official', origin: 'git', owner: ADA }));
    for (const owner of [ADA, BOB]) {
      expect(await show('official', owner)).toMatchObject({ isPlatform: true });
      for (const refused of [() => change('official', {}, owner), () => remove(ports, { owner, template: 'official' })])
        await expect(refused()).rejects.toMatchObject({ code: 'TEMPLATE_READ_ONLY' });
    }
  });

  it('shows how long its workers ran, and the earned amount', async () => {
    const { id } = await make();
    await ports.templates.addRunTime({ worker: `${id}-1`, template: id, milliseconds: 599_999 });
    expect(await show(id)).toMatchObject({ runtimeInMin: 9, earned: 2.25 });
    await ports.templates.addRunTime({ worker: `${id}-2`, template: id, milliseconds: 1 });
    expect(await change(id, { readme: 'x' })).toMatchObject({ runtimeInMin: 10, earned: 2.5 });
  });

  it('lists the endpoints that use it, if the key may call them', async () => {
    const { id } = await make();
    for (const endpoint of ['b', 'a']) await ports.templates.associate(id, endpoint);
    expect((await show(id)).endpoints).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect((await show(id, ADA, ['b', 'c'])).endpoints).toEqual([{ id: 'b' }]);
  });

  it('lists the last release of each endpoint that uses it, if the endpoint has one', async () => {
    const { id } = await make();
    await emulated.deploy('released');
    await ports.templates.associate(id, 'released');
    expect((await show(id)).endpoints).toEqual([{ id: 'released' }]);
    const startedAt = emulated.clock.now();
    const target = { blueprint: 'blueprint:1', template: { id, version: 1 }, revision: 'revision:7' };
    await ports.endpoints.setRelease('released', undefined, begun(undefined, target, startedAt));
    expect((await show(id)).endpoints).toEqual([
      {
        id: 'released',
        release: { state: 'IN_PROGRESS', version: 1, revision: 7, startedAt: new Date(startedAt).toISOString() },
      },
    ]);
  });

  it('is not deleted while an endpoint uses it', async () => {
    const { id } = await make();
    await ports.templates.associate(id, 'a');
    const removed = () => remove(ports, { owner: ADA, template: id });
    await expect(removed()).rejects.toMatchObject({ code: 'TEMPLATE_IN_USE' });
    await ports.templates.dissociate(id, 'a');
    expect(await removed()).toEqual({ id });
    await expect(show(id)).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
  });

  it('refuses a change that one of its endpoints does not support', async () => {
    await emulated.deploy('small', { category: 'CPU', largestDiskInGb: 100 });
    const { id } = await make({ category: 'CPU', isServerless: true });
    await ports.templates.associate(id, 'small');
    await ports.templates.associate(id, 'removed');
    const refused = change(id, { containerDiskInGb: 101 });
    await expect(refused).rejects.toThrow(
      'Endpoint `small` uses the template and does not support the change: `containerDiskInGb`',
    );
    expect(await change(id, { containerDiskInGb: 100 })).toMatchObject({ version: 2 });
    await emulated.deploy('small', { category: 'CPU', largestDiskInGb: 100, pinTemplate: 2 });
    emulated.clock.advance(ENDPOINT_CACHE);
    expect(await change(id, { containerDiskInGb: 101 })).toMatchObject({ version: 3 });
  });

  it('cannot name an image that the workers of one of its endpoints cannot pull', async () => {
    const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com';
    await emulated.deploy('narrow', { category: 'CPU', imageRepositories: [`${registry}/models/*`] });
    const { id } = await make({ category: 'CPU', isServerless: true });
    await ports.templates.associate(id, 'narrow');
    await expect(change(id, { imageName: `${registry}/payroll:1` })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: `Endpoint \`narrow\` uses the template and does not support the change: \`imageName\` must be in a repository of Amazon ECR from which workers may pull (${registry}/models/*) or in another registry, got ${registry}/payroll:1; to permit it, add the repository to the setting \`imageRepositories\` of the deployment.`,
    });
    expect(await show(id)).toMatchObject({ imageName: 'a:1', version: 1 });
    expect(await change(id, { imageName: `${registry}/models/llama:2` })).toMatchObject({ version: 2 });
    expect(await change(id, { imageName: 'ghcr.io/team/worker:3' })).toMatchObject({ version: 3 });
  });

  it('can name only secrets and registry logins in the vault', async () => {
    const settings = { containerRegistryAuthId: 'team', env: { TOKEN: '{{secrets:TOKEN}}' } };
    const { id } = await make(settings);
    expect(await show(id)).toMatchObject(settings);
    expect(await show((await make({ ...settings, isPublic: true })).id, BOB)).toMatchObject({
      env: { TOKEN: '********' },
    });
    await expect(change(id, { containerRegistryAuthId: 'other' })).rejects.toThrow(
      'must be an existing id, got `other`',
    );
    await expect(change(id, { env: { A: '{{secrets:GONE}}' } })).rejects.toThrow('not exist: `GONE`');
    const without = await change(id, { containerRegistryAuthId: '' });
    expect(without).toMatchObject({ containerRegistryAuthId: '', version: 2 });
    expect(await change(id, { containerRegistryAuthId: '' })).toEqual(without);
  });

  describe('changed by a key without the scope templates:secrets', () => {
    const named = { containerRegistryAuthId: 'team', env: { TOKEN: '{{secrets:TOKEN}}' } };
    const refusedFor = (...names: string[]) => ({
      code: 'SECRETS_NOT_PERMITTED',
      status: 401,
      message: `The API key does not have the scope templates:secrets, which it needs to name ${names.join(' and ')} in a template.`,
    });
    const changeWithout = (id: string, changes: object) => change(id, changes, ADA, WITHOUT_SECRETS);

    it('can be created only without secrets and registry logins', async () => {
      await expect(make(named, ADA, WITHOUT_SECRETS)).rejects.toMatchObject(
        refusedFor('the registry login `team`', 'the secret `TOKEN`'),
      );
      expect(await make({ env: { TOKEN: 'plain' } }, ADA, WITHOUT_SECRETS)).toMatchObject({ version: 1 });
    });

    it('cannot get a new secret or login, even if it exists in the vault', async () => {
      const { id } = await make({ env: named.env });
      for (const name of ['TOKEN_2', 'GONE'])
        await expect(
          changeWithout(id, { env: { A: `{{secrets:${name}}}`, B: '{{secrets:TOKEN}}' } }),
        ).rejects.toMatchObject(refusedFor(`the secret \`${name}\``));
      await expect(changeWithout(id, { containerRegistryAuthId: 'team' })).rejects.toMatchObject(
        refusedFor('the registry login `team`'),
      );
    });

    it('keeps its secrets and logins if a request repeats or omits them, and cannot get removed ones back', async () => {
      const { id } = await make(named);
      expect(await changeWithout(id, { imageName: 'a:2' })).toMatchObject({ ...named, version: 2 });
      const env = { ...named.env, MODEL: 'x' };
      expect(await changeWithout(id, { ...named, env })).toMatchObject({ ...named, env, version: 3 });
      await changeWithout(id, { containerRegistryAuthId: '', env: {} });
      await expect(changeWithout(id, named)).rejects.toMatchObject({ code: 'SECRETS_NOT_PERMITTED' });
    });

    it('does not get back a secret that another key removes at the same time', async () => {
      const { id } = await make(named);
      const { replace } = ports.templates;
      const late = jest.spyOn(ports.templates, 'replace').mockImplementationOnce(async (from, to) => {
        await change(id, { env: {} });
        return replace(from, to);
      });
      await expect(changeWithout(id, { ...named, imageName: 'a:2' })).rejects.toMatchObject(
        refusedFor('the secret `TOKEN`'),
      );
      expect(late).toHaveBeenCalledTimes(2);
      expect(await show(id)).toMatchObject({ env: {}, imageName: 'a:1' });
    });
  });

  it('keeps all simultaneous changes', async () => {
    const { id } = await make();
    const changes = Array.from({ length: 10 }, (_, n) => (n % 2 ? { readme: `${n}` } : { imageName: `a:${n + 2}` }));
    await Promise.all(changes.map((each) => change(id, each)));
    expect((await ports.templates.read(id))?.edition).toBe(11);
    expect(await show(id)).toMatchObject({ version: 6 });
  });
});

describe('the list of templates', () => {
  const ids = async (owner: string, request: object = {}) =>
    (await list(ports, { owner, limit: '100', ...request })).templates.map(({ id }) => id);

  it('contains the templates that the caller may see, in pages', async () => {
    const hidden = await make({ category: 'AMD' });
    const open = await make({ category: 'AMD', isPublic: true }, BOB);
    const foreign = await make({ category: 'AMD' }, BOB);
    const seen = [hidden.id, open.id].toSorted((a, b) => a.localeCompare(b));
    expect(await ids(ADA, { category: 'AMD' })).toEqual(seen);
    expect(await ids(BOB, { category: 'AMD' })).not.toContain(hidden.id);
    const first = await list(ports, { owner: ADA, category: 'AMD', limit: '1' });
    expect(first.templates.map(({ id }) => id)).toEqual(seen.slice(0, 1));
    const rest = await list(ports, { owner: ADA, category: 'AMD', limit: '1', cursor: first.nextCursor ?? '' });
    expect([rest.templates.map(({ id }) => id), rest.nextCursor]).toEqual([seen.slice(1), undefined]);
    expect(JSON.stringify([first, rest])).not.toContain(foreign.id);
  });

  it('has only pages that a function can return', async () => {
    const readme = 'x'.repeat(102_400);
    await Promise.all(Array.from({ length: 45 }, () => make({ readme }, 'carol')));
    const first = await list(ports, { owner: 'carol', limit: '100' });
    expect(JSON.stringify(first).length).toBeLessThan(5_000_000);
    expect(first.nextCursor).toBeDefined();
    const rest = await list(ports, { owner: 'carol', limit: '100', cursor: first.nextCursor ?? '' });
    const own = [...first.templates, ...rest.templates].filter((template) => template.readme === readme);
    expect([new Set(own.map(({ id }) => id)).size, rest.nextCursor]).toEqual([45, undefined]);
  });

  it('fits into the response of a function although its characters are escaped twice', async () => {
    const readme = '"'.repeat(102_400);
    await Promise.all(Array.from({ length: 20 }, () => make({ readme }, 'quoted')));
    const first = await list(ports, { owner: 'quoted', limit: '100' });
    const response = JSON.stringify({ statusCode: 200, body: JSON.stringify(first) });
    expect(Buffer.byteLength(response)).toBeLessThan(6_291_556);
    expect(first.templates.length).toBeGreaterThan(5);
    expect(first.nextCursor).toBeDefined();
  });
});

describe('the variables of a template', () => {
  /**
   * Calls the function.
   * @returns its response, and everything that it logs
   */
  async function said(
    body: string,
    table = 'TEMPLATES_TABLE',
  ): Promise<[status: number, body: string, logged: string]> {
    const lines: unknown[] = [];
    for (const stream of [process.stdout, process.stderr])
      jest.spyOn(stream, 'write').mockImplementation((chunk) => lines.push(String(chunk)) > 0);
    for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const)
      jest.spyOn(console, level).mockImplementation((...args) => lines.push(args));
    process.env.TEMPLATES_TABLE = table;
    jest.resetModules();
    const { handler } = (await import('../../lambda/templates/create.ts')) as unknown as {
      handler: (event: object, context: Context) => Promise<APIGatewayProxyResult>;
    };
    const requestContext = { requestId: 'r-1', authorizer: { owner: ADA, endpoints: '*' } };
    const answer = await handler({ body, requestContext }, { functionName: 'test' } as Context);
    process.env.TEMPLATES_TABLE = 'TEMPLATES_TABLE';
    jest.restoreAllMocks();
    return [answer.statusCode, answer.body, JSON.stringify(lines)];
  }

  it('are shown only to their creator, and are not logged', async () => {
    const env = { TOKEN: CANARY };
    const [status, body, logged] = await said(bodyOf({ name: 'shown', imageName: 'a:1', isPublic: true, env }));
    expect([status, JSON.parse(body).env, logged.includes(CANARY)]).toEqual([200, env, false]);
    const { id } = JSON.parse(body) as { id: string };
    expect(JSON.stringify(await show(id, BOB))).not.toContain(CANARY);
    expect(JSON.stringify(await list(ports, { owner: BOB }))).not.toContain(CANARY);
    expect((await show(id)).env).toEqual(env);
  });

  it.each([
    `{"name":"a","imageName":"a","env":{"A":["${CANARY}"]}}`,
    `{"name":"a","imageName":"a","env":{"A":"${CANARY}\\u0000"}}`,
    `{"name":"a","imageName":"a","env":{"A":"${CANARY}","${'x'.repeat(300)}":""}}`,
    `{"name":"a","imageName":"a","env":"${CANARY}"}`,
    `{"name":"a","imageName":"a","env":{"__proto__":"${CANARY}"}}`,
    `{"name":"a","imageName":"a","env":{"A":"${CANARY} {{secrets:A}}"}}`,
    `{"name":"a","imageName":"a","env":{"A":"${CANARY}"},"ports":["x"]}`,
    `{"name":"a","imageName":"a","env":{"A":"${CANARY}`,
  ])('are not in an error message or the log if they are invalid: %s', async (wrong) => {
    const [status, body, logged] = await said(wrong);
    expect([status, (body + logged).includes(CANARY)]).toEqual([400, false]);
  });

  it('are not logged if the request fails', async () => {
    const body = bodyOf({ name: 'a', imageName: 'a:1', env: { A: CANARY } });
    const [status, answer, logged] = await said(body, 'NO_SUCH_TABLE');
    expect([status, (answer + logged).includes(CANARY)]).toEqual([500, false]);
    expect(logged).toContain('The request failed.');
  });
});
