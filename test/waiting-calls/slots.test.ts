/**
 * Tests the limit of waiting calls, over the emulators. The clock of each call stops until the test ends the call.
 */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { type Ports, portsWith } from '../../aws/ports.ts';
import { createWaitSlots } from '../../aws/waiting-calls/slots.ts';
import { MINUTE, SECOND, WAIT_LEASE, waitLimits } from '../../core/limits.ts';
import { InvalidRequest, TooManyRequests } from '../../core/requests/errors.ts';
import { runSync } from '../../core/status/runsync.ts';
import { statusSync } from '../../core/status/status-sync.ts';
import { stream } from '../../core/streams/stream.ts';
import type { Waiter, WaitSlots } from '../../core/waiting-calls/slots.ts';
import { finishJob, submitJob } from '../jobs/scripted-job.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

/** Number of calls that begin at the same time. */
const CONNECTIONS = 20;
const MAX_SLOTS = 400;

type Operation = 'runsync' | 'status-sync' | 'stream';

interface OpenCall {
  /** The error that ended the call, or undefined if it waits. */
  readonly refusal: Promise<unknown>;
  /** Lets the time of the call pass, so that it ends. */
  end(): Promise<void>;
}

const emulated = useEmulatedDeployment();
const { ports } = emulated;
let open: OpenCall[];
const jobs = new Map<string, string>();

beforeEach(() => {
  open = [];
});
afterEach(async () => {
  for (const call of open) await call.end();
});

/** Deploys an endpoint with a job that no worker takes. */
async function deploy(endpoint: string): Promise<void> {
  await emulated.deploy(endpoint, { streamEnvelope: true });
  jobs.set(endpoint, await submitJob(ports, endpoint));
}

function answerOf(base: Ports, operation: Operation, endpoint: string): Promise<unknown> {
  if (operation === 'runsync') return runSync(base, request(endpoint));
  const key = { endpoint, id: jobs.get(endpoint) ?? '' };
  return operation === 'stream' ? stream(base, key) : statusSync(base, key);
}

const request = (endpoint: string, body = '{"input":{}}') => ({ endpoint, owner: 'ada', body: Buffer.from(body) });

function begin(endpoint: string, operation: Operation, base = ports): OpenCall {
  const waits = Promise.withResolvers<undefined>();
  const time = Promise.withResolvers<void>();
  let passed = 0;
  const clock = {
    now: () => emulated.clock.now() + passed,
    pause: () => {
      waits.resolve(undefined);
      return time.promise;
    },
  };
  const own = portsWith(base, { clock });
  const failure = answerOf(own, operation, endpoint).then(
    () => undefined,
    (error: unknown) => error,
  );
  const call = {
    refusal: Promise.race([waits.promise, failure]),
    async end() {
      passed = waitLimits.max;
      time.resolve();
      await failure;
    },
  };
  open.push(call);
  return call;
}

const refusalOf = (endpoint: string, operation: Operation, base = ports) => begin(endpoint, operation, base).refusal;

/**
 * Begins `count` calls.
 * @returns the number of calls that wait; the others are refused with TooManyRequests
 */
