/**
 * Tests the contract's limits over HTTP, except the one of `openai`, with all numbers of `core/operations/routes.ts` divided by
 * 20. With `--verbose`, prints the offered, admitted and refused requests next to the contract's numbers.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { table } from '../../bin/pages/aligned-table.ts';
import { directBlocks } from '../../core/http/ingress.ts';
import { RATE_WINDOW, SECOND } from '../../core/limits.ts';
import { limitOf } from '../../core/operations/routes.ts';
import { type ContractLimit, contractLimits, type LimitedOperation } from '../contract/numbers.ts';
import { copyWithLimitsDivided, divided, type Offer, offerEvenly, sendUntilAdmitted, waitTogether } from './limits.ts';
import { type LocalService, newStateDir, startService, stopService } from './local-service.ts';

const BY = 20;
/**
 * Requests in flight. Their number is below the limit for waiting calls, because `/runsync` takes a slot for the
 * duration of a poll.
 */
const CONNECTIONS = 10;
/** Number of waiting calls above the contract's limit that start at the same time. */
const MORE_WAITS = 10;
/** Milliseconds of a wait. The test cancels its job much earlier. */
const LONG_WAIT = 300_000;

/** An endpoint whose calls of `/stream` wait if the job has no chunks. */
const STREAMS_WAIT = 'echo-sdk';

let copy: string;
let service: LocalService;
const rates: (string | number)[][] = [];
const waits: (string | number)[][] = [];

beforeAll(async () => {
  copy = copyWithLimitsDivided(BY);
  const stateDir = newStateDir();
  const placement = join(stateDir, 'placement.yaml');
  const endpoints = ['echo', 'echo-http', 'echo-sdk'];
  // No worker takes a job, because the test does not measure the cost of jobs.
  writeFileSync(placement, endpoints.map((name) => `Endpoint-${name}: RESOURCE:FARGATE\n`).join(''));
  service = await startService(stateDir, { folder: copy, env: { LOCAL_PLACEMENT: placement } });
}, 240_000);
afterAll(async () => {
  const first = ['operation', 'route'];
  const numbers = ['contract in 10 s', `/ ${BY}`, 'offered', 'admitted', 'refused', 'took s'];
  console.log(table([...first, ...numbers], 2, rates));
  console.log(table([...first, "contract's maximum", `/ ${BY}`, 'offered', 'most waiting', 'refused'], 2, waits));
  await stopService(service);
  rmSync(copy, { recursive: true, force: true });
});

const BODY = '{"input":{}}';
let keys = 0;
/** Returns a new idempotency key. */
const newKey = () => {
  keys += 1;
  return `limits-${keys}`;
};

function post(endpoint: string, path: string, more: Partial<Offer> = {}): Offer {
  const url = `${service.JobApiUrl}/${endpoint}/${path}`;
  return { method: 'POST', url, ...more, headers: { Authorization: `Bearer ${service.ApiKey}`, ...more.headers } };
}

const get = (endpoint: string, path: string): Offer => ({ ...post(endpoint, path), method: 'GET' });

const cancel = (endpoint: string, job: string) => sendUntilAdmitted(post(endpoint, `cancel/${job}`));

async function newJob(endpoint: string): Promise<string> {
  const { id } = JSON.parse(await sendUntilAdmitted(post(endpoint, 'run', { body: BODY }))) as { id: string };
  return id;
}

async function endedJob(endpoint: string): Promise<string> {
  const job = await newJob(endpoint);
  await cancel(endpoint, job);
  return job;
}

/** Returns a request whose job has ended, so the call does not wait. */
async function endedRunSync(isChunked: boolean): Promise<Offer> {
  const headers = { 'Idempotency-Key': newKey() };
  const { id } = JSON.parse(
    await sendUntilAdmitted(post('echo', `runsync?wait=${SECOND}`, { body: BODY, headers })),
  ) as { id: string };
  await cancel('echo', id);
  return post('echo', 'runsync', { body: BODY, headers, isChunked });
}

type Route = 'gateway' | 'direct';

