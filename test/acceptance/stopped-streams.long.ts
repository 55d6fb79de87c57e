/**
 * Tests that the server behind a worker stops its work when the reader of a stream disconnects. The agent closes
 * its own connection to a stock server, so the work stops immediately. The agent stops a job of RunPod's SDK
 * between two chunks,
 * which takes at most 2 s. On a busy machine the cancellation can arrive while a chunk is sent, and the SDK then
 * keeps the handler's generator until its next job.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE, SECOND } from '../../core/limits.ts';
import { startStopwatch } from '../runner/stopwatch.ts';
import { sharedAssembly } from './assembly.ts';
import { type Attached, attach } from './attached.ts';
import { call, eventually, type LocalService, newStateDir, startService, stopService } from './local-service.ts';
import { type Place, placeAt } from './workers/place.ts';
import { pythonWithSdk } from './workers/python.ts';

const ROUNDS = 20;
/** Milliseconds between two events of the server: 50 per second. */
const EVERY = 20;
const WITHIN = 2 * SECOND;
/** Milliseconds for which a test waits for work that must end, although a slow machine needs longer. */
const PATIENCE = 20 * SECOND;
/** Path of a request that is answered immediately. */
const LAST = '/last';

interface Request {
  events: number;
  /** Whether the connection was closed. */
  isBroken: boolean;
}

const requests = new Map<string, Request>();
let server: Server;
let service: LocalService;
let place: Place;
let workers: readonly Attached[];

beforeAll(async () => {
  server = createServer((incoming, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    if (incoming.url === LAST) return void response.end('data: 1\n\n');
    const request: Request = { events: 0, isBroken: false };
    requests.set(incoming.url ?? '', request);
    const timer = setInterval(() => {
      request.events += 1;
      response.write(`data: ${request.events}\n\n`);
    }, EVERY);
    response.once('close', () => {
      clearInterval(timer);
      request.isBroken = true;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stateDir = newStateDir();
  const python = await pythonWithSdk();
  service = await startService(stateDir, { args: ['--assembly', await sharedAssembly()] });
  place = placeAt(service, 'echo-sdk');
  const script = (name: string) => resolve('test/acceptance/workers', name);
  const commands = {
    'echo-sdk': [python, script('reading-worker.py')],
    'echo-http': [process.execPath, script('passing-server.ts')],
  };
  workers = Object.entries(commands).map(([endpoint, command]) =>
    attach(stateDir, ['--endpoint', endpoint, '--', ...command]),
  );
  for (const worker of workers) await worker.worker();
}, 5 * MINUTE);

afterAll(async () => {
  for (const worker of workers) await worker.interrupt();
  for (const worker of workers) await worker.ended;
  await stopService(service);
  server?.close().closeAllConnections();
});

const urlOf = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

/**
 * Starts to read a stream.
 * @returns a function that disconnects the reader
 */
type Read = (url: string) => Promise<() => Promise<unknown>>;

/**
 * @param patience milliseconds to wait for the end
 * @returns milliseconds from the disconnect to the end of the server's work, or undefined if the work continued. They
 * do not include the time in which the machine does not run this process.
 */
async function timeStop(path: string, round: number, read: Read, patience: number): Promise<number | undefined> {
  const leave = await read(urlOf(path));
  const request = await eventually('the server streams', () => {
    const found = requests.get(path);
    return found && found.events >= 25 ? found : undefined;
  });
  // Varies the time of the disconnect and of the agent's polls within a chunk.
  await delay(round * 3);
  const stopwatch = startStopwatch();
  await leave();
  const isBroken = await eventually('the connection is closed', () => request.isBroken || undefined, {
    within: patience,
    every: EVERY,
  }).catch(() => false);
  const took = stopwatch.milliseconds();
  stopwatch.stop();
  return isBroken ? took : undefined;
}

/** @returns number of rounds in which the server's work stopped in time */
async function countStops(name: string, read: Read, patience = WITHIN): Promise<number> {
  const times: (number | undefined)[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    times.push(await timeStop(`/${name}/${round}`, round, read, patience));
  const inTime = times.filter((time): time is number => time !== undefined && time < WITHIN);
  const median = inTime.toSorted((a, b) => a - b)[Math.floor(inTime.length / 2)];
  console.log(
    `${name}: ${inTime.length} of ${ROUNDS} within ${WITHIN} ms, half of them within ${median?.toFixed(0)} ms`,
  );
  return inTime.length;
}

describe("a worker of RunPod's SDK whose handler reads a stream", () => {
  it(
    "ends its server's work for each cancelled job, at the latest with its next job",
    async () => {
      await countStops('cancel', async (url) => {
        const id = await place.submit({ url });
        return () => call(service, 'POST', `${service.JobApiUrl}/echo-sdk/cancel/${id}`);
      });
      await place.outcome({ url: urlOf(LAST) });
      const working = () => [...requests].filter(([, { isBroken }]) => !isBroken).map(([path]) => path);
      const isOver = await eventually('no request is left', () => working().length === 0 || undefined);
      expect(isOver).toBe(true);
    },
    5 * MINUTE,
  );
});

describe('a stock server behind the agent', () => {
  it(
    'ends its work within 2 s when an OpenAI client closes its connection',
    async () => {
      const inTime = await countStops(
        'close',
        async (url) => {
          const gone = new AbortController();
          const response = await fetch(`${service.JobApiUrl}/echo-http/openai/v1/chat/completions`, {
            method: 'POST',
            headers: { Authorization: `Bearer ${service.ApiKey}`, 'Content-Type': 'application/json' },
            body: JSON.stringify({ stream: true, url }),
            signal: gone.signal,
          });
          // The client reads the response until the connection is closed.
          const reading = response.text().catch(() => undefined);
          return () => {
            gone.abort();
            return reading;
          };
        },
        PATIENCE,
      );
      expect(inTime).toBe(ROUNDS);
    },
    5 * MINUTE,
  );
});
