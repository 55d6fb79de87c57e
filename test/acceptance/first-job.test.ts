import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { payloadLimits } from '../../core/limits.ts';
import { sharedAssembly } from './assembly.ts';
import {
  call,
  eventually,
  holdingFile,
  jobIn,
  type LocalService,
  newStateDir,
  readStatus,
  startService,
  stopService,
  submit,
} from './local-service.ts';
import { describeRunPodClient } from './runpod-client.ts';

let service: LocalService;
const stateDir = newStateDir();

beforeAll(async () => {
  const env = { LOCAL_CALL_LOG: join(stateDir, 'calls.jsonl') };
  service = await startService(stateDir, { env, args: ['--assembly', await sharedAssembly()] });
}, 120_000);
afterAll(async () => {
  await stopService(service);
});

const sized = (bytes: number) => `{"input":{"a":"${'x'.repeat(bytes - '{"input":{"a":""}}'.length)}"}}`;

/** Returns the health record when it has these counts. The ledger is about a second behind. */
const counted = (jobs: Readonly<Record<string, number>>) =>
  eventually(`health counts ${JSON.stringify(jobs)}`, async () => {
    const { json } = await call(service, 'GET', `${service.JobApiUrl}/echo/health`);
    const counts = json.jobs as Record<string, number>;
    return Object.entries(jobs).every(([name, count]) => counts[name] === count) ? json : undefined;
  });