/** The requests of each operation and route. Operations with exact limits have a separate endpoint. */
const offers: readonly (readonly [operation: LimitedOperation, route: Route, offer: () => Promise<Offer>])[] = [
  ['run', 'gateway', async () => post('echo', 'run', { body: BODY })],
  ['run', 'direct', async () => post('echo', 'run', { body: BODY, isChunked: true })],
  ['runsync', 'gateway', () => endedRunSync(false)],
  ['runsync', 'direct', () => endedRunSync(true)],
  ['status', 'gateway', async () => get('echo', `status/${await endedJob('echo')}`)],
  ['status-sync', 'gateway', async () => get('echo', `status-sync/${await endedJob('echo')}`)],
  ['stream', 'gateway', async () => get('echo', `stream/${await endedJob('echo')}`)],
  ['cancel', 'gateway', async () => post('echo-http', `cancel/${await newJob('echo-http')}`)],
  ['purge-queue', 'gateway', async () => post('echo-http', 'purge-queue')],
  ['requests', 'gateway', async () => get('echo-http', 'requests')],
];

/** Returns the maximum number of requests that a limit may admit in the given milliseconds. */
function maxAdmitted(operation: LimitedOperation, route: Route, number: number, took: number): number {
  // A window begins with a call. Each window that begins while requests arrive admits the full number of requests.
  if (limitOf(operation).exact) return number * (1 + Math.floor(took / RATE_WINDOW));
  const block = Math.max(1, Math.round(number * directBlocks.share));
  const ofBucket = number + (route === 'direct' ? directBlocks.tasks * block : 0);
  return Math.ceil(ofBucket + (number * took) / RATE_WINDOW);
}

describe(`the contract's limits divided by ${BY}, over HTTP`, () => {
  it.each(offers)(
    'admits the allowed number of /%s calls by route %s in 10 s, and at most twice that number',
    async (operation, route, offer) => {
      const { per10Seconds }: ContractLimit = contractLimits[operation];
      const number = divided(per10Seconds, BY);
      const offered = 3 * number;
      const { admitted, refused, took } = await offerEvenly(offered, CONNECTIONS, await offer());
      rates.push([operation, route, per10Seconds, number, offered, admitted, refused, (took / SECOND).toFixed(1)]);
      expect(admitted).toBeGreaterThanOrEqual(number);
      expect(admitted).toBeLessThanOrEqual(maxAdmitted(operation, route, number, took));
      expect(admitted + refused).toBe(offered);
    },
    240_000,
  );

  async function waitingCalls(operation: LimitedOperation, count: number, isDirect: (n: number) => boolean) {
    const endpoint = operation === 'stream' ? STREAMS_WAIT : 'echo';
    const job = await newJob(endpoint);
    const path = `${operation}/${job}?wait=${LONG_WAIT}`;
    if (operation !== 'runsync')
      return { endpoint, job, calls: Array.from({ length: count }, () => get(endpoint, path)) };
    await cancel(endpoint, job);
    // All calls wait for one job, so that one cancellation ends all waits.
    const headers = { 'Idempotency-Key': newKey() };
    const more = { body: BODY, headers };
    const first = JSON.parse(await sendUntilAdmitted(post(endpoint, `runsync?wait=${SECOND}`, more))) as { id: string };
    const calls = Array.from({ length: count }, (_, n) =>
      post(endpoint, `runsync?wait=${LONG_WAIT}`, { ...more, isChunked: isDirect(n) }),
    );
    return { endpoint, job: first.id, calls };
  }

  it.each([
    ['runsync', 'gateway', () => false],
    ['runsync', 'both', (n: number) => n % 2 === 0],
    ['status-sync', 'gateway', () => false],
    ['stream', 'gateway', () => false],
  ] as const)(
    'lets the allowed number of /%s calls by route %s wait at the same time, and refuses all others',
    async (operation, route, isDirect) => {
      const { atOnce } = contractLimits[operation];
      const number = divided(atOnce, BY);
      const { endpoint, job, calls } = await waitingCalls(operation, number + MORE_WAITS, isDirect);
      const { waiting, refused, ended } = await waitTogether(calls, MORE_WAITS, async () => {
        await cancel(endpoint, job);
      });
      waits.push([operation, route, atOnce, number, calls.length, waiting, refused]);
      expect(waiting).toBe(number);
      expect(ended).toEqual(Array(number).fill(expect.stringContaining('CANCELLED')));
    },
    240_000,
  );
});
