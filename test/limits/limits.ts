/**
 * Tests the contract's limits over the emulators, on a clock that the test moves, for one task of the ingress and for
 * three. The limits are token buckets of API Gateway, counters of exact limits, buckets of direct requests, and slots
 * of waiting calls. Prints a table of offered, admitted and refused requests, beside the contract's numbers.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { type Ports, portsWith } from '../../aws/ports.ts';
import { createCallCounts } from '../../aws/rates/call-counts.ts';
import { createDirectLimits } from '../../aws/rates/token-buckets.ts';
import { createSlotHolder } from '../../aws/waiting-calls/slot-holders.ts';
import { createWaitSlots } from '../../aws/waiting-calls/slots.ts';
import { table } from '../../bin/pages/aligned-table.ts';
import { directBlocks } from '../../core/http/ingress.ts';
import { RATE_WINDOW } from '../../core/limits.ts';
import { type JobOperation, jobRoutes, limitOf } from '../../core/operations/routes.ts';
import { withCallLimit } from '../../core/rates/call-limit.ts';
import { admitDirect } from '../../core/rates/direct-limit.ts';
import { TooManyRequests } from '../../core/requests/errors.ts';
import { withWaitSlot } from '../../core/waiting-calls/slots.ts';
import { bucketOf } from '../../lib/api/rate-limits.ts';
import { createThrottle } from '../../packages/emulator/gateway/throttle.ts';
import { type ContractLimit, contractLimits, type LimitedOperation } from '../contract/numbers.ts';
import { type EmulatedDeployment, startEmulatedDeployment } from '../support/emulated-deployment.ts';

export const operations = Object.keys(contractLimits) as LimitedOperation[];
/** Number of waiting calls that start at the same time beyond those that the contract allows. */
const MORE_WAITS = 40;
const CONNECTIONS = 20;

let emulated: EmulatedDeployment;
let names = 0;
const rows: (string | number)[][] = [];

/** Returns the ports of this number of ingress tasks or function executions, each with its own caches. */
async function startTasks(count: number): Promise<Ports[]> {
  const now = () => emulated.clock.now();
  return Promise.all(
    Array.from({ length: count }, async () => {
      const documents = createDocumentClient();
      const holder = createSlotHolder({ now, pause: () => new Promise(() => undefined) });
      await holder.start();
      return portsWith(emulated.ports, {
        callCounts: createCallCounts(documents, 'ENDPOINTS_TABLE'),
        directLimits: createDirectLimits(documents, 'ENDPOINTS_TABLE'),
        waitSlots: createWaitSlots(documents, 'ENDPOINTS_TABLE', 1_500, holder),
      });
    }),
  );
}

async function newEndpoint(): Promise<string> {
  names += 1;
  await emulated.deploy(`limits-${names}`);
  return `limits-${names}`;
}

const isAdmitted = async (request: Promise<unknown>) =>
  request.then(
    () => true,
    (error: unknown) => {
      expect(error).toBeInstanceOf(TooManyRequests);
      return false;
    },
  );

/**
 * Sends this number of requests evenly in 10 seconds.
 * @returns how many were admitted
 */
async function offer(count: number, admit: (n: number) => boolean | Promise<boolean>): Promise<number> {
  const start = emulated.clock.now();
  let admitted = 0;
  for (let n = 0; n < count; n += 1) {
    emulated.clock.advance(Math.floor(start + (n * RATE_WINDOW) / count) - emulated.clock.now());
    if (await admit(n)) admitted += 1;
  }
  emulated.clock.advance(2 * RATE_WINDOW);
  return admitted;
}

/** Returns a function that admits requests of an operation like API Gateway. */
async function createGateway(operation: JobOperation, tasks: readonly Ports[]) {
  const endpoint = await newEndpoint();
  const throttle = createThrottle(() => emulated.clock.now());
  const { rateLimit: rate, burstLimit: burst } = bucketOf(limitOf(operation));
  return async (n: number) => {
    if (!throttle.admits(operation, { rate, burst })) return false;
    const task = tasks[n % tasks.length];
    if (!task || !limitOf(operation).exact) return true;
    return isAdmitted(withCallLimit(task, operation, { endpoint, caller: 'key' }, async () => undefined));
  };
}

