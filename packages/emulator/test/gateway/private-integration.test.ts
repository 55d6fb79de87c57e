/** Tests methods that a load balancer serves, over HTTP. */
import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { addressOf, balancedApi } from '../load-balancer/small-balancer.ts';
import { type SmallTarget, startTarget } from '../load-balancer/small-target.ts';
import {
  createSharedFunctions,
  eventually,
  type Resources,
  type SmallService,
  startSmallService,
} from '../small-service.ts';
import { FIRST_KEY, gatewayResponse, SECOND_KEY, set, code as smallCode, uri } from './small-api.ts';

const functions = createSharedFunctions();
let service: SmallService | undefined;
let target: SmallTarget | undefined;
let leave: () => unknown = () => undefined;

afterAll(() => functions.stop());
afterEach(async () => {
  await leave();
  await service?.stop();
  await target?.stop();
  [service, target, leave] = [undefined, undefined, () => undefined];
});

async function deploy(all: Resources): Promise<SmallService> {
  service = await startSmallService({ Small: { Resources: all } }, smallCode, { functions });
  return service;
}

/** Deploys the API with a healthy target that has this handler. */
async function serve(answer: RequestListener, all: Resources = balancedApi()): Promise<void> {
  const { loadBalancers } = await deploy(all);
  const [group] = loadBalancers.targetGroups.values();
  target = await startTarget(answer);
  const registration = group?.register({ host: '127.0.0.1', port: target.port }, () => undefined);
  leave = () => registration?.deregister(AbortSignal.abort());
  await eventually('the target is healthy', () => registration?.health() === 'healthy');
}

const post = (path = '/v2/a/run', init: RequestInit = {}, authorization = `Allow ${FIRST_KEY}`) =>
  fetch(`${service?.url}${path}`, {
    method: 'POST',
    ...init,
    headers: { ...(init.headers as Record<string, string>), Authorization: authorization },
  });

/** Returns a handler that leaves each request open until the test responds. */
function held() {
  const open: { request: IncomingMessage; response: ServerResponse }[] = [];
  const answer: RequestListener = (message, response) => void open.push({ request: message, response });
  return { open, answer };
}

/** Sends a request whose connection the test can cut. */
function call() {
  const headers = { Authorization: `Allow ${FIRST_KEY}` };
  const sent = request(`${service?.url}/v2/a/run`, { method: 'POST', headers }).on('error', () => undefined);
  sent.end();
  return sent;
}

