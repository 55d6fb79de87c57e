/** Tests a load balancer over real HTTP, with targets in this process. */
import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createListener, type Listener } from '../../load-balancer/load-balancer.ts';
import { createTargetGroup, type Registration, type TargetGroupDefinition } from '../../load-balancer/target-group.ts';
import { fakeClock } from '../ecs/test-clock.ts';
import { eventually } from '../small-service.ts';
import { forwarded, type SmallTarget, startTarget, textOf } from './small-target.ts';

const SECOND = 1_000;
const never = new AbortController().signal;

const clock = fakeClock();
let targets: SmallTarget[] = [];
let registrations: Registration[] = [];

afterEach(async () => {
  for (const registration of registrations) void registration.deregister(AbortSignal.abort());
  await Promise.all(targets.map((target) => target.stop()));
  [targets, registrations] = [[], []];
});

interface Balanced {
  readonly listener: Listener;
  /** Starts a target. Without `healthStatus`, waits until the target is healthy. */
  add(
    answer: RequestListener,
    healthStatus?: () => number,
  ): Promise<{ target: SmallTarget; registration: Registration }>;
}

function balance(rest: Partial<TargetGroupDefinition> = {}, idleTimeout = 60 * SECOND): Balanced {
  const check = {
    path: '/health',
    interval: 30 * SECOND,
    timeout: 5 * SECOND,
    healthyThreshold: 2,
    unhealthyThreshold: 3,
    statuses: '200',
  };
  const group = createTargetGroup(
    { arn: 'group', check, deregistrationDelay: 300 * SECOND, algorithm: 'round_robin', ...rest },
    clock,
  );
  return {
    listener: createListener({ idleTimeout }, 8080, group),
    async add(answer, healthStatus) {
      const target = await startTarget(answer, healthStatus);
      targets.push(target);
      const registration = group.register({ host: '127.0.0.1', port: target.port }, () => undefined);
      registrations.push(registration);
      if (!healthStatus) await eventually('the target is healthy', () => registration.health() === 'healthy');
      return { target, registration };
    },
  };
}

const named =
  (name: string): RequestListener =>
  (_, response) =>
    void response.end(name);

/** Returns a handler that leaves each request open until the test responds. */
function held() {
  const open: { request: IncomingMessage; response: ServerResponse }[] = [];
  const answer: RequestListener = (request, response) => void open.push({ request, response });
  return { open, answer };
}

