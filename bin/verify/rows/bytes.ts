/** Sends bodies that `fetch` cannot send: without a Content-Length, and in pieces. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { text as textOf } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { expect } from 'expect';
import type { Suite } from '../suite.ts';

interface Sent {
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body: Uint8Array;
  /**
   * Whether the body ends.
   * @default true
   */
  readonly ends?: boolean;
}

/** Bytes of a JSON string that are not UTF-8. */
const INVALID = Buffer.concat([Buffer.from('{"input":{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}}')]);
const BINARY = { 'Content-Type': 'application/octet-stream', 'Content-Length': INVALID.length };

export function bytes({ ask, askAt, run, target }: Suite): void {
  async function post(base: string, path: string, { headers, body, ends = true }: Sent) {
    const Authorization = `Bearer ${target.key}`;
    const send = base.startsWith('https:') ? secureRequest : request;
    const sent = send(`${base}${path}`, { method: 'POST', headers: { Authorization, ...headers } });
    // The service can close the connection before the end of the body.
    sent.on('error', () => undefined);
    sent.write(body);
    if (ends) sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const json = JSON.parse(await textOf(response)) as Record<string, unknown>;
    sent.destroy();
    return { status: response.statusCode, json };
  }
  const postJob = (path: string, sent: Sent) => post(target.serverlessUrl, `/${target.endpoint}/${path}`, sent);

  describe('a body that is not UTF-8', () => {
    // A binary body of `/openai/*` is a file.
    for (const [path, each] of [
      ['run', [{}, BINARY]],
      ['runsync', [{}, BINARY]],
      ['openai/v1/chat/completions', [{}]],
    ] as const)
      it(`[body.utf8] is a 400 of /${path} where the service reads its bytes`, async () => {
        for (const headers of each) {
          const { status, json } = await postJob(path, { headers, body: INVALID });
          expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining('not valid UTF-8 at byte 15')]);
        }
      });

    it('[body.utf8] is accepted with U+FFFD in the place of bytes that API Gateway decodes', async () => {
      const { status, json } = await postJob('run', { headers: { 'Content-Length': INVALID.length }, body: INVALID });
      expect(status).toBe(200);
      expect((await ask('GET', `input/${json.id}`)).json).toEqual({ a: '\ufffd\ufffd' });
      await ask('POST', `cancel/${json.id}`);

      const body = Buffer.from(`{"name":"bytes-${Date.now()}","imageName":"a","readme":"\xff"}`, 'latin1');
      const created = await post(target.baseUrl, '/templates', { headers: { 'Content-Length': body.length }, body });
      expect([created.status, created.json.readme]).toEqual([200, '\ufffd']);
      expect((await askAt('management', 'DELETE', `/templates/${created.json.id}`)).status).toBe(200);
    });
  });

  describe('a body that pauses', () => {
    it('[errors.408] for 20 s is a 408 that stores nothing', async () => {
      const id = await run({});
      const body = Buffer.from('{"input":{"a');
      const { status, json } = await postJob('run', { body, ends: false });
      expect([status, json]).toEqual([
        408,
        { error: expect.stringContaining('12 bytes arrived'), code: 'REQUEST_TIMEOUT', requestId: expect.any(String) },
      ]);
      expect((await ask('GET', 'requests?limit=1')).json).toMatchObject({ requests: [{ id }] });
    });
  });
}
