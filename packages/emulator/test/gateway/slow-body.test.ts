/** Sends slow bodies to the gateway over HTTP, on a clock that the test moves. */
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, type SmallService, startSmallService } from '../small-service.ts';
import { code, FIRST_KEY, resources } from './small-api.ts';

const STALL = 20_000;
const RATE = 65_536;

const slowBodies = {
  stall: STALL,
  rate: RATE,
  answer: (received: number, requestId: string) =>
    JSON.stringify({ error: `Only ${received} bytes arrived.`, requestId }),
};

/** A pause of the gateway, from which the test wakes it. */
interface Pause {
  readonly milliseconds: number;
  readonly wake: () => void;
}

let service: SmallService;
let now = 0;
let pauses: Pause[] = [];

beforeAll(async () => {
  const pause = (milliseconds: number) => new Promise<void>((resolve) => pauses.push({ milliseconds, wake: resolve }));
  service = await startSmallService({ Small: { Resources: resources() } }, code, {
    now: () => now,
    pause,
    slowBodies,
  });
});
afterAll(() => service.stop());
beforeEach(() => {
  pauses = [];
});

/** Begins a request and sends the first bytes of its body. */
function begin(length: number, first: string): ClientRequest {
  const { hostname, port } = new URL(service.url);
  const headers = { Authorization: `Allow ${FIRST_KEY}`, 'Content-Length': length };
  const sent = request({ hostname, port, method: 'POST', path: '/v2/echo/run', headers });
  // The connection is destroyed after the test.
  sent.on('error', () => undefined);
  sent.write(first);
  return sent;
}

/**
 * Moves the clock through the pauses of the gateway until the request is answered.
 * @param between called after each pause
 * @returns the milliseconds that passed
 */
async function passUntil(answered: Promise<unknown>, between: () => void = () => undefined): Promise<number> {
  let isAnswered = false;
  let passed = 0;
  const settled = answered.then(() => {
    isAnswered = true;
  });
  await eventually('the request is answered', () => {
    const next = pauses.shift();
    if (!next) return isAnswered;
    now += next.milliseconds;
    passed += next.milliseconds;
    next.wake();
    between();
    return false;
  });
  await settled;
  return passed;
}

async function answerTo(sent: ClientRequest) {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const json = JSON.parse(await textOf(response)) as Record<string, unknown>;
  sent.destroy();
  const { 'content-type': type, 'x-content-type-options': options } = response.headers;
  return { status: response.statusCode, type, options, json };
}

describe('the gateway', () => {
  it('answers 408 in JSON to a body that pauses for 20 s', async () => {
    const sent = begin(50, '{"input":{"a');
    const answered = answerTo(sent);
    expect(await passUntil(answered)).toBeGreaterThanOrEqual(STALL);
    const { status, type, options, json } = await answered;
    expect([status, type, options]).toEqual([408, 'application/json', 'nosniff']);
    expect(json).toEqual({
      error: 'Only 12 bytes arrived.',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('answers 408 to a body that never pauses for long, but is below the minimum rate', async () => {
    const sent = begin(2 * RATE, 'x');
    const answered = answerTo(sent);
    const passed = await passUntil(answered, () => sent.write('x'));
    expect((await answered).status).toBe(408);
    expect(passed).toBeLessThan(STALL + 1_000);
  });

  it('reads a body whose pauses are shorter', async () => {
    const sent = begin(2, '{');
    await eventually('the gateway waits for the body', () => pauses.length > 0);
    now += STALL - 1;
    sent.end('}');
    const { status, json } = await answerTo(sent);
    expect([status, json.body]).toEqual([200, '{}']);
  });
});