describe('a listener', () => {
  it('forwards a request without hop-by-hop headers, and adds the headers with its origin', async () => {
    const { listener, add } = balance();
    let seen: Pick<IncomingMessage, 'method' | 'url' | 'headers'> = { headers: {} };
    await add((request, response) => {
      seen = request;
      response.writeHead(201, ['X-One', 'a', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Keep-Alive', 'timeout=9']);
      request.pipe(response);
    });
    const headers = [
      'Host',
      'example.test',
      'X-Two',
      'b',
      'Connection',
      'close, X-Hop',
      'X-Hop',
      'c',
      'TE',
      'trailers',
    ];
    const answered = await listener.forward(
      forwarded({
        method: 'POST',
        url: '/v2/a/run?x=1&y=%20',
        headers: [...headers, 'x-forwarded-for', '198.51.100.1', 'X-Forwarded-Proto', 'gopher'],
        body: Buffer.from('body'),
      }),
    );
    expect(await textOf(answered)).toBe('body');
    expect(answered.status).toBe(201);
    const names = answered.headers.map(([name]) => name.toLowerCase());
    expect(answered.headers).toEqual(
      expect.arrayContaining([
        ['X-One', 'a'],
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
      ]),
    );
    for (const name of ['connection', 'keep-alive', 'transfer-encoding']) expect(names).not.toContain(name);
    expect([seen.method, seen.url]).toEqual(['POST', '/v2/a/run?x=1&y=%20']);
    expect(seen.headers).toEqual({
      host: 'example.test',
      'x-two': 'b',
      'content-length': '4',
      'x-forwarded-for': '198.51.100.1, 192.0.2.7',
      'x-forwarded-proto': 'http',
      'x-forwarded-port': '8080',
      connection: 'keep-alive',
    });
  });

  it('alternates between targets, and keeps its connections to them open', async () => {
    const { listener, add } = balance();
    const { target } = await add(named('one'));
    await add(named('two'));
    const names: string[] = [];
    for (let n = 0; n < 6; n += 1) names.push(await textOf(await listener.forward(forwarded())));
    expect(names.filter((name) => name === 'one')).toHaveLength(3);
    expect(names[0]).not.toBe(names[1]);
    expect(target.connections()).toBe(1);
  });

  it('uses the target with the fewest requests if the group is configured for it', async () => {
    const { listener, add } = balance({ algorithm: 'least_outstanding_requests' });
    const [one, two] = [held(), held()];
    await add(one.answer);
    await add(two.answer);
    for (let n = 1; n <= 4; n += 1) {
      void listener.forward(forwarded());
      await eventually('the request has arrived', () => one.open.length + two.open.length === n);
    }
    expect([one.open.length, two.open.length]).toEqual([2, 2]);
    one.open[0]?.response.end();
    await eventually('the first request has finished', () => one.open[0]?.response.closed ?? false);
    void listener.forward(forwarded());
    await eventually('the request has arrived', () => one.open.length === 3);
  });

  it('streams the body of the request and of the response', async () => {
    const { listener, add } = balance();
    await add((request, response) => void request.pipe(response));
    const body = new PassThrough();
    const answering = listener.forward(
      forwarded({ method: 'POST', headers: ['Host', 'a', 'Transfer-Encoding', 'chunked'], body }),
    );
    body.write('first');
    const { body: output } = await answering;
    const [first] = (await once(output as Readable, 'data')) as [Buffer];
    expect(first.toString()).toBe('first');
    body.end('last');
    const [last] = (await once(output as Readable, 'data')) as [Buffer];
    expect(last.toString()).toBe('last');
  });

  it('forwards a response that arrives before the body is read', async () => {
    const { listener, add } = balance();
    const { target } = await add((request, response) => {
      request.pause();
      response.writeHead(413, { Connection: 'close' }).end('too large');
    });
    const body = new PassThrough();
    const headers = ['Host', 'a', 'Content-Length', '20000000'];
    const answered = await listener.forward(forwarded({ method: 'POST', headers, body: body as Readable }));
    expect([answered.status, await textOf(answered)]).toEqual([413, 'too large']);
    // With the first connection, the target would read the rest of the body as the next request.
    expect((await textOf(await listener.forward(forwarded()))) && target.connections()).toBe(2);
  });

  it('returns 503 without a healthy target', async () => {
    const { listener, add } = balance();
    const { registration } = await add(named('sick'), () => 500);
    const answered = await listener.forward(forwarded());
    expect([answered.status, await textOf(answered)]).toEqual([
      503,
      expect.stringContaining('503 Service Temporarily'),
    ]);
    expect(registration.health()).toBe('initial');
  });

  it('returns 502 if the target cuts the connection or cannot be reached', async () => {
    const { listener, add } = balance();
    const { target } = await add((request) => void request.socket.destroy());
    expect((await listener.forward(forwarded())).status).toBe(502);
    await target.stop();
    expect((await listener.forward(forwarded())).status).toBe(502);
    targets = [];
  });

  it('returns 504 when no byte has arrived within the idle timeout', async () => {
    const { listener, add } = balance({}, 20);
    await add(held().answer);
    expect((await listener.forward(forwarded())).status).toBe(504);
  });

  it('cuts a response that its target cuts', async () => {
    const { listener, add } = balance();
    const { open, answer } = held();
    await add(answer);
    const answering = listener.forward(forwarded());
    await eventually('the request has arrived', () => open.length === 1);
    open[0]?.response.write('first');
    const { body } = await answering;
    open[0]?.request.socket.destroy();
    await expect(buffer(body as Readable)).rejects.toThrow('aborted');
  });

  it.each(['before', 'after'])(
    'cancels the request to the target when the client disconnects %s the response',
    async (when) => {
      const { listener, add } = balance();
      const { open, answer } = held();
      await add(answer);
      const client = new AbortController();
      const answering = listener.forward(forwarded({ gone: client.signal }));
      await eventually('the request has arrived', () => open.length === 1);
      if (when === 'after') {
        open[0]?.response.write('first');
        await answering;
      }
      client.abort();
      await eventually('the target sees the disconnect', () => open[0]?.request.socket.destroyed ?? false);
    },
  );
});

describe('a target', () => {
  it('gets no requests after failed health checks, and gets them again after successful ones', async () => {
    let status = 200;
    const { listener, add } = balance();
    const { registration } = await add(named('one'), () => status);
    await eventually('the target is healthy', () => registration.health() === 'healthy');
    const checks = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        const before = clock.sleeps.length;
        await clock.pass(30 * SECOND);
        await eventually('the target is checked', () => clock.sleeps.length > before);
      }
    };
    status = 500;
    await checks(2);
    expect((await listener.forward(forwarded())).status).toBe(200);
    await checks(1);
    expect((await listener.forward(forwarded())).status).toBe(503);
    status = 200;
    await checks(1);
    expect(registration.health()).toBe('unhealthy');
    await checks(1);
    expect((await listener.forward(forwarded())).status).toBe(200);
  });

  it('finishes its requests and gets no new ones after it is deregistered', async () => {
    const { listener, add } = balance();
    const { open, answer } = held();
    const { registration } = await add(answer);
    const answering = listener.forward(forwarded());
    await eventually('the request has arrived', () => open.length === 1);
    let isDrained = false;
    const drained = registration.deregister(never).then(() => {
      isDrained = true;
    });
    expect((await listener.forward(forwarded())).status).toBe(503);
    await clock.pass(299 * SECOND);
    expect(isDrained).toBe(false);
    open[0]?.response.end('done');
    expect(await textOf(await answering)).toBe('done');
    await drained;
  });

  it('is released after the deregistration delay, even with open requests', async () => {
    const { listener, add } = balance();
    const { open, answer } = held();
    const { registration } = await add(answer);
    const answering = listener.forward(forwarded());
    await eventually('the request has arrived', () => open.length === 1);
    const drained = registration.deregister(never);
    await clock.pass(300 * SECOND);
    await drained;
    open[0]?.response.end('late');
    expect(await textOf(await answering)).toBe('late');
  });
});