describe('a job over HTTP', () => {
  it('returns its input as its output, byte for byte', async () => {
    const input = '{"big":12345678901234567890,"zero":-0,"text":"\\u00e9","b":1,"a":[ 2 ]}';
    const accepted = await submit(service, `{"input":${input}}`);
    expect(accepted).toMatchObject({ status: 200, json: { status: 'IN_QUEUE' } });
    const { text } = await jobIn(service, accepted.json.id, 'COMPLETED');
    expect(text).toContain(`"output":${input}`);
  });

  it('returns an output of 300 KB', async () => {
    const input = JSON.stringify({ text: 'é'.repeat(150_000) });
    const accepted = await submit(service, `{"input":${input}}`);
    const { text } = await jobIn(service, accepted.json.id, 'COMPLETED');
    expect(text).toContain(`"output":${input}`);
  });

  it('can be read immediately, with GET and with POST', async () => {
    for (let n = 0; n < 10; n += 1) {
      const { json } = await submit(service, '{"input":{}}');
      const url = `${service.JobApiUrl}/echo/status/${json.id}`;
      expect((await call(service, n % 2 ? 'GET' : 'POST', url)).status).toBe(200);
    }
  });

  it('is the same for all requests with one idempotency key and body', async () => {
    const once = (operation: string, key: string, body: string) => {
      const headers = { Authorization: `Bearer ${service.ApiKey}`, 'idempotency-key': key };
      return call(service, 'POST', `${service.JobApiUrl}/echo/${operation}`, { body, headers });
    };
    const answers = await Promise.all([1, 2, 3].map(() => once('run', 'k', '{"input":{}}')));
    for (const { status, text } of answers) expect([status, text]).toEqual([200, answers[0]?.text]);
    const waited = await Promise.all([1, 2].map(() => once('runsync?wait=60000', 'k', '{"input":{}}')));
    expect(waited[0]).toMatchObject({ status: 200, json: { status: 'COMPLETED' } });
    expect(waited[1]?.json).toEqual(waited[0]?.json);
    const other = await once('run', 'k', '{"input":{"b":1}}');
    expect(other).toMatchObject({ status: 409, json: { code: 'IDEMPOTENCY_CONFLICT' } });
    expect(await once('run', 'a b', '{"input":{}}')).toMatchObject({ status: 400, json: { code: 'INVALID_REQUEST' } });
  });

  it('has the error of its handler when it fails', async () => {
    const { json } = await submit(service, '{"input":{"op":"fail","message":"no such model"}}');
    const failed = await jobIn(service, json.id, 'FAILED');
    expect(failed.json).toMatchObject({ error: 'no such model', code: 'WORKER_ERROR' });
  });

  it.each([200, 7_000, 8_000, 6_000_000])('returns an output of %d bytes byte for byte', async (bytes) => {
    const body = sized(bytes);
    const { status, json } = await submit(service, body);
    expect(status).toBe(200);
    const completed = await jobIn(service, json.id, 'COMPLETED');
    expect(completed.text).toContain(`"output":${body.slice('{"input":'.length, -1)}}`);
  });

  it('is returned to waiting clients as soon as it ends', async () => {
    const url = `${service.JobApiUrl}/echo`;
    const body = '{"input":{"op":"sleep","ms":300}}';
    const sync = await call(service, 'POST', `${url}/runsync?wait=60000`, { body });
    expect(sync).toMatchObject({ status: 200, json: { status: 'COMPLETED', output: { slept: 300 } } });
    expect(sync.json.id).toMatch(/^sync-/);
    expect(sync.headers.get('x-job-id')).toBe(sync.json.id);
    const { json, headers } = await submit(service, body);
    expect(headers.get('x-job-id')).toBe(json.id);
    const waited = await call(service, 'GET', `${url}/status-sync/${json.id}?wait=60000`);
    expect(waited).toMatchObject({ status: 200, json: { status: 'COMPLETED', output: { slept: 300 } } });
    const refused = await call(service, 'POST', `${url}/runsync?wait=999`, { body });
    expect(refused).toMatchObject({ status: 400, json: { code: 'INVALID_REQUEST' } });
    expect(refused.json.error).toContain('from 1000 to 300000, got 999');
    const twice = await call(service, 'GET', `${url}/status/${json.id}?ttl=5000&ttl=6000`);
    expect(twice).toMatchObject({ status: 400, json: { code: 'INVALID_REQUEST' } });
    expect(twice.json.error).toContain('`ttl` must be a whole number of milliseconds from 1000');
    const status = await call(service, 'GET', `${url}/status/${json.id}?ttl=5000`);
    expect(status).toMatchObject({ status: 200, json: waited.json });
  });

  it('can be run by an HTTP server, which can also stream', async () => {
    const url = `${service.JobApiUrl}/echo-http`;
    const ask = (input: string) => call(service, 'POST', `${url}/runsync`, { body: `{"input":${input}}` });
    const input = '{"big":12345678901234567890, "zero":-0}';
    expect((await ask(input)).text).toContain(`"output":${input}`);
    const { json } = await ask('{"op":"events","chunks":2}');
    expect(json).toMatchObject({ status: 'COMPLETED', output: [] });
    const stream = await call(service, 'GET', `${url}/stream/${json.id}`);
    expect(JSON.parse(stream.text)).toMatchObject([{ output: { n: 0 } }, { output: { n: 1 } }]);
  });

  it('is IN_PROGRESS with its worker while it runs', async () => {
    const { until, release } = holdingFile();
    const { json } = await submit(service, JSON.stringify({ input: { op: 'sleep', ms: 1_000, until } }));
    const running = await jobIn(service, json.id, 'IN_PROGRESS');
    expect(running.json).toMatchObject({ workerId: expect.any(String), delayTime: expect.any(Number) });
    await counted({ inProgress: 1 });
    release();
    const completed = await jobIn(service, json.id, 'COMPLETED');
    expect(completed.json.executionTime).toBeGreaterThanOrEqual(1_000);
    expect(completed.json.output).toEqual({ slept: 1_000 });
  });

  it('is listed for its endpoint, with the newest job first', async () => {
    const { json } = await submit(service, '{"input":{}}');
    await jobIn(service, json.id, 'COMPLETED');
    const list = `${service.JobApiUrl}/echo/requests`;
    const page = await call(service, 'GET', `${list}?status=COMPLETED,FAILED&limit=1`);
    expect(page).toMatchObject({ status: 200, json: { requests: [{ id: json.id, status: 'COMPLETED' }] } });
    const refused = await call(service, 'GET', `${list}?cursor=x`);
    expect(refused).toMatchObject({ status: 400, json: { code: 'INVALID_REQUEST' } });
  });

  it('is counted in health', async () => {
    const health = await counted({ failed: 1, retried: 0 });
    expect(health).toMatchObject({ workers: { idle: expect.any(Number) } });
  });
});

