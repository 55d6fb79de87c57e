import { describe, it } from 'node:test';
import { expect } from 'expect';
import type { Suite } from '../suite.ts';

const UNKNOWN = '0'.repeat(36);
const SIGNATURE =
  'AWS4-HMAC-SHA256 Credential=AKIA/20260101/us-east-1/execute-api/aws4_request, SignedHeaders=host, Signature=0';

export function errors({ ask, askAt, target, lacks }: Suite): void {
  const submit = (body: string) => ask('POST', 'run', { body });

  describe('an error', () => {
    it('[errors.400][body.json] is a 400 for a body that is not a JSON object', async () => {
      for (const [body, sentence] of [
        ['', 'is empty'],
        ['{"input":', 'not valid JSON'],
        ['{"input":{}}}', 'not valid JSON'],
        ["{'input':{}}", 'not valid JSON'],
        ['\ufeff{"input":{}}', 'begins with a byte order mark'],
        ['{"input":{"n":NaN}}', 'NaN at byte 14, which is not a JSON value'],
        ['[]', 'got an array'],
        ['null', 'null'],
      ] as const) {
        for (const { status, json } of [
          await submit(body),
          await ask('POST', 'runsync', { body }),
          await askAt('management', 'POST', '/templates', { body }),
        ]) {
          expect([body, status, json]).toMatchObject([body, 400, { code: 'INVALID_REQUEST' }]);
          expect(json.error).toContain(sentence);
        }
      }
    });

    it('[errors.400][body.input] is a 400 for an input that is not an object', async () => {
      expect((await submit('{}')).json.error).toContain('`input` is missing');
      for (const input of ['[]', 'null', '"{}"', '7', 'true']) {
        const { status, json } = await submit(`{"input":${input}}`);
        expect([input, status, json.code]).toEqual([input, 400, 'INVALID_REQUEST']);
        expect(json.error).toContain('`input` must be an object');
      }
    });

    it('[errors.nosniff] has a media type that browsers do not guess, and so has every other answer', async () => {
      const { serverlessUrl, endpoint, key } = target;
      const headers = { Authorization: `Bearer ${key}` };
      for (const [method, path, status, sent] of [
        ['GET', `${endpoint}/health`, 200, headers],
        ['POST', `${endpoint}/run`, 400, headers],
        ['POST', `${endpoint}/runsync`, 400, headers],
        ['GET', `${endpoint}/health`, 401, {}],
        ['HEAD', `${endpoint}/health`, 405, headers],
        ['GET', `${endpoint}/nothing`, 404, headers],
      ] as const) {
        const body = method === 'POST' ? '[' : undefined;
        const response = await fetch(`${serverlessUrl}/${path}`, { method, headers: sent, body: body ?? null });
        const type = response.headers.get('x-content-type-options');
        expect([method, path, response.status, type]).toEqual([method, path, status, 'nosniff']);
      }
    });

    it('[errors.404] is a 404 for an endpoint that does not exist, for every operation', async () => {
      for (const [method, operation] of [
        ['POST', 'run'],
        ['POST', 'runsync'],
        ['GET', `status/${UNKNOWN}`],
        ['POST', `status/${UNKNOWN}`],
        ['GET', `status-sync/${UNKNOWN}`],
        ['GET', `stream/${UNKNOWN}`],
        ['POST', `cancel/${UNKNOWN}`],
        ['POST', `retry/${UNKNOWN}`],
        ['POST', 'purge-queue'],
        ['GET', 'health'],
      ] as const) {
        const body = operation.startsWith('run') ? '{"input":{}}' : undefined;
        const { status, json } = await askAt('jobs', method, `/nowhere/${operation}`, { body });
        expect([operation, status, json.code]).toEqual([operation, 404, 'ENDPOINT_NOT_FOUND']);
        expect(json.error).toContain('`nowhere`');
      }
    });

    it('[errors.404] is a 404 for a job that does not exist', async () => {
      for (const id of [UNKNOWN, `sync-${UNKNOWN}`, 'unknown', 'a%20b', '%F0%9F%99%82'])
        for (const [method, operation] of [
          ['GET', 'status'],
          ['GET', 'status-sync'],
          ['GET', 'stream'],
          ['POST', 'cancel'],
          ['POST', 'retry'],
        ] as const) {
          const { status, json } = await ask(method, `${operation}/${id}`);
          expect([operation, id, status, json.code]).toEqual([operation, id, 404, 'JOB_NOT_FOUND']);
        }
    });

    it('[errors.404] is a 404 for a path or a method that does not exist', async () => {
      const { endpoint } = target;
      for (const [method, path] of [
        ['GET', `/${endpoint}/nothing`],
        ['GET', `/${endpoint}/run`],
        ['DELETE', `/${endpoint}/status/${UNKNOWN}`],
        ['POST', `/${endpoint}/health`],
        ['GET', `/${endpoint}`],
        ['GET', '/'],
      ] as const) {
        const { status, json } = await askAt('jobs', method, path);
        expect([method, path, status, json.code]).toEqual([method, path, 404, 'ROUTE_NOT_FOUND']);
      }
    });

    const forms = ['Bearer nonsense', 'nonsense', 'Basic dXNlcjpwYXNzd29yZA==', SIGNATURE];
    for (const [form, headers] of [
      ['no header', {}],
      ...forms.map((each) => [each, { Authorization: each }] as const),
    ] as const)
      it(`[errors.404][errors.method] is a 404 for a path or a method that does not exist, with ${form}`, async () => {
        const { endpoint } = target;
        for (const [name, method, path] of [
          ['jobs', 'GET', '/'],
          ['jobs', 'GET', `/${endpoint}`],
          ['jobs', 'GET', `/${endpoint}/nothing/at/all`],
          ['jobs', 'PUT', `/${endpoint}/run`],
          ['jobs', 'DELETE', `/${endpoint}/status/${UNKNOWN}`],
          ['management', 'GET', '/'],
          ['management', 'GET', '/nothing'],
          ['management', 'PATCH', '/templates'],
        ] as const) {
          const { status, json } = await askAt(name, method, path, { headers });
          const error = `The interface has no operation \`${method}\` at this path.`;
          expect([path, status, json]).toEqual([
            path,
            404,
            { error, code: 'ROUTE_NOT_FOUND', requestId: expect.any(String) },
          ]);
        }
      });

    it('[errors.404] is a 404 for a path that does not exist, with any content type', async () => {
      const { endpoint, key } = target;
      for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
        const headers = { Authorization: `Bearer ${key}`, 'Content-Type': type };
        const { status, json } = await askAt('jobs', 'POST', `/${endpoint}/nothing`, { headers, body: 'a=b' });
        expect([type, status, json.code]).toEqual([type, 404, 'ROUTE_NOT_FOUND']);
      }
    });

    it('[errors.method] is a 404 for a method that a path does not have', async () => {
      const { endpoint } = target;
      for (const path of [`/${endpoint}/health`, `/${endpoint}/run`, '/openapi.json']) {
        const { status, json } = await askAt('jobs', 'PUT', path);
        expect([path, status, json.code]).toEqual([path, 404, 'ROUTE_NOT_FOUND']);
      }
    });

    it('[errors.method] is a 405 with Allow for HEAD of a path that has GET, for a key that permits GET', async () => {
      const { serverlessUrl, baseUrl, endpoint, key } = target;
      const head = async (url: string, authorization?: string) => {
        const headers = authorization === undefined ? {} : { Authorization: authorization };
        const answer = await fetch(url, { method: 'HEAD', headers });
        const allowed = answer.headers.get('allow')?.split(', ') ?? [];
        expect([url, await answer.text(), answer.headers.get('content-type')]).toEqual([url, '', 'application/json']);
        // If web pages of another origin are allowed, each path also has OPTIONS.
        return [url, answer.status, allowed.filter((method) => method !== 'OPTIONS')];
      };
      for (const [url, methods] of [
        [`${serverlessUrl}/${endpoint}/health`, ['GET']],
        [`${serverlessUrl}/${endpoint}/status/${UNKNOWN}`, ['GET', 'POST']],
        [`${baseUrl}/endpoints`, ['GET']],
        [`${baseUrl}/templates`, ['POST', 'GET']],
        [`${baseUrl}/templates/${UNKNOWN}`, ['GET', 'DELETE']],
      ] as const) {
        expect(await head(url, `Bearer ${key}`)).toEqual([url, 405, methods]);
        for (const wrong of [undefined, 'Bearer nonsense']) expect(await head(url, wrong)).toEqual([url, 401, []]);
      }
      for (const url of [`${serverlessUrl}/openapi.json`, `${baseUrl}/openapi.json`])
        expect(await head(url)).toEqual([url, 405, ['GET']]);
      const run = `${serverlessUrl}/${endpoint}/run`;
      expect(await head(run, `Bearer ${key}`)).toEqual([run, 404, []]);
    });

    it('[errors.method] is a 401 for HEAD with a key that does not permit GET', {
      skip: lacks.limitedKey,
    }, async () => {
      const { baseUrl, limitedKey } = target;
      const headers = { Authorization: `Bearer ${limitedKey}` };
      const { status } = await fetch(`${baseUrl}/endpoints`, { method: 'HEAD', headers });
      expect(status).toBe(401);
    });

    it('[errors.options] is a 404 for OPTIONS unless pages of another origin are allowed', async () => {
      const { serverlessUrl, endpoint } = target;
      const { status, headers } = await fetch(`${serverlessUrl}/${endpoint}/run`, { method: 'OPTIONS' });
      const mayCall = status === 204;
      expect([status, headers.has('access-control-allow-methods')]).toEqual([mayCall ? 204 : 404, mayCall]);
    });

    it('[errors.once] names each invalid value once', async () => {
      const { json } = await submit('{"input":{},"policy":{"ttl":1e99,"executionTimeout":-1e99}}');
      const clauses = String(json.error).split('; ');
      expect([clauses.length, new Set(clauses).size]).toEqual([2, 2]);
    });

    it('[errors.shape] has a message, a code and the id of its request, and nothing else', async () => {
      const { headers } = { headers: { Authorization: 'Bearer nonsense' } };
      const answers = await Promise.all([
        submit('{}'),
        ask('GET', 'health', { headers }),
        ask('GET', 'status/unknown'),
        ask('GET', 'nothing'),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([400, 401, 404, 404]);
      const text = expect.stringMatching(/./);
      for (const { json } of answers) {
        expect(json).toEqual({
          error: text,
          code: expect.stringMatching(/^[A-Z]+(?:_[A-Z]+)+$|^[A-Z]+$/),
          requestId: text,
        });
      }
      expect(new Set(answers.map(({ json }) => json.requestId)).size).toBe(answers.length);
    });
  });
}
