import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { expect } from 'expect';
import type { Answer, Request } from '../client.ts';
import type { Suite } from '../suite.ts';

/** Tests operations on templates, and their permissions. */
export function templateRoutes({ askAt, target, lacks }: Suite): void {
  const ask = (method: string, path: string, request?: Request) =>
    askAt('management', method, `/templates${path}`, request);
  const named = () => `contract ${randomBytes(8).toString('hex')}`;
  const bodyOf = (settings: object) => JSON.stringify(settings);
  const create = async (settings: object = {}): Promise<Answer> => {
    const answer = await ask('POST', '', { body: bodyOf({ name: named(), imageName: 'team/worker:1', ...settings }) });
    expect(answer.status).toBe(200);
    return answer;
  };
  const update = ({ json }: Answer, changes: object) => ask('POST', `/${json.id}/update`, { body: bodyOf(changes) });

  describe('an update', () => {
    it('[route.update-template][route.update-template.partial][route.read-template] changes only the fields in its request', async () => {
      const made = await create({ env: { A: '1' }, readme: 'old' });
      const { status, json } = await update(made, { readme: 'new' });
      expect([status, json]).toEqual([200, { ...made.json, readme: 'new' }]);
      expect((await ask('GET', `/${made.json.id}`)).json).toEqual({ ...json, endpoints: [] });
    });

    it('[route.update-template.empty] gets a 200 if it is empty or changes nothing', async () => {
      const env = { B: '2', A: '1' };
      const made = await create({ env });
      for (const nothing of [{}, { env }, { env: { A: '1', B: '2' } }, { name: made.json.name }, { unknown: 1 }]) {
        const { status, json } = await update(made, nothing);
        expect([status, json]).toEqual([200, made.json]);
      }
    });

    it('[route.update-template.rolls][template.version] raises the version if it requires new workers', async () => {
      const made = await create();
      for (const [changes, version] of [
        [{ name: named() }, 1],
        [{ readme: 'new', isPublic: true }, 1],
        [{ imageName: 'team/worker:2' }, 2],
        [{ env: { A: '1' }, ports: ['80/http'] }, 3],
      ] as const)
        expect((await update(made, changes)).json).toMatchObject({ ...changes, version });
    });

    it('[route.update-template.fixed] is refused if it sets category or isServerless, even to the current value', async () => {
      const made = await create();
      for (const fixed of [{ category: 'CPU' }, { category: 'NVIDIA' }, { isServerless: false }]) {
        const { status, json } = await update(made, { readme: 'new', ...fixed });
        expect([status, json.code]).toEqual([400, 'INVALID_REQUEST']);
        expect(json.error).toContain(`\`${Object.keys(fixed)[0]}\` cannot be set`);
      }
      expect((await ask('GET', `/${made.json.id}`)).json).toMatchObject(made.json);
    });

    it('[route.update-template] is not lost if many updates are concurrent', async () => {
      const made = await create();
      const changes = [{ readme: 'all' }, { ports: ['80/http'] }, { env: { A: '1' } }, { isPublic: true }];
      const answers = await Promise.all(changes.map((each) => update(made, each)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect((await ask('GET', `/${made.json.id}`)).json).toMatchObject(Object.assign({}, ...changes));
    });
  });

  describe('the template of an endpoint', () => {
    it('[template.declaredIn][template.drift] names its file, and lists the fields that a client changes until they are restored', async () => {
      const { endpoint } = target;
      const path = `/endpoint-${endpoint}`;
      const { json: before } = await ask('GET', path);
      expect(before.declaredIn).toBe(`endpoints/${endpoint}.yaml`);
      const change = (body: object) => ask('POST', `${path}/update`, { body: bodyOf(body) });
      // The readme does not replace workers.
      const { status, json } = await change({ readme: named(), reason: 'Contract' });
      const by = { kind: 'key', id: expect.any(String), name: expect.any(String) };
      const drift = [{ field: 'readme', declared: before.readme, by, at: expect.any(String), reason: 'Contract' }];
      expect([status, json.drift]).toEqual([200, drift]);
      expect((await ask('GET', path)).json.drift).toEqual(drift);
      expect((await change({ readme: before.readme })).json.drift).toBeUndefined();
      expect((await change({ drift: [] })).status).toBe(400);
    });
  });

  describe('a template', () => {
    it('[limits.templates] can be read 50 times at the same time', async () => {
      const path = `/${(await create()).json.id}`;
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask('GET', path)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    });

    it('[route.remove-template] can be deleted, which frees its name', async () => {
      const made = await create();
      const path = `/${made.json.id}`;
      const { status, json } = await ask('DELETE', path);
      expect([status, json]).toEqual([200, { id: made.json.id }]);
      for (const gone of [await ask('GET', path), await ask('DELETE', path), await update(made, {})])
        expect([gone.status, gone.json.code]).toEqual([404, 'TEMPLATE_NOT_FOUND']);
      await create({ name: made.json.name });
    });

    it('[errors.404] returns 404 for every operation if it does not exist', async () => {
      for (const id of ['0'.repeat(20), 'Not-An-Id', 'x'.repeat(2_000), 'a%00b', "'%20OR%201=1", '__proto__'])
        for (const [method, path] of [
          ['GET', ''],
          ['DELETE', ''],
          ['POST', '/update'],
        ] as const) {
          const { status, json } = await ask(method, `/${id}${path}`, method === 'POST' ? { body: '{}' } : {});
          expect([id, status, json.code]).toEqual([id, 404, 'TEMPLATE_NOT_FOUND']);
        }
    });

    it('[route.list-templates] is in the list, which can be filtered and continues from its cursor', async () => {
      const made = [
        await create({ category: 'AMD', isPublic: true }),
        await create({ category: 'AMD', isServerless: true }),
      ];
      const ids = made.map(({ json }) => json.id);
      const listed = async (query: string) => {
        const found: unknown[] = [];
        for (let cursor = ''; ; ) {
          const { status, json } = await ask('GET', `?limit=1${query}${cursor}`);
          expect(status).toBe(200);
          found.push(...(json.templates as { id: string }[]).map(({ id }) => id));
          if (json.nextCursor === undefined) return found.filter((id) => ids.includes(id));
          cursor = `&cursor=${json.nextCursor}`;
        }
      };
      expect(await listed('&category=AMD')).toEqual(ids.toSorted((a, b) => String(a).localeCompare(String(b))));
      expect(await listed('&category=AMD&isPublic=true')).toEqual(ids.slice(0, 1));
      expect(await listed('&category=AMD&isServerless=true&isPublic=false')).toEqual(ids.slice(1));
      expect(await listed('&category=CPU')).toEqual([]);
      for (const query of [
        '?limit=0',
        '?limit=101',
        '?cursor=x',
        '?category=TPU',
        '?isPublic=yes',
        '?isPublic=true&isPublic=true',
      ])
        expect([query, (await ask('GET', query)).json.code]).toEqual([query, 'INVALID_REQUEST']);
    });
  });

  describe('a key without scopes', () => {
    it('[auth.templates][errors.401] cannot call any operation on templates', { skip: lacks.limitedKey }, async () => {
      const headers = { Authorization: `Bearer ${target.limitedKey}` };
      const path = `/${(await create({ isPublic: true })).json.id}`;
      for (const [method, at, body] of [
        ['GET', '', undefined],
        ['POST', '', '{}'],
        ['GET', path, undefined],
        ['DELETE', path, undefined],
        ['POST', `${path}/update`, '{}'],
      ] as const) {
        const { status, json } = await ask(method, at, { body, headers });
        expect([method, at, status, json.code]).toEqual([method, at, 401, 'UNAUTHORIZED']);
      }
    });
  });

  describe('a template of another owner', () => {
    const secret = randomBytes(12).toString('hex');
    const headers = () => ({ Authorization: `Bearer ${target.otherKey}` });
    const asOther = (method: string, path: string, body?: string) => ask(method, path, { body, headers: headers() });

    it('[auth.templates.secrets][errors.401] cannot name secrets or registry logins if its key lacks their scope', {
      skip: lacks.otherKey,
    }, async () => {
      const name = randomBytes(12).toString('hex');
      const { json } = await asOther('POST', '', JSON.stringify({ name, imageName: 'a' }));
      for (const named of [{ env: { A: '{{secrets:ANY}}' } }, { containerRegistryAuthId: 'any' }])
        for (const [path, settings] of [
          ['', { name: `${name}-2`, imageName: 'a' }],
          [`/${json.id}/update`, {}],
        ] as const) {
          const answer = await asOther('POST', path, JSON.stringify({ ...settings, ...named }));
          expect([path, answer.status, answer.json.code]).toEqual([path, 401, 'SECRETS_NOT_PERMITTED']);
          // The key of the tests has the scope, but the names do not exist in Secrets Manager.
          if (path === '')
            expect((await ask('POST', '', { body: JSON.stringify({ ...settings, ...named }) })).json.code).toBe(
              'INVALID_REQUEST',
            );
        }
      expect((await asOther('DELETE', `/${json.id}`)).status).toBe(200);
    });

    it('[template.isPublic][template.isPublic.owner] is not found if it is private', {
      skip: lacks.otherKey,
    }, async () => {
      const { json } = await create();
      const answers = [
        asOther('GET', `/${json.id}`),
        asOther('DELETE', `/${json.id}`),
        asOther('POST', `/${json.id}/update`, '{}'),
      ];
      for (const answer of await Promise.all(answers))
        expect([answer.status, answer.json.code]).toEqual([404, 'TEMPLATE_NOT_FOUND']);
      expect((await asOther('GET', '?limit=100')).text).not.toContain(String(json.id));
    });

    it('[template.isPublic][template.isPublic.owner][template.env.private] can be read without its variables, but not changed, if it is public', {
      skip: lacks.otherKey,
    }, async () => {
      const { json } = await create({ isPublic: true, env: { TOKEN: secret } });
      const read = await asOther('GET', `/${json.id}`);
      expect([read.status, read.json]).toEqual([200, { ...json, env: { TOKEN: '********' }, endpoints: [] }]);
      for (const answer of [
        await asOther('DELETE', `/${json.id}`),
        await asOther('POST', `/${json.id}/update`, '{"readme":"x"}'),
      ])
        expect([answer.status, answer.json.code]).toEqual([401, 'UNAUTHORIZED']);
      for (let cursor = ''; ; ) {
        const { text, json: page } = await asOther('GET', `?limit=100&isPublic=true${cursor}`);
        expect(text).not.toContain(secret);
        if (page.nextCursor === undefined) break;
        cursor = `&cursor=${page.nextCursor}`;
      }
      expect((await ask('GET', `/${json.id}`)).json.env).toEqual({ TOKEN: secret });
    });
  });
}
