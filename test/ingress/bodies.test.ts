/** Tests bodies over HTTP that arrive slowly, are incomplete, have an invalid length or exceed the memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { systemClock } from '../../core/clock.ts';
import { gatewayHeaders } from '../../core/http/ingress.ts';
import { MINUTE, payloadLimits } from '../../core/limits.ts';
import { createMemory } from '../../ingress/memory.ts';
import { type BodyReader, createBodyReader } from '../../ingress/request-body.ts';
import { eventually } from '../acceptance/local-service.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { type Ingress, rawConnection, startIngress } from './ingress.ts';

const LARGE = 1_048_576;

/** The memory for bodies. One endpoint can hold half of it. */
const memory = createMemory(4 * LARGE);
/** Most bytes that a body has held in the tests of slow bodies. */
let maxHeld = 0;
/** Refuses a body that stalls for 400 ms. Bodies of other tests may stall on a busy machine. */
const hasty = createBodyReader(
  {
    ...memory,
    open(endpoint) {
      const share = memory.open(endpoint);
      const grow = (bytes: number) => {
        share.grow(bytes);
        maxHeld = Math.max(maxHeld, bytes);
      };
      return { ...share, grow };
    },
  },
  400,
);
const patient = createBodyReader(memory, 10 * MINUTE);

const emulated = useEmulatedDeployment();
let ingress: Ingress;
let hastyIngress: Ingress;

beforeAll(async () => {
  await emulated.deploy('bodies');
  await emulated.deploy('other');
  ingress = await startIngress(emulated.ports, { bodies: patient }, { memory });
  hastyIngress = await startIngress(emulated.ports, { bodies: hasty }, { memory });
});
afterAll(() => Promise.all([ingress.stop(), hastyIngress.stop()]));

const head = (length: string, endpoint = 'bodies') =>
  `POST /v2/${endpoint}/runsync?wait=1000 HTTP/1.1\r\nHost: a\r\n${gatewayHeaders.owner}: team\r\n${length}\r\n\r\n`;

/** Connects a client that sends the head and the first bytes of a large body, which use part of the budget. */
async function startBody(length = `Content-Length: ${LARGE}`, first = '{"input":', by = ingress) {
  const client = await rawConnection(by.gateway);
  client.socket.write(head(length) + first);
  return client;
}

const heldOf = (bytes: number) =>
  eventually(`${bytes} bytes are held`, () => (memory.held === bytes ? true : undefined));

const startSlowBody = () => {
  maxHeld = 0;
  return startBody(undefined, undefined, hastyIngress);
};