/**
 * Starts this number of calls.
 * @returns the maximum number that waited or ran at the same time
 */
async function maxWaits(operation: JobOperation, tasks: readonly Ports[], offered: number): Promise<number> {
  const endpoint = await newEndpoint();
  const over = Promise.withResolvers<void>();
  let [begun, waiting] = [0, 0];
  const calls: Promise<unknown>[] = [];
  const connection = async (ports: Ports) => {
    while (begun < offered) {
      begun += 1;
      const { promise: decided, resolve: decide } = Promise.withResolvers<void>();
      const work = async () => {
        waiting += 1;
        decide();
        await over.promise;
      };
      const call = limitOf(operation).exact
        ? withCallLimit(ports, operation, { endpoint, caller: 'key' }, work)
        : withWaitSlot(ports, { endpoint, operation }, async (hold) => {
            await hold();
            await work();
          });
      calls.push(isAdmitted(call).finally(decide));
      await decided;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => connection(tasks[n % tasks.length] as Ports)));
  over.resolve();
  await Promise.all(calls);
  return waiting;
}

/** What is tested: numbers of ingress tasks, operations, and operations of direct requests. */
interface Tried {
  readonly tasks: readonly number[];
  readonly operations: readonly LimitedOperation[];
  readonly direct: readonly ('run' | 'runsync' | 'openai')[];
}

export function describeLimits(limits: Tried): void {
  beforeAll(async () => {
    emulated = await startEmulatedDeployment();
  });
  afterAll(async () => {
    const head = ['operation', 'enforced by', 'tasks', 'contract in 10 s', 'offered', 'admitted', 'refused'];
    console.log(table([...head, 'concurrent by contract', 'offered', 'most concurrent'], 2, rows));
    await emulated.stop();
  });

  it.each(limits.operations)(
    'admits the requests of /%s that the contract allows, and at most twice their number',
    async (operation) => {
      const { per10Seconds: number, atOnce }: ContractLimit = contractLimits[operation];
      const { exact = false, concurrent } = limitOf(operation);
      expect(limitOf(operation).per10Seconds).toBe(number);
      for (const count of limits.tasks) {
        const tasks = await startTasks(count);
        expect(await offer(number, await createGateway(operation, tasks))).toBe(number);
        const offered = 3 * number;
        const admitted = await offer(offered, await createGateway(operation, tasks));
        if (exact) expect(admitted).toBe(number);
        else expect(admitted).toBeGreaterThanOrEqual(number);
        expect(admitted).toBeLessThanOrEqual(2 * number);
        const row = [operation, exact ? 'gateway and counter' : 'gateway', count, number, offered, admitted];
        const waits = (atOnce ?? 0) + MORE_WAITS;
        const max = concurrent === undefined ? undefined : await maxWaits(operation, tasks, waits);
        if (max !== undefined) expect(max).toBe(atOnce);
        const held = max === undefined ? ['-', '-'] : [waits, max];
        rows.push([...row, offered - admitted, atOnce ?? '-', ...held]);
      }
    },
  );

  it.each(limits.direct)(
    'admits the direct requests of /%s that the contract allows, and at most about twice their number',
    async (operation) => {
      const { per10Seconds: number } = jobRoutes[operation].limit;
      for (const count of limits.tasks) {
        const tasks = await startTasks(count);
        const admit = (endpoint: string) => (n: number) =>
          isAdmitted(admitDirect(tasks[n % count] as Ports, operation, endpoint));
        expect(await offer(number, admit(`limits-within-${operation}-${count}`))).toBe(number);
        const offered = 3 * number;
        const admitted = await offer(offered, admit(`limits-direct-${operation}-${count}`));
        expect(admitted).toBeGreaterThanOrEqual(number);
        expect(admitted).toBeLessThanOrEqual(2 * number + directBlocks.tasks * directBlocks.share * number);
        rows.push([operation, 'direct bucket', count, number, offered, admitted, offered - admitted, '-', '-', '-']);
      }
    },
  );
}
