import { describe, expect, it } from '@jest/globals';
import type { Suite } from '../suite.ts';

const UNKNOWN = '0'.repeat(36);

export function errors({ ask, askAt, target }: Suite): void {
  const submit = (body: string) => ask('POST', 'run', { body });

  describe('an error', () => {
    it('[errors.400][body.json] is a 400 for a body that is no JSON object', async () => {
      for (const [body, sentence] of [
        ['', 'is empty'],
        ['{"input":', 'not valid JSON'],
        ['{"input":{}}}', 'not valid JSON'],
        ["{'input':{}}", 'not valid JSON'],
        ['[]', 'got an array'],
        ['null', 'null'],
      ] as const) {
        const { status, json } = await submit(body);
        expect([body, status, json]).toMatchObject([body, 400, { code: 'INVALID_REQUEST' }]);
        expect(json.error).toContain(sentence);
      }
    });

    it('[errors.400][body.input] is a 400 for an input that is no object', async () => {
      expect((await submit('{}')).json.error).toContain('`input` is missing');
      for (const input of ['[]', 'null', '"{}"', '7', 'true']) {
        const { status, json } = await submit(`{"input":${input}}`);
        expect([input, status, json.code]).toEqual([input, 400, 'INVALID_REQUEST']);
        expect(json.error).toContain('`input` must be an object');
      }
    });

    it('[errors.404] is a 404 for an endpoint that is not there, whatever is asked of it', async () => {
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

    it('[errors.404] is a 404 for a job that is not there', async () => {
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

    it('[errors.404] is a 404 for a path or a method that is not there', async () => {
      const { endpoint } = target();
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

    it('[errors.shape] has a sentence, a code and the id of its request, and nothing else', async () => {
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
