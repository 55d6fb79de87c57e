/** Tests the rate limits of direct requests, for which several tasks share a bucket. The test moves the clock. */
import { describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { type Ports, portsWith } from '../../aws/ports.ts';
import { createDirectLimits } from '../../aws/rates/token-buckets.ts';
import { directBlocks } from '../../core/http/ingress.ts';
import { RATE_WINDOW, SECOND } from '../../core/limits.ts';
import { jobRoutes } from '../../core/operations/routes.ts';
import { admitDirect } from '../../core/rates/direct-limit.ts';
import { sharedBuckets } from '../../core/rates/throttle.ts';
import { TooManyRequests } from '../../core/requests/errors.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;
let writes = 0;

type Direct = 'run' | 'runsync';

/** Starts tasks of the ingress. */
const startTasks = (count: number): Ports[] =>
  Array.from({ length: count }, () => {
    const documents = createDocumentClient();
    documents.middlewareStack.add(
      (next) => (args) => {
        writes += 1;
        return next(args);
      },
      { step: 'initialize' },
    );
    return portsWith(ports, { directLimits: createDirectLimits(documents, 'ENDPOINTS_TABLE') });
  });

/** @returns a generator of numbers from 0 to 1 for the seed */
function createRandom(): () => number {
  const modulus = 2 ** 31 - 1;
  let state = (seedOf(PROPERTY_SEED) % (modulus - 1)) + 1;
  return () => {
    state = (state * 48_271) % modulus;
    return state / modulus;
  };
}

/** @returns whether the task admitted the request */
async function isAdmitted(task: Ports | undefined, operation: Direct, bucket: string) {
  try {
    await admitDirect(task ?? ports, operation, bucket);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(TooManyRequests);
    return false;
  }
}

/**
 * Sends requests to the tasks in turn at an interval.
 * @returns the number of admitted requests
 */
async function spaced(tasks: readonly Ports[], operation: Direct, endpoint: string, count: number, between: number) {
  const start = emulated.clock.now();
  let admitted = 0;
  for (let n = 0; n < count; n += 1) {
    emulated.clock.advance(Math.floor(start + n * between) - emulated.clock.now());
    if (await isAdmitted(tasks[n % tasks.length], operation, endpoint)) admitted += 1;
  }
  return admitted;
}

describe('the limit of direct /run requests', () => {
  const operation = 'run';
  const { per10Seconds: number } = jobRoutes[operation].limit;
  const block = number * directBlocks.share;

  it.each([1, 10])('refuses no request within the contract’s number in 10 seconds, for %d tasks', async (count) => {
    const endpoint = `di-${operation}-${count}`;
    const tasks = startTasks(count);
    expect(await spaced(tasks, operation, endpoint, number, 0)).toBe(number);
    emulated.clock.advance(RATE_WINDOW);
    expect(await spaced(tasks, operation, endpoint, number, RATE_WINDOW / number)).toBe(number);
  });

  it('refuses no request within the limit while ten tasks have unused blocks', async () => {
    const endpoint = `di-${operation}-uneven`;
    const tasks = startTasks(10);
    const random = createRandom();
    const passed: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      const now = emulated.clock.now();
      const left = number - passed.filter((time) => time > now - RATE_WINDOW).length;
      // Usually one task gets all requests, and sometimes each other task a few, so that their blocks are renewed.
      const crowd = round % 3 === 0 ? Math.min(left, 30) : Math.floor(left * random());
      const own = Math.floor(random() * tasks.length);
      for (let n = 0; n < crowd; n += 1) {
        expect(await isAdmitted(tasks[round % 3 === 0 ? n % tasks.length : own], operation, endpoint)).toBe(true);
        passed.push(now);
      }
      emulated.clock.advance(Math.floor(random() * 4 * SECOND));
    }
  });

  it('refuses no request of a burst at one task, although nine tasks have each leased a block for one request', async () => {
    const endpoint = `di-${operation}-crowd`;
    const [first, ...others] = startTasks(10);
    for (let round = 0; round < 3; round += 1) {
      for (const task of others) expect(await isAdmitted(task, operation, endpoint)).toBe(true);
      const crowd = number - others.length;
      expect(await spaced([first ?? ports], operation, endpoint, crowd, 0)).toBe(crowd);
      emulated.clock.advance(RATE_WINDOW);
    }
  });

  it('admits about twice the number in the first 10 s after a pause, and at most the blocks in addition', async () => {
    const endpoint = `di-${operation}-most`;
    for (const count of [1, 10]) {
      const tasks = startTasks(count);
      const admitted = await spaced(tasks, operation, endpoint, 3 * number, RATE_WINDOW / (3 * number));
      expect(admitted).toBeGreaterThanOrEqual(2 * number);
      expect(admitted).toBeLessThanOrEqual(2 * number + directBlocks.tasks * block);
      emulated.clock.advance(2 * RATE_WINDOW);
    }
  });

  it('causes one write for each block, and few writes for refused requests', async () => {
    const endpoint = `di-${operation}-writes`;
    const [task] = startTasks(1);
    writes = 0;
    let admitted = 0;
    const request = async () => {
      if (await isAdmitted(task, operation, endpoint)) admitted += 1;
    };
    await Promise.all(Array.from({ length: 5 * number }, request));
    expect(admitted).toBe(number + directBlocks.tasks * block);
    expect(writes).toBeLessThanOrEqual(admitted / block + 5);
  });
});

describe('the limit of direct requests', () => {
  it('returns the time at which the next request is admitted', async () => {
    const [task] = startTasks(1);
    await spaced([task ?? ports], 'run', 'di-words', 1_200, 0);
    await expect(admitDirect(task ?? ports, 'run', 'di-words')).rejects.toMatchObject({
      status: 429,
      retryAfter: 1,
      message: 'Endpoint `di-words` allows 1000 `run` requests per 10 seconds. Try again in 1 s.',
    });
    emulated.clock.advance(SECOND);
    expect(await isAdmitted(task, 'run', 'di-words')).toBe(true);
    expect(await isAdmitted(task, 'runsync', 'di-words')).toBe(true);
  });

  it('has a bucket for each endpoint, and one for all unknown endpoints', async () => {
    const [task] = startTasks(1);
    const { unknownEndpoint } = sharedBuckets;
    for (let n = 0; n < 1_100; n += 1) expect(await isAdmitted(task, 'run', unknownEndpoint)).toBe(true);
    expect(await isAdmitted(task, 'run', unknownEndpoint)).toBe(false);
    expect(await isAdmitted(task, 'run', 'di-b')).toBe(true);
  });
});
