import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'expect';
import type { Answer } from '../client.ts';
import type { Suite } from '../suite.ts';

const AT_ONCE = 100;

/** Tests the fields of a template: values, default, and the value in responses. */
export function templates({ askAt }: Suite): void {
  /** Rows send requests faster than the rate limit allows, and wait as clients do. */
  async function send(path: string, settings: object): Promise<Answer> {
    const answer = await askAt('management', 'POST', path, { body: JSON.stringify(settings) });
    if (answer.status !== 429) return answer;
    await delay(Number(answer.headers.get('Retry-After')) * 1_000);
    return send(path, settings);
  }
  const named = () => `contract ${randomBytes(8).toString('hex')}`;
  const create = (settings: object = {}) =>
    send('/templates', { name: named(), imageName: 'team/worker:1', ...settings });
  const update = ({ json }: Answer, changes: object) => send(`/templates/${json.id}/update`, changes);

  /** Checks that creation and update accept each value and return it unchanged. */
  async function takes(field: string, ...values: readonly unknown[]): Promise<void> {
    const made = await create();
    for (const value of values)
      for (const { status, json } of [await create({ [field]: value }), await update(made, { [field]: value })])
        expect([field, value, status, json[field]]).toEqual([field, value, 200, value]);
  }

  /** Checks that creation and update refuse each value with the name of the field. */
  async function refuses(field: string, ...values: readonly unknown[]): Promise<void> {
    const made = await create();
    for (const value of values)
      for (const { status, json } of [await create({ [field]: value }), await update(made, { [field]: value })]) {
        expect([field, value, status, json.code]).toEqual([field, value, 400, 'INVALID_REQUEST']);
        expect(json.error).toContain(`\`${field}`);
      }
    const { json } = await askAt('management', 'GET', `/templates/${made.json.id}`);
    expect(json[field]).toEqual(made.json[field]);
  }

  describe('a new template', () => {
    it('[route.create-template][template.id][template.category][template.containerDiskInGb][template.volumeInGb][template.volumeMountPath][template.isPublic][template.isServerless][template.readme][template.isPlatform][template.earned][template.runtimeInMin][template.version] needs a name and an image, and has every field', async () => {
      const name = named();
      const { status, json } = await create({ name });
      expect([status, json]).toEqual([
        200,
        {
          id: expect.stringMatching(/^[0-9a-z]{20}$/),
          name,
          imageName: 'team/worker:1',
          category: 'NVIDIA',
          containerDiskInGb: 50,
          volumeInGb: 20,
          volumeMountPath: '/workspace',
          containerRegistryAuthId: '',
          dockerEntrypoint: [],
          dockerStartCmd: [],
          env: {},
          ports: [],
          isPublic: false,
          isServerless: false,
          isPlatform: false,
          earned: 0,
          readme: '',
          runtimeInMin: 0,
          version: 1,
        },
      ]);
    });

    it('[route.create-template][errors.400] is refused without its name or its image', async () => {
      for (const [body, field] of [
        [{ imageName: 'a' }, 'name'],
        [{ name: named() }, 'imageName'],
      ] as const) {
        const { status, json } = await send('/templates', body);
        expect([status, json]).toMatchObject([
          400,
          { code: 'INVALID_REQUEST', error: expect.stringContaining(`\`${field}\``) },
        ]);
      }
    });

    it('[template.name.unique] has a unique name: one of many concurrent creations succeeds', async () => {
      const name = named();
      const spelled = (n: number) => (n % 2 ? name.toUpperCase() : name);
      const all = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => create({ name: spelled(n) })));
      expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
      const codes = all.filter(({ status }) => status !== 200).map(({ status, json }) => `${status} ${json.code}`);
      expect([codes.length, [...new Set(codes)]]).toEqual([AT_ONCE - 1, ['400 TEMPLATE_NAME_TAKEN']]);
    });

    it('[template.responseOnly][template.isPlatform][template.earned][template.runtimeInMin] cannot set fields that only responses have', async () => {
      const made = await create();
      for (const field of [{ id: 'mine' }, { isPlatform: true }, { earned: 7 }, { runtimeInMin: 1 }, { version: 9 }])
        for (const { status, json } of [await create(field), await update(made, field)]) {
          expect([status, json.code]).toEqual([400, 'INVALID_REQUEST']);
          expect(json.error).toContain(`\`${Object.keys(field)[0]}\` cannot be set`);
        }
    });
  });

  describe('a field of a template', () => {
    it('[template.name][template.name.unique] name is any string that no other template has', async () => {
      const made = await create();
      const other = named();
      const renamed = await update(made, { name: `${other} ✓ 工` });
      expect([renamed.status, renamed.json.name]).toEqual([200, `${other} ✓ 工`]);
      for (const { status, json } of [
        await create({ name: ` ${other} ✓ 工` }),
        await update(await create(), { name: `${other.toUpperCase()} ✓ 工` }),
      ])
        expect([status, json.code]).toEqual([400, 'TEMPLATE_NAME_TAKEN']);
      expect((await create({ name: made.json.name })).status).toBe(200);
      await refuses('name', '', ' ', 'a\nb', 'x'.repeat(192), null, 7, ['a']);
    });

    it('[template.imageName] imageName is the name of an image', async () => {
      const digest = `sha256:${'0'.repeat(64)}`;
      await takes('imageName', 'a', 'a:b', `a@${digest}`, `registry.example.com:5000/team/a_b:1.2@${digest}`);
      await refuses(
        'imageName',
        '',
        'a b',
        '$(id)',
        '../a',
        'registry:99999/a',
        'A',
        'a:',
        'a@sha256:0',
        'x'.repeat(4_096),
      );
    });

    it('[template.category] category is NVIDIA, AMD or CPU', async () => {
      for (const category of ['NVIDIA', 'AMD', 'CPU'])
        expect((await create({ category })).json).toMatchObject({ category });
      for (const category of ['nvidia', 'TPU', '', null, 1])
        expect([category, (await create({ category })).status]).toEqual([category, 400]);
    });

    it('[template.containerDiskInGb][template.volumeInGb] containerDiskInGb and volumeInGb are whole numbers of GB', async () => {
      await takes('containerDiskInGb', 1, 16_000);
      await refuses('containerDiskInGb', -1, 0, 1e9, 1.5, '50', null, 16_001);
      await takes('volumeInGb', 0, 16_000);
      await refuses('volumeInGb', -1, 1.5, '20', null, 16_001);
    });

    it('[template.volumeMountPath] volumeMountPath is an absolute path', async () => {
      await takes('volumeMountPath', '/workspace', '/data/models');
      expect((await create({ volumeMountPath: '/data/' })).json).toMatchObject({ volumeMountPath: '/data' });
      await refuses('volumeMountPath', 'workspace', '', '/', '/proc', '/a/../b', '/a\u0000', null);
    });

    it('[template.containerRegistryAuthId] containerRegistryAuthId is the id of a registry login, or empty', async () => {
      await takes('containerRegistryAuthId', '');
      await refuses('containerRegistryAuthId', 'No Such', null, 7);
    });

    it("[template.dockerEntrypoint][template.dockerStartCmd] dockerEntrypoint and dockerStartCmd are lists of strings, empty for the image's own", async () => {
      for (const field of ['dockerEntrypoint', 'dockerStartCmd']) {
        await takes(field, ['python', '-u', ''], []);
        await refuses(field, 'python', [1], [null], ['a\u0000'], {}, null);
      }
    });

    it('[template.env] env has strings by name, and no error contains a value', async () => {
      await takes('env', { A: '1', _b2: '', PATH: '/bin', LINES: 'one\ntwo' }, {});
      await refuses('env', null, [], 'A=1', { 'a-b': '' }, { '1A': '' }, { 'A=B': '' }, { '': '' }, { LD_PRELOAD: '' });
      await refuses('env', { NODE_OPTIONS: '' }, { AWS_ACCESS_KEY_ID: '' }, { ECS_X: '' }, { ENDPOINT_ID: '' });
      const made = await create();
      const path = `/templates/${made.json.id}/update`;
      const secret = randomBytes(12).toString('hex');
      const wrong = [`{"A":["${secret}"]}`, `"${secret}"`, `{"__proto__":"${secret}"}`, `{"A":"${secret}\\u0000"}`];
      for (const env of [...wrong, `{"A":"${secret}{{secrets:B}}"}`, `{"A":"${secret}","B":1}`]) {
        const { status, text } = await askAt('management', 'POST', path, { body: `{"env":${env}}` });
        expect([env, status, text.includes(secret)]).toEqual([env, 400, false]);
      }
    });

    it('[template.ports] ports are numbers with http or tcp, without duplicates', async () => {
      await takes('ports', ['8080/http', '22/tcp'], ['1/tcp', '65535/http'], []);
      const wrong = [
        '0/http',
        '65536/tcp',
        '80/udp',
        '80',
        '80/http/x',
        '８０/http',
        '080/http',
        ' 80/http',
        '80/HTTP',
      ];
      await refuses('ports', ...wrong.map((port) => [port]), '80/http', [80], ['80/http', '80/tcp'], null);
    });

    it('[template.isPublic][template.isServerless] isPublic and isServerless are true or false', async () => {
      await takes('isPublic', true, false);
      await refuses('isPublic', 'true', 1, null);
      expect((await create({ isServerless: true })).json.isServerless).toBe(true);
      for (const isServerless of ['true', 0, null]) expect((await create({ isServerless })).status).toBe(400);
    });

    it('[template.readme] readme is any string, and is returned unchanged', async () => {
      await takes('readme', '# Title\n<script>alert(1)</script>', '');
      await refuses('readme', null, 7, 'x'.repeat(102_401));
    });

    it('[template.size] is refused if the container settings are too large for a task definition', async () => {
      const large = 'x'.repeat(20_000);
      const made = await create({ env: { LARGE: large } });
      expect(made.status).toBe(200);
      const { status, json } = await update(made, { dockerStartCmd: [large] });
      expect([status, json.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(json.error).toContain('at most 32768 are allowed');
    });
  });
}
