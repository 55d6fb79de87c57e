/**
 * Tests the token buckets of the contract's rates over HTTP, on a clock that the test moves. Prints how many requests
 * are admitted of twice and three times the rate.
 */
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { type JobOperation, jobRoutes } from '../../core/operations/routes.ts';
import { bucketOf } from '../../lib/api/rate-limits.ts';
import { code, FIRST_KEY, resources, set } from '../../packages/emulator/test/gateway/small-api.ts';
import {
  createSharedFunctions,
  type SmallService,
  startSmallService,
} from '../../packages/emulator/test/small-service.ts';

const WINDOW = 10_000;
/** Number of requests at the same time. */
const CONNECTIONS = 20;
/** Time limit in milliseconds for ten thousand requests on a busy machine. */
const LIMIT = 300_000;

const functions = createSharedFunctions();
let service: SmallService | undefined;
let time = 0;

async function serve(limit: { readonly per10Seconds: number }): Promise<void> {
  const api = resources();
  const { rateLimit: RateLimit, burstLimit: BurstLimit } = bucketOf(limit);
  const Throttle = { '/{endpoint}/run/POST': { RateLimit, BurstLimit } };
  set(api, 'Plan', { ApiStages: [{ ApiId: { Ref: 'Api' }, Stage: { Ref: 'Stage' }, Throttle }] });
  service = await startSmallService({ Small: { Resources: api } }, code, { functions, now: () => time });
}

async function request(): Promise<number> {
  const headers = { Authorization: `Allow ${FIRST_KEY}` };
  const response = await fetch(`${service?.url}/v2/echo/run?answer={"statusCode":200}`, { method: 'POST', headers });
  await response.arrayBuffer();
  return response.status;
}

const admittedOf = (statuses: readonly number[]) => {
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  return statuses.filter((status) => status === 200).length;
};

/**
 * Sends requests one after another with this pause between them.
 * @returns how many were admitted
 */
async function spaced(count: number, milliseconds: number): Promise<number> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) {
    statuses.push(await request());
    time += milliseconds;
  }
  return admittedOf(statuses);
}

/**
 * Sends requests without moving the clock.
 * @returns how many were admitted
 */
async function atOnce(count: number): Promise<number> {
  let left = count;
  const statuses: number[] = [];
  const connection = async () => {
    for (; left > 0; ) {
      left -= 1;
      statuses.push(await request());
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return admittedOf(statuses);
}

/** Lets the bucket fill up again. */
const rest = () => {
  time += WINDOW;
};

export function describeRates(operations: readonly JobOperation[]): void {
  afterAll(() => functions.stop());
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  describe.each(operations)('the rate limit of /%s', (operation) => {
    const { limit } = jobRoutes[operation];
    const { per10Seconds: number } = limit;

    it(
      'refuses no request within the limit in 10 seconds, however they are spaced',
      async () => {
        await serve(limit);
        expect(await spaced(number, 1_000 / number)).toBe(number);
        rest();
        expect(await spaced(number, WINDOW / number)).toBe(number);
        rest();
        expect(await atOnce(number)).toBe(number);
      },
      LIMIT,
    );

    it(
      'admits at most twice the limit in the first 10 seconds after a pause',
      async () => {
        await serve(limit);
        const lines: string[] = [];
        for (const times of [2, 3]) {
          const crowd = await atOnce(times * number);
          expect(crowd).toBe(number);
          rest();
          const row = await spaced(times * number, WINDOW / (times * number));
          expect(row).toBeGreaterThanOrEqual(number);
          expect(row).toBeLessThanOrEqual(2 * number);
          rest();
          lines.push(
            `${times * number} requests of /${operation}: ${crowd} admitted at the same time, ${row} within 10 s (contract ${number}, at most ${2 * number})`,
          );
        }
        console.log(lines.join('\n'));
      },
      LIMIT,
    );
  });
}