describe('a large body of a request', () => {
  it('is answered with 408 if it stalls, and frees its share of the budget', async () => {
    const { socket, received } = await startSlowBody();
    await eventually('the answer has arrived', () => received().includes('REQUEST_TIMEOUT') || undefined);
    expect(received()).toMatch(/^HTTP\/1\.1 408 /);
    expect([maxHeld, memory.held]).toEqual([LARGE, 0]);
    socket.destroy();
  });

  it('is answered with 408 if it arrives a byte at a time, and frees its share of the budget', async () => {
    const { socket, received } = await startSlowBody();
    const sending = setInterval(() => socket.write(' '), 20);
    try {
      await eventually('the answer has arrived', () => received().includes('REQUEST_TIMEOUT') || undefined);
    } finally {
      clearInterval(sending);
    }
    expect(received()).toMatch(/^HTTP\/1\.1 408 /);
    expect([maxHeld, memory.held]).toEqual([LARGE, 0]);
    socket.destroy();
  });

  it.each([
    ['its client has disconnected', (socket: { destroy(): void }) => socket.destroy()],
    ['its client has closed the sending side early', (socket: { end(): void }) => socket.end()],
  ])('frees its share of the budget after %s', async (_, leave) => {
    const own = createMemory();
    const bodies = createBodyReader(own, 10 * MINUTE);
    const other = await startIngress(emulated.ports, { bodies }, { memory: own });
    const { socket } = await rawConnection(other.gateway);
    socket.write(head(`Content-Length: ${LARGE}`));
    await eventually('the body is read', () => own.held === LARGE || undefined);
    leave(socket);
    await eventually('its share is free', () => own.held === 0 || undefined);
    socket.destroy();
    await other.stop();
  });

  it.each([
    ['not JSON', 'x'.repeat(LARGE), 400],
    ['for an endpoint that does not exist', `{"input":{"a":"${'x'.repeat(LARGE)}"}}`, 404],
  ])('frees its share of the budget when it is refused because it is %s', async (_, body, status) => {
    const path = status === 404 ? 'missing' : 'bodies';
    const response = await fetch(`${ingress.gateway}/${path}/runsync`, {
      method: 'POST',
      headers: { [gatewayHeaders.owner]: 'team' },
      body,
    });
    expect([response.status, memory.held]).toEqual([status, 0]);
  });

  it('gets a 429 with Retry-After if it exceeds the budget, and leaves room for bodies of other endpoints', async () => {
    const [one, other] = [await startBody(), await startBody()];
    await heldOf(2 * LARGE);
    const further = await startBody(`Content-Length: ${LARGE}`, '');
    await eventually('the answer has arrived', () => further.received().includes('TOO_MANY_REQUESTS') || undefined);
    expect(further.received()).toMatch(/^HTTP\/1\.1 429 /);
    expect(further.received()).toContain('Retry-After: 1\r\n');
    const small = await rawConnection(ingress.gateway);
    small.socket.write(`${head('Content-Length: 12', 'other')}{"input":{}}`);
    await eventually(
      'the body of the other endpoint is answered',
      () => small.received().includes('IN_QUEUE') || undefined,
    );
    for (const { socket } of [one, other, further, small]) socket.destroy();
    await heldOf(0);
  });

  it.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3'],
    ['a length and chunked encoding', 'Content-Length: 2\r\nTransfer-Encoding: chunked'],
    ['a negative length', 'Content-Length: -1'],
    ['a length that is not a number', 'Content-Length: many'],
  ])('is refused with %s, and its connection is closed', async (_, length) => {
    const { received, closed } = await startBody(length);
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 400 /);
    expect(memory.held).toBe(0);
  });
});

describe('a waiting call', () => {
  it.each([
    ['forgets', 'runsync?wait=300000', {}],
    ['forgets-plain', 'openai/v1/chat/completions', { stream: false }],
    ['forgets-stream', 'openai/v1/chat/completions', { stream: true }],
  ])('holds no body in memory while it waits: %s, %s', async (endpoint, path, more) => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const bodies: WeakRef<object>[] = [];
    const inner = createBodyReader(createMemory());
    const bodiesOf: BodyReader = {
      async read(request, kind, endpoint) {
        const body = await inner.read(request, kind, endpoint);
        bodies.push(new WeakRef(body.bytes.buffer));
        return body;
      },
    };
    await emulated.deploy(endpoint);
    const other = await startIngress(portsWith(emulated.ports, { clock: systemClock }), { bodies: bodiesOf });
    let isAnswered = false;
    const leaving = new AbortController();
    const answer = fetch(`${other.gateway}/${endpoint}/${path}`, {
      method: 'POST',
      headers: { [gatewayHeaders.owner]: 'team', 'Content-Type': 'application/json' },
      body: JSON.stringify({ input: { a: 'x'.repeat(payloadLimits.body.run) }, ...more }),
      signal: leaving.signal,
    }).then(
      () => {
        isAnswered = true;
      },
      () => undefined,
    );
    const isGone = async () => {
      collectGarbage();
      return bodies.length === 1 && bodies[0]?.deref() === undefined ? true : undefined;
    };
    await eventually('the body is collected', isGone);
    expect(isAnswered).toBe(false);
    expect((await Array.fromAsync(emulated.ports.jobs.list(endpoint))).map(({ status }) => status)).toEqual([
      'IN_QUEUE',
    ]);
    leaving.abort();
    await answer;
    await other.stop();
  });
});