async function waiting(count: number, endpoint: string, operation: Operation, base = ports): Promise<number> {
  let [left, held] = [count, 0];
  const connection = async () => {
    while (left > 0) {
      left -= 1;
      const refusal = await refusalOf(endpoint, operation, base);
      if (refusal === undefined) held += 1;
      else expect(refusal).toBeInstanceOf(TooManyRequests);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return held;
}

/** Moves the clock by one second, after which a process that found all slots in use reads them again. */
const later = () => emulated.clock.advance(SECOND);

describe.each(['runsync', 'status-sync', 'stream'] as const)('/%s', (operation) => {
  it('lets 400 calls of an endpoint wait, refuses the next, and admits one for each call that ends', async () => {
    const endpoint = `sl-${operation}-most`;
    await deploy(endpoint);
    expect(await waiting(MAX_SLOTS, endpoint, operation)).toBe(MAX_SLOTS);
    expect(await waiting(30, endpoint, operation)).toBe(0);
    const refusal = await refusalOf(endpoint, operation);
    expect(refusal).toMatchObject({
      status: 429,
      code: 'TOO_MANY_REQUESTS',
      retryAfter: 5,
      message: `Endpoint \`${endpoint}\` allows 400 \`${operation}\` requests to wait at the same time, and no slot is free. Try again in 5 s.`,
    });
    const stored = await Array.fromAsync(ports.jobs.list(endpoint));
    expect(stored).toHaveLength(operation === 'runsync' ? 1 + MAX_SLOTS : 1);
    // Each call that ends frees one slot.
    for (const call of open.slice(0, 3)) await call.end();
    later();
    expect(await waiting(10, endpoint, operation)).toBe(3);
  });

  it('releases the slot of a call that fails', async () => {
    const endpoint = `sl-${operation}-fail`;
    await deploy(endpoint);
    const slots = createWaitSlots(createDocumentClient(), 'ENDPOINTS_TABLE', 1);
    const broken = portsWith(ports, {
      waitSlots: slots,
      clock: {
        now: () => emulated.clock.now(),
        pause: async () => {
          throw new Error('The table does not exist.');
        },
      },
    });
    await expect(answerOf(broken, operation, endpoint)).rejects.toThrow('The table does not exist.');
    expect(await waiting(2, endpoint, operation, portsWith(ports, { waitSlots: slots }))).toBe(1);
  });
});

describe('the limit of calls that wait', () => {
  /**
   * Tries to take `count` slots of an endpoint that has 40.
   * @returns the number of taken slots
   */
  async function taken(slots: WaitSlots, count: number, waiter: Waiter): Promise<number> {
    let held = 0;
    for (let n = 0; n < count; n += 1)
      if ('lease' in (await slots.take({ ...waiter, max: 40, now: emulated.clock.now() }))) held += 1;
    return held;
  }

  it('counts each endpoint and operation separately', async () => {
    const slots = createWaitSlots(createDocumentClient(), 'ENDPOINTS_TABLE', 500);
    const one: Waiter = { endpoint: 'sl-one', operation: 'status-sync' };
    expect(await taken(slots, 41, one)).toBe(40);
    expect(await taken(slots, 41, { ...one, endpoint: 'sl-other' })).toBe(40);
    expect(await taken(slots, 41, { ...one, operation: 'runsync' })).toBe(40);
  });

  it('frees the slots of dead functions when their leases end', async () => {
    // A large deployment has more slots than a call of one endpoint reads.
    const slots = createWaitSlots(createDocumentClient(), 'ENDPOINTS_TABLE', 2_000);
    const dead: Waiter = { endpoint: 'sl-dead', operation: 'status-sync' };
    expect(await taken(slots, 41, dead)).toBe(40);
    emulated.clock.advance(WAIT_LEASE - 1);
    expect(await taken(slots, 3, dead)).toBe(0);
    emulated.clock.advance(MINUTE + 1);
    expect(await taken(slots, 41, dead)).toBe(40);
  });

  it('does not apply to calls for a job that has ended', async () => {
    await deploy('sl-ended');
    const full = portsWith(ports, { waitSlots: createWaitSlots(createDocumentClient(), 'ENDPOINTS_TABLE', 1) });
    expect(await waiting(2, 'sl-ended', 'runsync', full)).toBe(1);
    const id = await finishJob(ports, 'sl-ended', { output: '7' });
    expect(JSON.parse(String(await statusSync(full, { endpoint: 'sl-ended', id }))).output).toBe(7);
    expect(await refusalOf('sl-ended', 'status-sync', full)).toBeInstanceOf(TooManyRequests);
  });

  it('does not apply to invalid requests, which are refused as invalid', async () => {
    await deploy('sl-wrong');
    const full = portsWith(ports, { waitSlots: createWaitSlots(createDocumentClient(), 'ENDPOINTS_TABLE', 1) });
    expect(await waiting(2, 'sl-wrong', 'runsync', full)).toBe(1);
    await expect(runSync(full, request('sl-wrong', '{}'))).rejects.toThrow(InvalidRequest);
  });

  it.each([1, 40, 90])('lets %d calls of all endpoints wait in a deployment with that limit', async (total) => {
    const endpoints = ['a', 'b', 'c'].map((name) => `sl-all-${total}-${name}`);
    for (const endpoint of endpoints) await deploy(endpoint);
    const bounded = portsWith(ports, {
      waitSlots: createWaitSlots(createDocumentClient(), 'ENDPOINTS_TABLE', total),
    });
    let held = 0;
    for (const endpoint of endpoints) held += await waiting(total, endpoint, 'status-sync', bounded);
    expect(held).toBe(total);
    later();
    expect(await refusalOf(`sl-all-${total}-a`, 'runsync', bounded)).toMatchObject({
      message: `This deployment allows ${total} requests to wait at the same time, and no slot is free. Try again in 5 s.`,
    });
  });

  it('takes and releases each slot once, although the first response to each write is lost', async () => {
    await deploy('sl-lost');
    const documents = createDocumentClient();
    let calls = 0;
    documents.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        calls += 1;
        if (calls % 2 === 1) throw Object.assign(new Error('lost'), { name: 'TimeoutError' });
        return result;
      },
      { step: 'finalizeRequest', priority: 'low' },
    );
    const lossy = portsWith(ports, { waitSlots: createWaitSlots(documents, 'ENDPOINTS_TABLE', 2) });
    expect(await refusalOf('sl-lost', 'status-sync', lossy)).toBeUndefined();
    expect(await refusalOf('sl-lost', 'status-sync', lossy)).toBeUndefined();
    const [first] = open;
    await first?.end();
    expect(calls).toBe(6);
    expect(await waiting(5, 'sl-lost', 'status-sync', lossy)).toBe(1);
  });

  it('does not keep the lease of a call whose second write fails', async () => {
    await deploy('sl-throttled');
    // The home shards are 16 of 17 shards, and full, so the call counts its lease in the other shard first.
    const [homes, total] = [16, 17 * 32];
    const documents = createDocumentClient();
    const full = Array.from({ length: 32 }, (_, n) => `zzzzz-${n}`);
    let calls = 0;
    documents.middlewareStack.add(
      (next) => async (args) => {
        calls += 1;
        if (calls <= homes)
          throw new ConditionalCheckFailedException({ message: 'full', $metadata: {}, Item: { all: { SS: full } } });
        if (calls === homes + 2) throw new Error('The table is throttled.');
        return next(args);
      },
      { step: 'finalizeRequest', priority: 'low' },
    );
    const leases = async () => {
      const shards = Array.from({ length: 17 }, (_, n) => ({ endpoint: `waits#${n}`, item: 'slots' }));
      const reads = shards.map((Key) => new GetCommand({ TableName: 'ENDPOINTS_TABLE', Key }));
      const items = await Promise.all(reads.map((read) => createDocumentClient().send(read)));
      return items.flatMap(({ Item }) => [...((Item?.all as Set<string> | undefined) ?? [])]);
    };
    const before = await leases();
    const slots = createWaitSlots(documents, 'ENDPOINTS_TABLE', total);
    const call = { endpoint: 'sl-throttled', operation: 'runsync', max: 400, now: emulated.clock.now() } as const;
    await expect(slots.take(call)).rejects.toThrow('The table is throttled.');
    expect(await leases()).toEqual(before);
  });
});
