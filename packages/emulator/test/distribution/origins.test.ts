/** Tests traffic between viewers, a distribution and its origins while a request is in progress. */
import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { BalancerListener, LoadBalancers } from '../../distribution/origin.ts';
import { BLOCK, streamingHandler } from '../functions/streaming-handler.ts';
import { code, set, streamed } from '../gateway/small-api.ts';
import {
  createSharedFunctions,
  eventually,
  functionResource,
  type SmallService,
  startSmallService,
} from '../small-service.ts';
import { holdTime, passTime } from '../time-limits.ts';
import { ask, BALANCER, behaviour, direct, distributed, jobs, OPEN, read } from './small-distribution.ts';

const functions = createSharedFunctions();
let service: SmallService;

/** Handler with which the target behind the load balancer responds to a request. */
let target: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
let server: Server;
/** Whether the target can be reached. */
let reachable = true;

/** A listener with one target. */
const listener: BalancerListener = {
  async forward({ method, url, headers, body, gone }) {
    const { port } = server.address() as AddressInfo;
    const address = { port: reachable ? port : 1, host: '127.0.0.1', agent: false };
    const sent = httpRequest({ ...address, method, path: url, headers: [...headers], signal: gone });
    sent.on('error', () => undefined);
    body.pipe(sent);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const { statusCode = 0, rawHeaders: raw } = response;
    const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));
    return { status: statusCode, headers: pairs, body: response };
  },
};
const loadBalancers: LoadBalancers = new Map([[BALANCER, { listeners: new Map([[8081, listener]]) }]]);

const edge = `import cf from 'cloudfront';
function handler({ request, viewer }) {
  const { headers } = request;
  headers['x-viewer-address'] = { value: viewer.ip };
  const length = headers['content-length'] ? Number(headers['content-length'].value) : Infinity;
  if (request.method === 'POST' && length >= 100) cf.selectRequestOriginById('direct');
  return request;
}`;

beforeAll(async () => {
  server = createServer((incoming, outgoing) => target(incoming, outgoing)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const Resources = distributed(
    {
      Origins: [
        jobs({ CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginReadTimeout: 20 } }),
        direct({ OriginCustomHeaders: [{ HeaderName: 'X-Proof', HeaderValue: 'right' }] }),
      ],
      CacheBehaviors: [behaviour({ PathPattern: '/direct/*', TargetOriginId: 'direct' })],
      DefaultCacheBehavior: behaviour({}, 'Edge'),
    },
    { Edge: edge },
  );
  set(Resources, 'Handler', { Timeout: 60 });
  Resources.Stream = functionResource('stream', { Timeout: 60 });
  set(Resources, 'RunGet', {
    Integration: streamed('Stream'),
    ApiKeyRequired: false,
    AuthorizationType: 'NONE',
    AuthorizerId: undefined,
  });
  service = await startSmallService({ Small: { Resources } }, code + streamingHandler, { functions, loadBalancers });
});
afterAll(async () => {
  await service.stop();
  await functions.stop();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  reachable = true;
  target = (_, outgoing) => outgoing.end('from the target');
});
afterEach(() => {
  jest.useRealTimers();
});

/** Opens a request, so that the test can send its body and read its response in parts. */
function open(path: string, method = 'POST', headers: Record<string, string> = {}) {
  const sent = httpRequest(new URL(service.url), { path, method, headers, agent: false });
  sent.on('error', () => undefined);
  sent.flushHeaders();
  const answered = once(sent, 'response').then(([response]) => {
    const begun = response as IncomingMessage;
    begun.on('error', () => undefined);
    return begun;
  });
  return { sent, answered };
}

const nextChunk = async (from: IncomingMessage) => String(((await once(from, 'data')) as [Buffer])[0]);

