/**
 * Sends 12,000 requests of several operations, keys and endpoints in five bursts over 200 connections, above and below the
 * limits of the contract, while another caller runs jobs on another endpoint. The seed determines the requests. This
 * command repeats a run:
 *
 *   BURST_SEED=7 npm run test:long -- test/acceptance/large-burst
 */
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE, RATE_WINDOW, SECOND } from '../../core/limits.ts';
import { limitOf } from '../../core/operations/routes.ts';
import { seedOf } from '../runner/seed.ts';
import { heldJobs, wronglyEnded, wronglyRun } from './large-burst/accepted-jobs.ts';
import { type Burst, runBurst } from './large-burst/burst.ts';
import { BYSTANDER, HELD, RUNNING } from './large-burst/endpoints.ts';
import { type Scene, setScene } from './large-burst/scene.ts';
import { call, eventually } from './local-service.ts';

const REQUESTS = 12_000;
/** Parts of the bursts. In each of them, the bystander's jobs must continue to end. */
const PARTS = 10;
const MB = 1_024 * 1_024;
/** Maximum growth of the heap, in bytes. If each request kept 2 KB, the heap would grow by 24 MB. */
const TOLERANCE = 15 * MB;

const seed = seedOf('BURST_SEED');
let scene: Scene;
let burst: Burst;

const shown = (counts: ReadonlyMap<string, number>) => JSON.stringify(Object.fromEntries(counts));
/** Returns what the functions logged about requests that failed, which explains a 500. */
const failuresOf = ({ service: { stateDir } }: Scene) =>
  globSync(join(stateDir, 'logs', '*.log')).flatMap((log) =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"The request failed."')),
  );
const seconds = (milliseconds: number) => `${Math.round(milliseconds / SECOND)} s`;

beforeAll(async () => {
  const steps: string[] = [];
  scene = await setScene();
  burst = await runBurst(scene, seed, (step) => steps.push(step));
  const { requests, sent, ended, bystander, growth, outcomes } = burst;
  console.log(
    [
      `BURST_SEED=${seed}: ${requests} requests in ${seconds(sent)}, all jobs ended after ${seconds(ended)}`,
      `${bystander.ends.length} jobs of the bystander, ${(growth / MB).toFixed(1)} MB more in the heap`,
      ...steps,
      ...[...outcomes].map(([name, counts]) => `${name}: ${shown(counts)}`),
    ].join('\n'),
  );
}, 15 * MINUTE);

afterAll(async () => {
  if (!scene) return;
  scene.inspector.close();
  await scene.service.stop();
  rmSync(scene.service.stateDir, { recursive: true, force: true });
});

describe(`${REQUESTS} requests in bursts`, () => {
  it('all get a response that the contract allows, and are refused only where they exceed a limit', () => {
    expect({ problems: burst.problems, failures: failuresOf(scene) }).toEqual({ problems: [], failures: [] });
    expect(burst.requests).toBe(REQUESTS);
  });

  it.each(['cancel', 'requests'] as const)('admit no more calls of /%s than its exact limit', (operation) => {
    const { 200: admitted = 0, '429 TOO_MANY_REQUESTS': refused = 0 } = Object.fromEntries(
      burst.outcomes.get(`${HELD} ${operation}`) ?? [],
    );
    expect(admitted + refused).toBe(operation === 'cancel' ? 500 : 200);
    // A window begins with a call.
    expect(admitted).toBeLessThanOrEqual(limitOf(operation).per10Seconds * (1 + Math.floor(burst.last / RATE_WINDOW)));
  });

  it('let the jobs of another caller on another endpoint end in each part of the bursts', () => {
    const { problems, ends } = burst.bystander;
    expect(problems).toEqual([]);
    const parts = new Set(ends.map((end) => Math.floor((end * PARTS) / REQUESTS)));
    const missing = Array.from({ length: PARTS }, (_, part) => part).filter((part) => !parts.has(part));
    expect(missing).toEqual([]);
  });

  it(
    'leave each accepted job with its own result, after one attempt',
    async () => {
      expect(await wronglyEnded(scene.client, burst.jobs)).toEqual([]);
    },
    5 * MINUTE,
  );

  it.each(RUNNING)('let the workers of %s run each accepted job once, and no other job', (endpoint) => {
    expect(wronglyRun(scene.logOf(endpoint), burst.jobs.of(endpoint))).toEqual([]);
  });

  it(
    'leave each waiting job cancelled or purged once, as the responses of /cancel and /purge-queue say',
    async () => {
      let { removed } = burst;
      const purge = async () => {
        const { json } = await scene.client.ask('POST', `/${HELD}/purge-queue`);
        removed += Number(json.removed);
        return json.removed === 0 || undefined;
      };
      await eventually('the queue is empty', purge, { within: 2 * MINUTE });
      const { wrong, purged } = await heldJobs(scene.client, burst.jobs);
      expect(wrong).toEqual([]);
      expect(removed).toBe(purged);
    },
    5 * MINUTE,
  );

  it('leave counters of /health that agree with the jobs', async () => {
    const counters = async (endpoint: string, ApiKey: string) =>
      (await call({ ApiKey }, 'GET', `${scene.service.jobApiUrl}/${endpoint}/health`)).json.jobs;
    const none = { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 };
    const beside = { ...none, completed: burst.bystander.ends.length };
    // The counters follow the jobs within seconds.
    await eventually('the counters agree', async () => {
      const both = [await counters(HELD, scene.keys.wide), await counters(BYSTANDER, scene.keys.other)];
      return isDeepStrictEqual(both, [none, beside]) || undefined;
    });
  });

  it('leave no more memory in use than before', () => {
    expect(burst.growth).toBeLessThan(TOLERANCE);
  });
});
