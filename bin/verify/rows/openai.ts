import { describe, it } from 'node:test';
import { expect } from 'expect';
import { eventually } from '../eventually.ts';
import type { Suite } from '../suite.ts';

const BODY = '{"model":"m","n":12345678901234567890,"text":"\\u00e9"}';

/** The worker is the example worker, which returns its input. */
export function openai({ ask, target }: Suite): void {
  const init = () => ({ headers: { Authorization: `Bearer ${target.key}`, 'Content-Type': 'application/json' } });

  describe('a call from an OpenAI client', () => {
    it('[route.openai] is answered with the output of the worker, and names its job in a header', async () => {
      const { status, headers, text } = await ask('POST', 'openai/v1/chat/completions', { ...init(), body: BODY });
      expect([status, text]).toEqual([200, `{"openai_route":"/v1/chat/completions","openai_input":${BODY}}`]);
      const id = headers.get('x-job-id');
      expect((await ask('GET', `status/${id}`)).json).toMatchObject({ id, status: 'COMPLETED' });
    });

    it('[route.openai] can be a GET, with a path of several segments and a query', async () => {
      const { status, json } = await ask('GET', 'openai/v1/models/org/name?after=x', init());
      expect([status, json]).toEqual([200, { openai_route: '/v1/models/org/name', openai_query: 'after=x' }]);
    });

    it('[route.openai] can have a file, whose bytes reach the worker unchanged', async () => {
      const bytes = Uint8Array.from([0, 255, 13, 10, 200]);
      const form = new FormData();
      form.set('file', new File([bytes], 'a.wav', { type: 'audio/wav' }));
      const whole = new Response(form);
      const type = whole.headers.get('content-type') ?? '';
      const body = Buffer.from(await whole.arrayBuffer());
      const response = await fetch(`${target.serverlessUrl}/${target.endpoint}/openai/v1/audio/transcriptions`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${target.key}`, 'Content-Type': type },
        body,
      });
      expect(await response.json()).toEqual({
        openai_route: '/v1/audio/transcriptions',
        openai_content_type: type,
        openai_base64: body.toString('base64'),
      });
    });

    it('[route.openai.stream] gets events up to [DONE] if it requests a stream', async () => {
      const response = await fetch(`${target.serverlessUrl}/${target.endpoint}/openai/v1/completions`, {
        ...init(),
        method: 'POST',
        body: '{"stream":true}',
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ]);
      const input = '{"openai_route":"/v1/completions","openai_input":{"stream":true}}';
      expect(await response.text()).toBe(`data: ${input}\n\ndata: [DONE]\n\n`);
    });

    it("[route.openai.errors] gets an error of OpenAI's shape if its key is refused", async () => {
      const answer = await ask('GET', 'openai/v1/models', { headers: { Authorization: 'Bearer wrong' } });
      expect(answer.status).toBe(401);
      const type = 'authentication_error';
      const error = { message: expect.stringContaining('key'), type, param: null, code: 'UNAUTHORIZED' };
      expect(answer.json.error).toEqual(error);
    });

    it('[route.openai.methods] is refused for a method that its worker does not know', async () => {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const { status, json } = await ask(method, 'openai/v1/files/file-1', init());
        expect([status, json.error]).toEqual([404, expect.objectContaining({ code: 'ROUTE_NOT_FOUND' })]);
      }
    });

    it("[route.openai.errors] gets an error of OpenAI's shape if it is invalid", async () => {
      const { status, json } = await ask('POST', 'openai/v1/completions', { ...init(), body: '[]' });
      const error = {
        message: expect.any(String),
        type: 'invalid_request_error',
        param: null,
        code: 'INVALID_REQUEST',
      };
      expect([status, json]).toEqual([400, { error }]);
    });
  });
}

/** Tests rows while all workers are busy. */
export function openaiCalls(suite: Suite): void {
  const { ask, jobIn, target } = suite;

  describe('a waiting call from an OpenAI client', () => {
    it('[route.openai.gone] is cancelled when its client closes its connection', async () => {
      const waiting = async () => {
        const { json } = await ask('GET', 'requests?status=IN_QUEUE&limit=1');
        return json.requests as readonly { readonly id: string }[] | undefined;
      };
      // Other calls might be waiting already.
      const [before] = await eventually('the waiting jobs are listed', waiting, { every: 2_000 });
      const leaving = new AbortController();
      const call = fetch(`${target.serverlessUrl}/${target.endpoint}/openai/v1/completions`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${target.key}`, 'Content-Type': 'application/json' },
        body: '{}',
        signal: leaving.signal,
      });
      const newest = async () => {
        const [job] = (await waiting()) ?? [];
        return job?.id.startsWith('sync-') && job.id !== before?.id ? job.id : undefined;
      };
      const id = await eventually('the job waits', newest, { every: 2_000 });
      leaving.abort();
      await expect(call).rejects.toThrow();
      await jobIn(id, 'CANCELLED');
    });

    it('[limits.openai] is admitted among 100 concurrent calls', async () => {
      const headers = { Authorization: `Bearer ${target.key}`, 'Content-Type': 'application/json' };
      const request = { headers, body: 'no JSON' };
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => ask('POST', 'openai/v1/completions', request)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
    });
  });
}
