import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { MISSING_KEY } from '../../core/authorizer/authorize.ts';
import { systemClock } from '../../core/clock.ts';
import { gatewayHeaders, HEALTH_PATH, INVALID_PATH } from '../../core/http/ingress.ts';
import { createKey } from '../../core/keys/client-keys.ts';
import { payloadLimits } from '../../core/limits.ts';
import { Unauthorized } from '../../core/requests/errors.ts';
import type { SlotRequest, WaitSlot } from '../../core/waiting-calls/slots.ts';
import { finish } from '../../core/workers/report.ts';
import { createHandlers } from '../../ingress/handlers.ts';
import { createMemory } from '../../ingress/memory.ts';
import { close } from '../../ingress/server.ts';
import { eventually } from '../acceptance/local-service.ts';
import { takeJob } from '../jobs/scripted-job.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { type Ingress, rawConnection, startIngress } from './ingress.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;
let ingress: Ingress;

beforeAll(async () => {
  ingress = await startIngress(ports);
});
afterAll(() => ingress.stop());

const ofGateway = { [gatewayHeaders.owner]: 'team', [gatewayHeaders.requestId]: 'request-1' };

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
}

async function ask(base: string, path: string, init: RequestInit = {}): Promise<Answered> {
  const response = await fetch(`${base}${path}`, init);
  return { status: response.status, headers: response.headers, json: (await response.json()) as Answered['json'] };
}

const submitByGateway = (endpoint: string, body = '{"input":{}}') =>
  ask(ingress.gateway, `/${endpoint}/runsync`, { method: 'POST', headers: ofGateway, body });

/** Waits for the only job of the endpoint, and returns it. */
const onlyJob = (endpoint: string) =>
  eventually('the job is stored', async () => (await Array.fromAsync(ports.jobs.list(endpoint)))[0]);

async function runOnlyJob(endpoint: string, output: string): Promise<void> {
  const { id } = await onlyJob(endpoint);
  await finish(ports, await takeJob(ports, endpoint, id), { output });
}

async function newKey(endpoints: string[]): Promise<string> {
  const grant = { name: 'test', owner: 'team', endpoints, operations: ['run', 'runsync'], scopes: [] };
  return (await createKey(ports, grant, randomBytes(64))).secret;
}