describe('a private integration', () => {
  it('forwards the request with mapped parameters that replace those of the client', async () => {
    let seen: Pick<IncomingMessage, 'method' | 'url' | 'headers'> = { headers: {} };
    let body = '';
    await serve(async (message, response) => {
      seen = message;
      body = await readText(message);
      response.writeHead(202, { 'X-One': 'a', Server: 'target' }).end('{"id":1}');
    });
    const response = await post('/v2/a%20b%2Fc/run?x=1&x=%2B%26&y=', {
      body: '{"input":"ä"}',
      headers: {
        'X-Gateway-Owner': 'somebody else',
        'X-Absent': 'of the client',
        'X-Own': 'kept',
        'X-Forwarded-For': '198.51.100.1',
      },
    });
    expect([response.status, await response.text(), response.headers.get('x-one')]).toEqual([202, '{"id":1}', 'a']);
    expect([response.headers.get('server'), response.headers.get('x-amzn-remapped-server')]).toEqual([null, 'target']);
    expect([seen.method, seen.url, body]).toEqual(['POST', '/v2/a%20b%2Fc/run?x=1&x=%2B%26&y=', '{"input":"ä"}']);
    expect(seen.headers).toMatchObject({
      host: expect.stringMatching(/^internal-.*\.us-east-1\.elb\.amazonaws\.com:8080$/),
      'x-gateway-owner': 'ann',
      'x-gateway-request-id': response.headers.get('x-amzn-requestid'),
      'x-constant': 'fixed',
      'x-own': 'kept',
      'x-forwarded-for': '198.51.100.1, 127.0.0.1, 127.0.0.1',
      'content-length': '14',
    });
    expect(seen.headers).not.toHaveProperty('x-absent');
  });

  it('forwards the value of a greedy parameter with its slashes', async () => {
    const all = balancedApi({
      Uri: addressOf('/{endpoint}/below/{rest}'),
      RequestParameters: {
        'integration.request.path.endpoint': 'method.request.path.endpoint',
        'integration.request.path.rest': 'method.request.path.rest',
      },
    });
    set(all, 'Run', { PathPart: '{rest+}' });
    const declared = { 'method.request.path.endpoint': true, 'method.request.path.rest': true };
    set(all, 'RunPost', { RequestParameters: declared });
    let url: string | undefined;
    await serve((message, response) => {
      ({ url } = message);
      response.end();
    }, all);
    await post('/v2/a%2Fb/run/v1/models/x%20y');
    expect(url).toBe('/v2/a%2Fb/below/run/v1/models/x%20y');
  });

  it.each([
    ['multipart/form-data; boundary=a', true],
    ['application/json', false],
  ])('forwards the bytes of a body of type %s unchanged: %s', async (type, isBinary) => {
    const bytes = Uint8Array.from([0, 255, 10]);
    const all = balancedApi();
    set(all, 'Api', { BinaryMediaTypes: ['multipart/form-data'] });
    const received = Promise.withResolvers<Buffer>();
    await serve(async (message, response) => {
      const chunks = await Array.fromAsync(message as AsyncIterable<Buffer>);
      received.resolve(Buffer.concat(chunks));
      response.end();
    }, all);
    await post(undefined, { body: bytes, headers: { 'Content-Type': type } });
    const asText = Buffer.from(Buffer.from(bytes).toString('utf8'));
    expect([...(await received.promise)]).toEqual([...(isBinary ? bytes : asText)]);
  });

  it('is called after the authorizer, the key and the usage plan', async () => {
    let count = 0;
    await serve((_, response) => {
      count += 1;
      response.end();
    });
    expect((await post(undefined, {}, `Deny ${FIRST_KEY}`)).status).toBe(403);
    expect((await post(undefined, {}, 'Allow nobody')).status).toBe(403);
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await post()).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await post(undefined, {}, `Allow ${SECOND_KEY}`)).status).toBe(200);
    expect(count).toBe(3);
  });

  it('streams the response', async () => {
    const { open, answer } = held();
    await serve(answer);
    const sent = call();
    await eventually('the request has arrived', () => open.length === 1);
    open[0]?.response.write('first');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const [first] = (await once(response, 'data')) as [Buffer];
    expect(first.toString()).toBe('first');
    open[0]?.response.end('last');
    expect(await readText(response)).toBe('last');
  });

  it('returns the response of the load balancer when no target can respond', async () => {
    await deploy(balancedApi());
    const response = await post();
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('503 Service Temporarily')]);
    await service?.stop();
    await serve((message) => void message.socket.destroy());
    expect((await post()).status).toBe(502);
  });

  it('cuts the connection of the client when the target cuts its connection during the response', async () => {
    const { open, answer } = held();
    await serve(answer);
    const answering = post();
    await eventually('the request has arrived', () => open.length === 1);
    open[0]?.response.write('first');
    const response = await answering;
    open[0]?.request.socket.destroy();
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it.each(['before', 'after'])(
    'cancels the request to the target when the client disconnects %s the head',
    async (when) => {
      const { open, answer } = held();
      await serve(answer);
      const sent = call();
      await eventually('the request has arrived', () => open.length === 1);
      if (when === 'after') {
        open[0]?.response.write('first');
        await once(sent, 'response');
      }
      sent.destroy();
      await eventually('the connection to the target is closed', () => open[0]?.request.socket.destroyed ?? false);
    },
  );

  it('returns the timeout response of the template for a target that takes too long', async () => {
    const all = balancedApi({ TimeoutInMillis: 50 });
    all.Late = gatewayResponse('INTEGRATION_TIMEOUT', {
      StatusCode: 504,
      ResponseTemplates: { 'application/json': '{"code":"LATE"}' },
    });
    const { open, answer } = held();
    await serve(answer, all);
    const response = await post();
    expect([response.status, await response.text()]).toEqual([504, '{"code":"LATE"}']);
    await eventually('the connection to the target is closed', () => open[0]?.request.socket.destroyed ?? false);
  });
});

