/**
 * A job that streams is cancelled: the server that its handler reads must not work on for a reader that has gone. The agent
 * stops the job between two chunks, which ends that work within 2 s. On a busy machine a chunk may come in between: RunPod's
 * SDK then keeps the handler's generator until its next job.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE, SECOND } from '../../core/limits.ts';
import { type Attached, attach } from './attached.ts';
import { call, eventually, type LocalService, newStateDir, startService, stopService } from './local-service.ts';
import { type Place, placeAt } from './workers/place.ts';
import { pythonWithSdk } from './workers/python.ts';

const ROUNDS = 20;
/** Milliseconds between two events of the server: 50 a second. */
const EVERY = 20;
const WITHIN = 2 * SECOND;
/** A request that is answered at once. */
const LAST = '/last';

interface Request {
  events: number;
  /** When the connection was broken, in milliseconds. */
  brokenAt?: number;
}

const requests = new Map<string, Request>();
let server: Server;
let service: LocalService;
let place: Place;
let worker: Attached;

beforeAll(async () => {
  server = createServer((incoming, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    if (incoming.url === LAST) return void response.end('data: 1\n\n');
    const request: Request = { events: 0 };
    requests.set(incoming.url ?? '', request);
    const timer = setInterval(() => {
      request.events += 1;
      response.write(`data: ${request.events}\n\n`);
    }, EVERY);
    response.once('close', () => {
      clearInterval(timer);
      request.brokenAt = performance.now();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stateDir = newStateDir();
  const python = await pythonWithSdk();
  service = await startService(stateDir);
  place = placeAt(service, 'echo-sdk');
  const script = resolve('test/acceptance/workers/reading-worker.py');
  worker = attach(stateDir, ['--endpoint', 'echo-sdk', '--', python, script]);
  await worker.worker();
}, 5 * MINUTE);

afterAll(async () => {
  await worker.interrupt();
  await worker.ended;
  await stopService(service);
  server?.close().closeAllConnections();
});

const urlOf = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

/** @returns milliseconds from the cancellation to the end of the server's work; undefined if it is not over by then */
async function timeStop(round: number): Promise<number | undefined> {
  const path = `/${round}`;
  const id = await place.submit({ url: urlOf(path) });
  const request = await eventually('the server streams', () => {
    const found = requests.get(path);
    return found && found.events >= 25 ? found : undefined;
  });
  // So that the cancellation, and each look of the agent, comes at another moment of a chunk.
  await delay(round * 3);
  const cancelledAt = performance.now();
  await call(service, 'POST', `${service.JobApiUrl}/echo-sdk/cancel/${id}`);
  const broken = await eventually('the connection is broken', () => request.brokenAt, {
    within: WITHIN,
    every: EVERY,
  }).catch(() => undefined);
  return broken === undefined ? undefined : broken - cancelledAt;
}

describe("a worker of RunPod's SDK whose handler reads a stream", () => {
  it(
    "ends its server's work for each job that is cancelled, at the latest with its next job",
    async () => {
      const times: (number | undefined)[] = [];
      for (let round = 0; round < ROUNDS; round += 1) times.push(await timeStop(round));
      console.log(`${times.filter((time) => time !== undefined).length} of ${ROUNDS} within ${WITHIN} ms`);
      await place.outcome({ url: urlOf(LAST) });
      const working = () => [...requests].filter(([, { brokenAt }]) => brokenAt === undefined).map(([path]) => path);
      const isOver = await eventually('no request is left', () => working().length === 0 || undefined);
      expect(isOver).toBe(true);
    },
    5 * MINUTE,
  );
});