describe('s3Config', () => {
  const canary = randomBytes(24).toString('hex');
  const mark = randomBytes(24).toString('hex');
  const answers: string[] = [];
  const body = (op: string, secret = `"${canary}"`) =>
    `{"input":{"op":"${op}","mark":"${mark}"},"s3Config":{"accessSecret":${secret},"region":"x"}}`;
  const ask = async (method: string, path: string, content?: string) => {
    const answer = await call(service, method, `${service.JobApiUrl}/echo/${path}`, { body: content });
    answers.push(answer.text);
    return answer;
  };
  const proof = { fields: ['accessSecret', 'region'], digest: createHash('sha256').update(canary).digest('hex') };

  it('reaches the worker with /runsync and with /run', async () => {
    expect((await ask('POST', 'runsync?wait=60000', body('s3'))).json.output).toEqual(proof);
    const { json } = await ask('POST', 'run', body('s3'));
    expect((await ask('GET', `status-sync/${json.id}?wait=60000`)).json.output).toEqual(proof);
    await ask('GET', `stream/${json.id}`);
  });

  it('does not appear in a response when the job fails or the request is invalid', async () => {
    const { json } = await ask('POST', 'run', body('fail'));
    expect((await ask('GET', `status-sync/${json.id}?wait=60000`)).json.status).toBe('FAILED');
    const cut = body('s3').slice(0, -1);
    for (const wrong of [body('s3', `["${canary}"]`), cut, body('s3', canary), body('s3', 'null')])
      expect(await ask('POST', 'run', wrong)).toMatchObject({ status: 400, json: { code: 'INVALID_REQUEST' } });
  });

  it('does not appear in any response, or in anything that the service prints, logs or stores', () => {
    const entries = readdirSync(stateDir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const contents = files.map((file) => readFileSync(file, 'latin1'));
    // Proves that the search would find a leaked string.
    expect(contents.some((content) => content.includes(mark))).toBe(true);
    const encoded = (['base64', 'hex'] as const).map((encoding) => Buffer.from(canary).toString(encoding));
    for (const place of [...contents, ...answers, service.printed()])
      for (const text of [canary, canary.slice(0, 12), ...encoded]) expect(place.includes(text)).toBe(false);
  });
});

describe('the management interface', () => {
  it('lists the endpoints', async () => {
    const { status, json } = await call(service, 'GET', `${service.ManagementApiUrl}/endpoints`);
    expect(status).toBe(200);
    expect(json.endpoints).toContainEqual(expect.objectContaining({ id: 'echo', minWorkers: 0 }));
  });
});

describe('a request', () => {
  const key = () => service.ApiKey;
  const wrong = () => service.ApiKey.slice(0, -1) + (service.ApiKey.endsWith('x') ? 'y' : 'x');

  it.each<[string, Record<string, string>, string]>([
    ['no Authorization header', {}, 'Authorization header'],
    ['an empty key', { Authorization: 'Bearer ' }, 'API key'],
    ['an unsupported scheme', { Authorization: 'Basic SzpL' }, 'API key'],
    ['a malformed key', { Authorization: 'Bearer nonsense' }, 'well-formed API key'],
  ])('gets 401 if it has %s', async (_, headers, sentence) => {
    const url = `${service.JobApiUrl}/echo/run`;
    const { status, json } = await call(service, 'POST', url, { body: '{"input":{}}', headers });
    expect(status).toBe(401);
    expect(json).toEqual({
      error: expect.stringContaining(sentence),
      code: 'UNAUTHORIZED',
      requestId: expect.any(String),
    });
  });

  it('gets 401 for a key with a wrong checksum, and the response does not contain the key', async () => {
    const url = `${service.JobApiUrl}/echo/health`;
    const answer = await call(service, 'GET', url, { headers: { Authorization: `Bearer ${wrong()}` } });
    expect(answer.status).toBe(401);
    expect(answer.text).not.toContain(wrong());
  });

  it('is accepted if the header contains the key without `Bearer`', async () => {
    const url = `${service.JobApiUrl}/echo/health`;
    expect((await call(service, 'GET', url, { headers: { Authorization: key() } })).status).toBe(200);
  });

  it.each<[string, string, string, string]>([
    ['GET', '/nowhere/health', 'ENDPOINT_NOT_FOUND', '`nowhere`'],
    ['POST', '/nowhere/run', 'ENDPOINT_NOT_FOUND', '`nowhere`'],
    ['GET', '/echo/status/unknown', 'JOB_NOT_FOUND', '`unknown`'],
    ['GET', '/echo/nothing', 'ROUTE_NOT_FOUND', ''],
    ['GET', '/echo/run', 'ROUTE_NOT_FOUND', ''],
    ['GET', '/', 'ROUTE_NOT_FOUND', ''],
  ])('gets 404 for %s %s', async (method, path, code, sentence) => {
    const body = method === 'POST' ? '{"input":{}}' : undefined;
    const { status, json } = await call(service, method, `${service.JobApiUrl}${path}`, { body });
    expect(status).toBe(404);
    expect(json).toEqual({ error: expect.stringContaining(sentence), code, requestId: expect.any(String) });
  });

  it.each([
    ['', 'is empty'],
    ['{"input":', 'not valid JSON'],
    ['[]', 'got an array'],
    ['{}', '`input` is missing'],
    ['{"input":[]}', '`input` must be an object'],
    [
      '{"input":{},"policy":{"ttl":9999}}',
      '`policy.ttl` must be a whole number of milliseconds from 10000 to 604800000, got 9999',
    ],
  ])('gets 400 for the body %j', async (body, sentence) => {
    const { status, json } = await submit(service, body);
    expect(status).toBe(400);
    expect(json).toEqual({
      error: expect.stringContaining(sentence),
      code: 'INVALID_REQUEST',
      requestId: expect.any(String),
    });
  });

  it.each(Object.entries(payloadLimits.body))(
    'gets 413 for a body of /%s that is larger than %d bytes',
    async (operation, limit) => {
      const url = `${service.JobApiUrl}/echo/${operation}`;
      const { status, json } = await call(service, 'POST', url, { body: sized(limit + 1) });
      expect([status, json]).toEqual([413, expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' })]);
    },
  );
});

describe('gpu-endpoints keys', () => {
  const keys = (...args: string[]) => {
    const env = { ...process.env, LOCAL_STATE_DIR: stateDir, AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' };
    return spawnSync(process.execPath, ['bin/cli.ts', 'keys', ...args, '--env', 'local', '--json'], {
      encoding: 'utf8',
      env,
    }).stdout;
  };

  it('creates, lists and revokes keys of the running service', async () => {
    const make = (name: string) => JSON.parse(keys('create', '--name', name, '--operations', 'health')).secret;
    const [kept, gone] = [make('kept'), make('gone')];
    const ask = async (method: string, path: string, secret: string) => {
      const headers = { Authorization: `Bearer ${secret}` };
      return (await call(service, method, `${service.JobApiUrl}/echo/${path}`, { headers })).status;
    };
    const listed = () => (JSON.parse(keys('ls')) as { keys: { id: string; name: string }[] }).keys;
    const id = listed().find(({ name }) => name === 'gone')?.id ?? 'none';
    expect(JSON.parse(keys('revoke', id))).toEqual({ id });
    expect(listed().map(({ name }) => name)).toEqual(['first', 'kept']);
    expect(await ask('GET', 'health', kept)).toBe(200);
    expect(await ask('POST', 'purge-queue', kept)).toBe(401);
    expect(await ask('GET', 'health', gone)).toBe(401);
  });
});

describe('a job that a client has submitted', () => {
  it('is not found on an endpoint that does not exist', async () => {
    const { json } = await submit(service, '{"input":{}}');
    expect((await readStatus(service, json.id, 'nowhere')).json).toMatchObject({ code: 'ENDPOINT_NOT_FOUND' });
  });
});

describeRunPodClient(() => service);