describe('a template', () => {
  it('can replace the load balancer of a method with a function', async () => {
    const all = balancedApi();
    set(all, 'RunPost', { Integration: { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', Uri: uri('Handler') } });
    let count = 0;
    await serve(() => {
      count += 1;
    }, all);
    const response = await post();
    expect([response.status, count]).toEqual([200, 0]);
    expect(await response.json()).toMatchObject({ resource: '/{endpoint}/run' });
  });

  it('has no route for a method that it does not declare', async () => {
    const all = balancedApi();
    delete all.RunPost;
    await serve((_, response) => void response.end(), all);
    expect((await post()).status).toBe(403);
  });

  it('has no target if its listener forwards to another target group', async () => {
    const all = balancedApi();
    all.Other = structuredClone(all.Group) as Resources[string];
    set(all, 'Listener', { DefaultActions: [{ Type: 'forward', TargetGroupArn: { Ref: 'Other' } }] });
    await serve((_, response) => void response.end(), all);
    expect((await post()).status).toBe(503);
  });

  it.each([
    ['another link', { ConnectionId: 'vpclink' }, /^Small\/RunPost .* its VPC link vpclink is not in the template\.$/],
    ['another target', { IntegrationTarget: 'arn:x' }, /its target arn:x is not a load balancer of the template\.$/],
    [
      'another host',
      { Uri: 'http://example.test:8080/' },
      /the host of http:.* is not internal-.*, its load balancer\.$/,
    ],
    ['another port', { Uri: addressOf('/', 8081) }, /its load balancer has no listener on port 8081\.$/],
    ['a timeout of an hour', { TimeoutInMillis: 3_600_000 }, /waits at most 900000 ms\.$/],
    [
      'a buffered response',
      { ResponseTransferMode: 'BUFFERED' },
      /Integration.ResponseTransferMode cannot be "BUFFERED"/,
    ],
    ['no mapping of a path parameter', { RequestParameters: {} }, /no parameter is mapped to \{endpoint\} of/],
    [
      'a parameter that the method does not declare',
      { RequestParameters: { 'integration.request.header.x': 'method.request.header.y' } },
      /method.request.header.y must be a declared parameter of the method/,
    ],
    [
      'a mapping to the body',
      { RequestParameters: { 'integration.request.body': "'x'" } },
      /integration.request.body must be a parameter of the path or a header\.$/,
    ],
  ])('cannot start with %s', async (_, integration, sentence) => {
    await expect(deploy(balancedApi(integration))).rejects.toThrow(sentence);
  });

  it.each([
    ['Balancer', { Type: 'network' }, /^Small\/Balancer .*Type cannot be "network"/],
    ['Group', { TargetType: 'lambda' }, /^Small\/Group .*TargetType cannot be "lambda"/],
    [
      'Group',
      { TargetGroupAttributes: [{ Key: 'stickiness.enabled', Value: 'true' }] },
      /stickiness.enabled cannot be/,
    ],
    ['Group', { Targets: [{ Id: '10.0.0.1' }] }, /the property Targets is not supported/],
    ['Listener', { Protocol: 'HTTPS' }, /^Small\/Listener .*Protocol cannot be "HTTPS"/],
    ['Listener', { LoadBalancerArn: 'arn:x' }, /there is no load balancer arn:x\.$/],
  ])('cannot start with a %s that has %j', async (name, properties, sentence) => {
    const all = balancedApi();
    set(all, name, properties);
    await expect(deploy(all)).rejects.toThrow(sentence);
  });

  it('cannot start with a VPC link that it does not contain', async () => {
    const all = balancedApi();
    delete all.Link;
    await expect(deploy(all)).rejects.toThrow('Stack Small refers to Link, which it does not have.');
  });
});