describe('a VPC origin', () => {
  it('gets the requests that the function routes to it, and the API gets the rest', async () => {
    const got: { url?: string; headers?: IncomingMessage['headers'] } = {};
    target = (incoming, outgoing) => {
      Object.assign(got, { url: incoming.url, headers: incoming.headers });
      void read(incoming).then(({ text }) => outgoing.end(`${text.length} bytes`));
    };
    const post = (length: number) =>
      ask(service.url, `${OPEN}?x=1`, {
        method: 'POST',
        headers: { 'Content-Length': String(length), 'X-Proof': 'forged', 'X-Viewer-Address': 'forged' },
        body: 'x'.repeat(length),
      });
    expect((await post(100)).text).toBe('100 bytes');
    expect(got.url).toBe(`${OPEN}?x=1`);
    expect(got.headers).toMatchObject({
      host: 'internal-balancer.us-east-1.elb.amazonaws.com',
      'content-length': '100',
      'x-proof': 'right',
      'x-viewer-address': '127.0.0.1',
      'x-forwarded-for': '127.0.0.1',
      via: expect.stringMatching(/^1\.1 d\w+\.cloudfront\.net \(CloudFront\)$/),
    });
    expect(JSON.parse((await post(99)).text)).toMatchObject({ path: '/echo/open' });
  });

  it('gets the body while the viewer still sends it', async () => {
    const bodies: IncomingMessage[] = [];
    target = (incoming, outgoing) => {
      bodies.push(incoming);
      incoming.on('end', () => outgoing.end('done'));
    };
    const { sent, answered } = open('/direct/x');
    sent.write('first');
    await eventually('the target has the request', () => bodies.length === 1);
    const [body] = bodies as [IncomingMessage];
    expect(await nextChunk(body)).toBe('first');
    sent.end('second');
    expect(await nextChunk(body)).toBe('second');
    expect((await read(await answered)).text).toBe('done');
  });

  it('can respond to the viewer before the body is complete', async () => {
    target = (_, outgoing) => outgoing.writeHead(413, { Connection: 'close', 'X-Reason': 'size' }).end('too large');
    const { sent, answered } = open('/direct/x', 'POST', { 'Content-Length': '20000000' });
    sent.write('first');
    const { status, headers, text } = await read(await answered);
    sent.destroy();
    expect({ status, text, reason: headers['x-reason'] }).toEqual({ status: 413, text: 'too large', reason: 'size' });
    expect(headers['x-cache']).toBe('Error from cloudfront');
    expect(headers.via).toMatch(/cloudfront\.net/);
  });

  it('streams its response to the viewer', async () => {
    const responses: ServerResponse[] = [];
    target = (_, outgoing) => {
      responses.push(outgoing);
      outgoing.write('first');
    };
    const { answered } = open('/direct/x', 'GET');
    const response = await answered;
    expect(await nextChunk(response)).toBe('first');
    responses[0]?.end('second');
    expect((await read(response)).text).toBe('second');
  });

  it.each(['before', 'after'])('detects that the viewer closed the connection %s the response began', async (when) => {
    const [came, left]: [number[], number[]] = [[], []];
    target = (_, outgoing) => {
      came.push(1);
      outgoing.on('close', () => left.push(1));
      if (when === 'after') outgoing.write('first');
    };
    const { sent, answered } = open('/direct/x', 'GET');
    answered.catch(() => undefined);
    await eventually('the target has the request', () => came.length === 1);
    if (when === 'after') await nextChunk(await answered);
    expect(left).toHaveLength(0);
    sent.destroy();
    await eventually('the connection to the target is closed', () => left.length === 1);
  });

  it('causes a 502 response when it cannot be reached', async () => {
    reachable = false;
    expect((await ask(service.url, '/direct/x')).status).toBe(502);
  });
});

describe('an API', () => {
  it('completes its streaming function after the viewer has closed the connection', async () => {
    const streaming = (query: Record<string, string>) => `/v2/echo/run?${new URLSearchParams(query)}`;
    const prelude = '{"statusCode":200}';
    const written = async () => {
      const { text } = await ask(service.url, streaming({ prelude, state: '', end: '' }));
      return (JSON.parse(text) as { written: number }).written;
    };
    const before = await written();
    const { sent, answered } = open(streaming({ prelude, blocks: '50' }), 'GET');
    await nextChunk(await answered);
    sent.destroy();
    await eventually('the function has written everything', async () => (await written()) - before === 50 * BLOCK);
  });
});

describe('a request to a slow origin', () => {
  it.each([
    ['a target of a load balancer', '/direct/x', 60_000],
    ['an API', `${OPEN}?wait=60000`, 20_000],
  ])('is answered with 504 after its read timeout: %s', async (_, path, timeout) => {
    target = () => undefined;
    holdTime();
    const asking = ask(service.url, path);
    let isAnswered = false;
    void asking.then(() => {
      isAnswered = true;
    });
    await eventually('the timeout has begun', () => jest.getTimerCount() > 0);
    await passTime(timeout - 1);
    expect(isAnswered).toBe(false);
    await passTime(1);
    await eventually('the viewer is answered', () => isAnswered);
    const { status, headers } = await asking;
    expect({ status, cache: headers['x-cache'] }).toEqual({ status: 504, cache: 'Error from cloudfront' });
  });

  it('is cut when the next byte is late, but not while bytes arrive', async () => {
    const responses: ServerResponse[] = [];
    target = (_, outgoing) => {
      responses.push(outgoing);
      outgoing.write('1');
    };
    holdTime();
    const { answered } = open('/direct/x', 'GET');
    const response = await answered;
    expect(await nextChunk(response)).toBe('1');
    await passTime(59_000);
    responses[0]?.write('2');
    expect(await nextChunk(response)).toBe('2');
    await passTime(59_000);
    await passTime(1_000);
    await eventually('the connection is closed', () => response.destroyed);
    expect(response.complete).toBe(false);
  });
});
