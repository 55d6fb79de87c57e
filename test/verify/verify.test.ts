/** Tests `gpu-endpoints verify` where the rows cannot be checked, against servers that answer like a deployment. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { operations } from '../../core/operations/routes.ts';

type Answers = Readonly<Record<string, readonly [status: number, body: object]>>;

const answers: Answers = {
  '/v2/echo/health': [200, {}],
  '/v1/session': [200, { operations }],
  '/v1/endpoints': [200, { endpoints: [{ id: 'echo' }, { id: 'llm' }] }],
};
const notFound = [404, { code: 'ENDPOINT_NOT_FOUND' }] as const;
const refused = [401, { code: 'UNAUTHORIZED' }] as const;

let server: Server | undefined;
afterEach(() => void server?.close());

async function serve(own: Answers = {}): Promise<string> {
  server = createServer((request, response) => {
    const [status, body] = { ...answers, ...own }[request.url ?? ''] ?? notFound;
    response.writeHead(status, { Connection: 'close' }).end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function verify(args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const { promise, resolve } = Promise.withResolvers<{ code: number; out: string; err: string }>();
  const env = { PATH: process.env.PATH, GPU_ENDPOINTS_KEY: 'key', ...variables };
  const program = ['--disable-warning=ExperimentalWarning', 'bin/cli.ts', 'verify'];
  execFile(process.execPath, [...program, ...args], { env }, (error, out, err) =>
    resolve({ code: Number(error?.code ?? 0), out, err: err.trim() }),
  );
  return promise;
}

const oneSentence = (text: string | RegExp) => ({ code: 2, out: '', err: expect.stringMatching(text) });

describe('verify', () => {
  it('prints its help without a network', async () => {
    const { code, out } = await verify(['--help']);
    expect([code, out]).toEqual([0, expect.stringContaining('Example:\n  npx gpu-endpoints verify --url http')]);
  });

  it('ends at once if no service answers at the URL', async () => {
    const url = await serve();
    server?.close();
    expect(await verify(['--url', `${url}/v2`])).toEqual(oneSentence(/^http:\S+ cannot be reached: .*ECONNREFUSED/));
  });

  it.each(['127.0.0.1/v2', 'ftp://example.com', 'example.com'])(
    'ends at once if %s is not the URL of a job interface',
    async (url) => {
      const sentence = /^The URL of the job interface must begin with http.* and end in \/v2, got /;
      expect(await verify(['--url', url])).toEqual(oneSentence(sentence));
    },
  );

  it('lists rows without a key', async () => {
    const { code, out } = await verify(['--list', '--only', 'limits.*'], { GPU_ENDPOINTS_KEY: '' });
    expect(code).toBe(0);
    const lines = out.trim().split('\n');
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) expect(line).toMatch(/^limits\.\S+ {2}\S/);
  });

  it('ends at once if the key is missing', async () => {
    expect(await verify(['--url', 'http://127.0.0.1:1/v2'], { GPU_ENDPOINTS_KEY: '' })).toEqual(
      oneSentence(
        /^The variable GPU_ENDPOINTS_KEY must be a key: `npx gpu-endpoints keys create --name verify .*` creates one\.$/,
      ),
    );
  });

  it.each<[string, Answers, Readonly<Record<string, string>>, RegExp]>([
    [
      'the key is refused',
      { '/v2/echo/health': refused },
      {},
      /^The deployment refuses its key, that of GPU_ENDPOINTS_KEY or of the profile: `npx gpu-endpoints keys create/,
    ],
    [
      'the key lacks an operation',
      { '/v1/session': [200, { operations: operations.filter((name) => name !== 'retry') }] },
      {},
      /^The key may not call retry, and the rows need all operations: `npx gpu-endpoints keys create/,
    ],
    [
      'the endpoint does not exist',
      { '/v2/echo/health': notFound },
      {},
      /^The deployment has no endpoint `echo`; --endpoint must be one of echo, llm\.$/,
    ],
    [
      'another service answers',
      { '/v2/echo/health': [404, {}] },
      {},
      /^http:\S+\/v2 is not a job interface: GET \/echo\/health answered 404\.$/,
    ],
    [
      'the key of another owner is refused',
      { '/v1/templates?limit=1': refused },
      { GPU_ENDPOINTS_OTHER_KEY: 'wrong' },
      /^The deployment refuses the key in GPU_ENDPOINTS_OTHER_KEY: `npx gpu-endpoints keys create --name other /,
    ],
  ])('ends at once if %s', async (_, own, variables, sentence) => {
    expect(await verify(['--url', `${await serve(own)}/v2`], variables)).toEqual(oneSentence(sentence));
  });

  it('ends at once if a pattern matches no row', async () => {
    expect(await verify(['--url', `${await serve()}/v2`, '--only', 'job.id', 'job.mood*'])).toEqual(
      oneSentence(/^--only job\.mood\* matches no row/),
    );
  });
});
