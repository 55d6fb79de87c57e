import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../../packages/emulator/network/ports.ts';
import { eventually } from '../acceptance/local-service.ts';

let server: ReturnType<typeof spawn>;
let url: string;
let ended: Promise<unknown[]>;

beforeEach(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  server = spawn(process.execPath, ['examples/http/server.mjs'], { env: { PORT: String(port) }, stdio: 'ignore' });
  ended = once(server, 'exit');
  await eventually('it is healthy', () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok || undefined,
      () => undefined,
    ),
  );
});
afterEach(async () => {
  server.kill('SIGKILL');
  await ended;
});

/** Sends a request on a new connection, as the agent does. */
const post = (body: string) => fetch(url, { method: 'POST', body, headers: { Connection: 'close' } });

describe('the HTTP server example', () => {
  it('returns the request body unchanged', async () => {
    const answer = await post('{"n":-0, "m":1}');
    expect([answer.headers.get('Content-Type'), await answer.text()]).toEqual(['application/json', '{"n":-0, "m":1}']);
  });

  it('has no health path except /health, so that a wrong one is noticed', async () => {
    for (const path of ['/', '/not-there', '/healthz', '/v1', '/health/v1/'])
      expect([path, (await fetch(url + path, { headers: { Connection: 'close' } })).status]).toEqual([path, 404]);
  });

  it('answers a call without a body with its method and path, and refuses a body that is no JSON object', async () => {
    const models = await fetch(`${url}/v1/models?limit=1`, { headers: { Connection: 'close' } });
    expect([models.status, await models.json()]).toEqual([200, { method: 'GET', path: '/v1/models?limit=1' }]);
    for (const body of ['{', 'null', '7']) {
      const refused = await post(body);
      expect([refused.status, await refused.text()]).toEqual([400, 'The body must be a JSON object.']);
    }
  });

  it('streams lines and events', async () => {
    const lines = await post('{"op":"lines","chunks":2}');
    expect(lines.headers.get('Content-Type')).toBe('application/x-ndjson');
    expect(await lines.text()).toBe('{"n":0}\n{"n":1}\n');
    const events = await post('{"op":"events","chunks":1,"ms":1}');
    expect(events.headers.get('Content-Type')).toBe('text/event-stream');
    expect(await events.text()).toBe('data: {"n":0}\n\ndata: [DONE]\n\n');
  });

  it('sleeps or fails according to `op`, and refuses an unknown `op`', async () => {
    expect(await (await post('{"op":"sleep","ms":1}')).json()).toEqual({ slept: 1 });
    const failed = await post('{"op":"fail","status":422,"message":"no such model"}');
    expect([failed.status, await failed.text()]).toEqual([422, 'no such model']);
    const unknown = await post('{"op":"constructor"}');
    expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining('`op` must be one of echo,')]);
  });

  it('exits without a response for `op: die`', async () => {
    await expect(post('{"op":"die"}')).rejects.toThrow();
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  it('completes the request in progress after SIGTERM', async () => {
    const answer = post('{"op":"sleep","ms":200}');
    await fetch(`${url}/health`);
    server.kill('SIGTERM');
    expect(await (await answer).json()).toEqual({ slept: 200 });
    expect(await ended).toEqual([0, null]);
  });
});
