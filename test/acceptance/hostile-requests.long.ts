/**
 * Sends 8,000 hostile requests to one service, while a hostile worker writes junk with its real role. These commands
 * repeat a run or one of its requests:
 *
 *   HOSTILE_SEED=7 npm run test:long -- test/acceptance/hostile-requests
 *   HOSTILE_SEED=7 HOSTILE_REQUEST=1234 npm run test:long -- test/acceptance/hostile-requests
 *
 * `--verbose` prints the statuses of all replies by operation, and what the service printed, such as the reason of a
 * response that is cut.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../core/limits.ts';
import { isForUsers, operations } from '../../core/operations/routes.ts';
import { seedOf } from '../runner/seed.ts';
import { type Attack, attack } from './attack/attack.ts';
import { ECHO, MARKER } from './attack/endpoints.ts';
import { type Exchange, exchange, type Sending } from './attack/exchange.ts';
import { portOf, type Scene, setScene } from './attack/scene.ts';
import { startFlood } from './hostile/flood.ts';
import { jobIn, stopService, submit } from './local-service.ts';

const REQUESTS = 8_000;
/** Items per second. */
const JUNK = 40;

const seed = seedOf('HOSTILE_SEED');
const only = process.env.HOSTILE_REQUEST;
const numbers = only ? [Number(only)] : Array.from({ length: REQUESTS }, (_, number) => number);

/** Milliseconds until the server must have closed the connection of a client that does not complete its request. */
const UNENDED_LIMIT = 2 * MINUTE;
const unendedRequests = [
  '',
  'GET /v2/own-0/health HTTP/1.1\r\n',
  'POST /v2/own-0/run HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
];
const unendedSending = (text: string): Sending => ({
  pieces: [Buffer.from(text)],
  pause: 0,
  after: 'wait',
  expects: 1,
  bodyless: false,
});

/** Largest share of replies that may be 429, from 0 to 1. */
const MAX_THROTTLED = 0.25;
const noJobs = { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 };

const shown = (counts: ReadonlyMap<string, number>) => JSON.stringify(Object.fromEntries(counts));

let scene: Scene;
let before: unknown;
let after: unknown;
let attacked: Attack;
let ends: Exchange['end'][];

beforeAll(async () => {
  scene = await setScene();
  before = await scene.victim();
  const unended = Promise.all(
    (only ? [] : unendedRequests).map((text) => exchange(portOf(scene), unendedSending(text), UNENDED_LIMIT)),
  );
  const flood = startFlood(scene.worker, ECHO, JUNK);
  const printedBefore = scene.service.printed().length;
  const from = performance.now();
  attacked = await attack(scene, { seed, numbers });
  const seconds = Math.round((performance.now() - from) / 1000);
  await flood.stop();
  after = await scene.victim();
  ends = (await unended).map(({ end }) => end);
  const { outcomes, byOperation, longest } = attacked;
  const rows = [...byOperation].map(([operation, counts]) => `${operation}: ${shown(counts)}`);
  console.log(
    [
      `HOSTILE_SEED=${seed}: ${numbers.length} requests in ${seconds} s, the longest took ${Math.round(longest)} ms, with ${flood.written()} items of junk`,
      shown(outcomes),
      ...rows,
      `The service printed: ${scene.service.printed().slice(printedBefore) || 'nothing'}`,
    ].join('\n'),
  );
}, 10 * MINUTE);
afterAll(() => scene && stopService(scene.service));

describe('hostile requests', () => {
  it('are all answered without 5xx, and reveal nothing about other endpoints and keys', () => {
    expect(attacked.problems).toEqual([]);
  });

  if (!only)
    it('reach every operation that API keys can call and no other, and few exceed a rate limit', () => {
      const { outcomes, byOperation } = attacked;
      const all = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
      expect((outcomes.get('429') ?? 0) / all).toBeLessThan(MAX_THROTTLED);
      const reached = operations.filter((operation) => byOperation.get(operation)?.get('200'));
      expect(reached).toEqual(operations.filter((operation) => !isForUsers(operation)));
    });

  it('are disconnected if they are never completed', () => {
    expect(ends).not.toContain('silent');
  });

  it('cause no webhook connection to this machine', () => {
    expect(scene.trapped()).toBe(0);
  });

  it('change nothing in an endpoint that their keys may not call', () => {
    expect(after).toEqual(before);
    expect(after).toMatchObject({ quiet: noJobs });
  });

  it(
    'leave every endpoint able to run jobs',
    async () => {
      for (const endpoint of scene.endpoints) {
        const { json } = await submit(scene.service, '{"input":{}}', endpoint);
        await jobIn(scene.service, json.id, 'COMPLETED', MINUTE, endpoint);
      }
    },
    10 * MINUTE,
  );

  it('leave no inputs and no keys in the logs of functions', () => {
    const logs = globSync(join(scene.service.stateDir, 'logs', '{Platform,Management}-*.log'));
    expect(logs).not.toEqual([]);
    for (const log of logs)
      for (const secret of [MARKER, ...scene.secrets]) expect(readFileSync(log, 'utf8')).not.toContain(secret);
  });
});
