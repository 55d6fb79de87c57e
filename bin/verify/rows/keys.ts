import { describe, it } from 'node:test';
import { expect } from 'expect';
import type { Suite } from '../suite.ts';
import { send } from '../wire.ts';

export function keys({ ask, askAt, target, lacks }: Suite): void {
  /** One request to each interface. */
  const asked = () =>
    [
      ['jobs', 'GET', `/${target.endpoint}/health`],
      ['management', 'GET', '/endpoints'],
    ] as const;
  const statusesWith = (headers: Record<string, string>) =>
    Promise.all(asked().map(async ([name, method, path]) => (await askAt(name, method, path, { headers })).status));
  const key = () => target.key;

  describe('a request', () => {
    it('[auth.bearer] can have the key after Bearer', async () => {
      expect(await statusesWith({ Authorization: `Bearer ${key()}` })).toEqual([200, 200]);
      expect(await statusesWith({ authorization: `bearer ${key()}` })).toEqual([200, 200]);
    });

    it('[auth.space] can have any white space after Bearer', async () => {
      for (const space of ['  ', '\t', ' \t '])
        expect(await statusesWith({ Authorization: `Bearer${space}${key()}` })).toEqual([200, 200]);
    });

    it('[auth.several] is checked with the last of several Authorization headers', async () => {
      const path = `/${target.endpoint}/health`;
      const statusWith = async (...values: string[]) => {
        const headers = values.map((value) => ['Authorization', value] as const);
        return (await send(target.serverlessUrl, key(), { method: 'GET', path, headers })).status;
      };
      expect(await statusWith('Bearer wrong', `Bearer ${key()}`)).toBe(200);
      expect(await statusWith(`Bearer ${key()}`, 'Bearer wrong')).toBe(401);
    });

    it('[auth.plain] can have only the key', async () => {
      expect(await statusesWith({ Authorization: key() })).toEqual([200, 200]);
    });

    it('[auth.missing][errors.401] without a key gets a 401', async () => {
      const without: Record<string, string>[] = [{}, { Authorization: 'Bearer ' }, { 'X-Api-Key': key() }];
      for (const headers of without) expect(await statusesWith(headers)).toEqual([401, 401]);
      const { json } = await ask('GET', 'health', { headers: {} });
      expect(json).toMatchObject({ code: 'UNAUTHORIZED', error: expect.stringContaining('Authorization header') });
    });

    it('[auth.invalid][errors.401] with an invalid key gets a 401 that does not contain the key', async () => {
      const wrong = key().slice(0, -1) + (key().endsWith('x') ? 'y' : 'x');
      for (const sent of [wrong, 'nonsense', key().slice(0, -1), `${key()}x`])
        for (const form of [`Bearer ${sent}`, sent, `Basic ${sent}`])
          expect([form, await statusesWith({ Authorization: form })]).toEqual([form, [401, 401]]);
      const { text, json } = await ask('POST', 'run', { body: '{"input":{}}', headers: { Authorization: wrong } });
      expect(json).toMatchObject({ code: 'UNAUTHORIZED' });
      expect(text).not.toContain(wrong);
    });

    it('[auth.permission][errors.401] with a key that does not permit it gets a 401', {
      skip: lacks.limitedKey,
    }, async () => {
      const headers = { Authorization: `Bearer ${target.limitedKey}` };
      expect(await statusesWith(headers)).toEqual([200, 401]);
      const { status, json } = await ask('POST', 'purge-queue', { headers });
      expect([status, json.code]).toEqual([401, 'UNAUTHORIZED']);
    });
  });
}