describe('requests from API Gateway', () => {
  it('are answered with their job after the job has ended', async () => {
    await emulated.deploy('waits');
    const answer = submitByGateway('waits');
    await runOnlyJob('waits', '{"n":12345678901234567890}');
    const { status, headers, json } = await answer;
    expect([status, json.status]).toEqual([200, 'COMPLETED']);
    expect(headers.get('X-Job-Id')).toBe(json.id);
    expect((await onlyJob('waits')).owner).toBe('team');
  });

  it('have their request id in error responses', async () => {
    const { status, json } = await submitByGateway('missing');
    expect([status, json.code, json.requestId]).toEqual([404, 'ENDPOINT_NOT_FOUND', 'request-1']);
  });

  it('are reported with their trace, if they submit a job and their caller records the trace', async () => {
    const traced: object[] = [];
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const reporting = await startIngress(ports, { onTraced: (request) => traced.push(request) });
    for (const [method, path, flags] of [
      ['POST', 'runsync', '01'],
      ['POST', 'runsync', '00'],
      ['GET', 'status-sync/1', '01'],
    ]) {
      const headers = { ...ofGateway, traceparent: `00-${traceId}-b7ad6b7169203331-${flags}` };
      const body = method === 'POST' ? '{"input":{}}' : undefined;
      await ask(reporting.gateway, `/missing/${path}`, { method, headers, body } as RequestInit);
    }
    await reporting.stop();
    expect(traced).toEqual([{ requestId: 'request-1', traceId }]);
  });

  it('are answered with 429, and reported, while AWS throttles the service', async () => {
    const error = Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' });
    const endpoints = Object.assign(Object.create(ports.endpoints), { read: () => Promise.reject(error) });
    const throttled = await startIngress(portsWith(ports, { endpoints }));
    const request = { method: 'POST', headers: ofGateway, body: '{"input":{}}' };
    const { status, headers, json } = await ask(throttled.gateway, '/waits/runsync', request);
    await throttled.stop();
    expect([status, json.code, headers.get('Retry-After')]).toEqual([429, 'TOO_MANY_REQUESTS', '2']);
    expect(throttled.failures).toMatchObject([{ requestId: 'request-1', error }]);
  });

  it.each([
    ['no owner', ''],
    ['two owners', `${gatewayHeaders.owner}: one\r\n${gatewayHeaders.owner}: other\r\n`],
  ])('are refused with %s', async (_, headers) => {
    const { socket, received } = await rawConnection(ingress.gateway);
    socket.write(`GET /v2/waits/status-sync/1 HTTP/1.1\r\nHost: a\r\n${headers}\r\n`);
    await eventually('the answer has arrived', () => received().includes('requestId') || undefined);
    expect(received()).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['another operation', { [gatewayHeaders.operation]: 'openai' }],
    ['another endpoint', { [gatewayHeaders.endpoint]: 'v2' }],
    ['an endpoint with other percent-encoding', { [gatewayHeaders.endpoint]: 'wa%69ts' }],
  ])('are refused and reported if the authorizer has permitted %s', async (_, authorized) => {
    const before = ingress.failures.length;
    const headers = { ...ofGateway, ...authorized };
    const { status, json } = await ask(ingress.gateway, '/waits/status-sync/1', { headers });
    expect([status, json.code, json.error]).toEqual([401, 'UNAUTHORIZED', expect.stringContaining('"waits"')]);
    expect(ingress.failures.slice(before)).toEqual([{ requestId: 'request-1', error: expect.any(Unauthorized) }]);
  });

  it.each([
    ['operation', 'two'],
    ['endpoint', 'two'],
    ['operation', 'an empty one'],
    ['endpoint', 'an empty one'],
  ] as const)('are refused unless there is exactly one header with the %s: %s', async (name, count) => {
    const value = { operation: 'status-sync', endpoint: 'waits' }[name];
    const lines = count === 'two' ? [value, value] : [''];
    const { socket, received } = await rawConnection(ingress.gateway);
    const headers = lines.map((each) => `${gatewayHeaders[name]}: ${each}\r\n`).join('');
    socket.write(`GET /v2/waits/status-sync/1 HTTP/1.1\r\nHost: a\r\n${gatewayHeaders.owner}: team\r\n${headers}\r\n`);
    await eventually('the answer has arrived', () => received().includes('requestId') || undefined);
    expect(received()).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
  });

  it.each(['.', '..', '%2e%2e', "'%20OR%201=1"])('select their job by the unchanged path: %s', async (id) => {
    const { socket, received } = await rawConnection(ingress.gateway);
    const headers = Object.entries(ofGateway).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET /v2/waits/status-sync/${id}?wait=1000 HTTP/1.1\r\nHost: a\r\n${headers.join('')}\r\n`);
    await eventually('the answer has arrived', () => received().includes('requestId') || undefined);
    expect(received()).toContain('JOB_NOT_FOUND');
    socket.destroy();
  });

  it.each([
    ['POST', '/waits/run'],
    ['GET', '/waits/runsync'],
    ['DELETE', '/waits/stream/1'],
    ['GET', '/waits'],
  ])('have no route for %s %s', async (method, path) => {
    const { status, json } = await ask(ingress.gateway, path, { method, headers: ofGateway });
    expect([status, json.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
  });
});

it('requests are refused with 400 if their path is not UTF-8 in percent-encoding', async () => {
  for (const base of [ingress.gateway, ingress.direct]) {
    const { status, json } = await ask(base, '/waits/openai/%E0%A4%A', { method: 'POST', headers: ofGateway });
    expect([status, json.code, json.error]).toEqual([400, 'INVALID_REQUEST', INVALID_PATH]);
  }
});

describe('calls beyond the limit of a task', () => {
  it('get 429 with Retry-After', async () => {
    const full = await startIngress(ports, {}, { maxOpenCalls: 0 });
    for (const address of [full.gateway, full.direct]) {
      const { status, headers, json } = await ask(address, '/waits/runsync', { method: 'POST', headers: ofGateway });
      expect([status, json.code, headers.get('Retry-After')]).toEqual([429, 'TOO_MANY_REQUESTS', '5']);
    }
    await full.stop();
  });
});

describe('a streamed response', () => {
  async function responseOf(body: () => AsyncGenerator<Uint8Array>) {
    const stream = async () => ({ status: 200, headers: {}, body: body() });
    const other = await startIngress(ports, { handlers: { ...createHandlers(ports, createMemory()), stream } });
    const response = fetch(`${other.gateway}/waits/stream/1`, { headers: ofGateway });
    return { response, stop: () => other.stop() };
  }

  it('sends its status before its body', async () => {
    const { promise: rest, resolve } = Promise.withResolvers<Uint8Array>();
    const { response, stop } = await responseOf(async function* () {
      yield await rest;
    });
    const { status, body } = await response;
    expect(status).toBe(200);
    resolve(Buffer.from('[]'));
    expect(await new Response(body).text()).toBe('[]');
    await stop();
  });

  it('is cut off where its body fails', async () => {
    const { response, stop } = await responseOf(async function* () {
      yield Buffer.from('[1');
      throw new Error('The table is gone.');
    });
    await expect(response.then((begun) => begun.text())).rejects.toThrow();
    await stop();
  });
});

describe('a client that disconnects during its wait', () => {
  it('frees its slot before the end of the wait', async () => {
    await emulated.deploy('leaves');
    const taken: string[] = [];
    const released: string[] = [];
    const counted = portsWith(ports, {
      clock: systemClock,
      waitSlots: {
        take: async (request: SlotRequest) => {
          taken.push(request.endpoint);
          return ports.waitSlots.take(request);
        },
        release: async (slot: WaitSlot) => {
          released.push(slot.endpoint);
          await ports.waitSlots.release(slot);
        },
      },
    });
    const other = await startIngress(counted);
    const leaving = new AbortController();
    const answer = fetch(`${other.gateway}/leaves/runsync?wait=300000`, {
      method: 'POST',
      headers: ofGateway,
      body: '{"input":{}}',
      signal: leaving.signal,
    });
    await eventually('the call waits', () => taken[0]);
    leaving.abort();
    await expect(answer).rejects.toThrow();
    expect(await eventually('the slot is released', () => released[0])).toBe('leaves');
    await other.stop();
  });
});

describe('requests from the distribution', () => {
  it('are accepted with a key that permits the operation', async () => {
    await emulated.deploy('direct');
    const headers = { Authorization: `Bearer ${await newKey(['direct'])}` };
    const { status, json } = await ask(ingress.direct, '/direct/run', {
      method: 'POST',
      headers,
      body: '{"input":{}}',
    });
    expect([status, json.status]).toEqual([200, 'IN_QUEUE']);
  });

  it('are accepted if the last of several keys is valid, as in API Gateway', async () => {
    await emulated.deploy('two-keys');
    const { socket, received } = await rawConnection(ingress.direct);
    const keys = `Authorization: Bearer no\r\nAuthorization: Bearer ${await newKey(['two-keys'])}\r\n`;
    socket.write(`POST /v2/two-keys/run HTTP/1.1\r\nHost: a\r\n${keys}Content-Length: 12\r\n\r\n{"input":{}}`);
    await eventually('the answer has arrived', () => received().includes('}') || undefined);
    expect(received()).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  it('are answered with the job of their idempotency key', async () => {
    await emulated.deploy('again');
    const headers = { Authorization: `Bearer ${await newKey(['again'])}`, 'Idempotency-Key': 'one' };
    const submitted = () => ask(ingress.direct, '/again/run', { method: 'POST', headers, body: '{"input":{}}' });
    const [first, second] = [await submitted(), await submitted()];
    expect([first.status, second.json.id]).toEqual([200, first.json.id]);
  });

  it('pass their trace to the job', async () => {
    await emulated.deploy('traced');
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const headers = { Authorization: `Bearer ${await newKey(['traced'])}`, traceparent };
    const { json } = await ask(ingress.direct, '/traced/run', { method: 'POST', headers, body: '{"input":{}}' });
    expect(await emulated.ports.jobs.read({ endpoint: 'traced', id: String(json.id) })).toHaveProperty('trace');
  });

  it('are refused before their body is read if they have no key', async () => {
    const { socket, received } = await rawConnection(ingress.direct);
    socket.write('POST /v2/direct/run HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n{"input":');
    await eventually('the answer has arrived', () => received().includes('UNAUTHORIZED') || undefined);
    expect(received()).toMatch(/^HTTP\/1\.1 401 /);
    expect(received()).toContain(JSON.stringify(MISSING_KEY));
    socket.destroy();
  });

  it('are refused with a key of another endpoint', async () => {
    const headers = { Authorization: `Bearer ${await newKey(['other'])}` };
    const { status, json } = await ask(ingress.direct, '/direct/run', {
      method: 'POST',
      headers,
      body: '{"input":{}}',
    });
    expect([status, json.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(json.error).toBe('The API key does not permit calls to the endpoint direct.');
  });

  it('are refused with a message about API keys if they have the access token of a user', async () => {
    const headers = { Authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln' };
    const { status, json } = await ask(ingress.direct, '/direct/run', {
      method: 'POST',
      headers,
      body: '{"input":{}}',
    });
    expect([status, json.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(json.error).toContain('needs an API key instead of the access token');
  });

  it('are refused with a message about Content-Length if they have the access token of a user and no length', async () => {
    const { status, json } = await ask(ingress.direct, '/direct/run', {
      method: 'POST',
      headers: { Authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln' },
      body: new Blob(['{"input":{}}']).stream(),
      duplex: 'half',
    });
    expect([status, json.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(json.error).toContain('no `Content-Length`');
  });

  it('are refused with the headers of API Gateway instead of a key', async () => {
    const { status } = await ask(ingress.direct, '/direct/run', { method: 'POST', headers: ofGateway, body: '{}' });
    expect(status).toBe(401);
  });

  it.each(['run', 'runsync'] as const)(
    'are refused with 413 for %s before the body is read if Content-Length is too large',
    async (operation) => {
      const key = await newKey(['direct']);
      const { socket, received } = await rawConnection(ingress.direct);
      const length = payloadLimits.body[operation] + 1;
      socket.write(
        `POST /v2/direct/${operation} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${length}\r\n\r\n`,
      );
      await eventually('the answer has arrived', () => received().includes('PAYLOAD_TOO_LARGE') || undefined);
      expect(received()).toMatch(/^HTTP\/1\.1 413 /);
      socket.destroy();
    },
  );

  it('are answered while the client still sends, and are cut off later', async () => {
    const { socket, received, closed } = await rawConnection(ingress.direct);
    socket.write('POST /v2/direct/run HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    const sending = setInterval(() => socket.write(`400\r\n${' '.repeat(1_024)}\r\n`), 20);
    try {
      await eventually('the answer has arrived', () => received().includes('UNAUTHORIZED') || undefined);
      await closed;
    } finally {
      clearInterval(sending);
    }
  });
});

describe('the health check of the ingress', () => {
  it('answers 200, and 503 while the task drains', async () => {
    let isDraining = false;
    const other = await startIngress(ports, { isDraining: () => isDraining });
    const address = other.gateway.replace(/\/v2$/, HEALTH_PATH);
    expect((await fetch(address)).status).toBe(200);
    isDraining = true;
    expect((await fetch(address)).status).toBe(503);
    await other.stop();
  });
});

describe('an ingress task that stops', () => {
  it('completes running calls and accepts no new calls', async () => {
    await emulated.deploy('drains');
    const other = await startIngress(ports);
    const [server] = other.servers;
    if (!server) throw new Error('The server does not exist.');
    const answer = ask(other.gateway, '/drains/runsync', { method: 'POST', headers: ofGateway, body: '{"input":{}}' });
    await onlyJob('drains');
    const closed = close(server);
    await expect(fetch(`${other.gateway}/drains/runsync`, { method: 'POST' })).rejects.toThrow();
    await runOnlyJob('drains', '{}');
    const { headers, json } = await answer;
    expect(json.status).toBe('COMPLETED');
    // The load balancer must not send its next request on a connection that the task is closing.
    expect(headers.get('connection')).toBe('close');
    await closed;
    await other.stop();
  });
});
