/** Tests the slots of a process that holds many slots and dies, over the emulators. The test moves the clock. */

import { DeleteCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { createSlotHolder } from '../../aws/waiting-calls/slot-holders.ts';
import { createWaitSlots } from '../../aws/waiting-calls/slots.ts';
import type { Clock } from '../../core/clock.ts';
import { MINUTE, SECOND, WAIT_LEASE } from '../../core/limits.ts';
import type { Waiter, WaitSlot } from '../../core/waiting-calls/slots.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const MAX_SLOTS = 40;
const TABLE = 'ENDPOINTS_TABLE';

const emulated = useEmulatedDeployment();

/** Number of items of the largest deployment in this file. */
const ITEMS = 16;
// Each test begins with all slots free, because the tests share the items.
beforeEach(async () => {
  const documents = createDocumentClient();
  for (let number = 0; number < ITEMS; number += 1)
    await documents.send(new DeleteCommand({ TableName: TABLE, Key: { endpoint: `waits#${number}`, item: 'slots' } }));
});

/** A clock whose pauses end when the test moves it. */
function createHandClock() {
  const pauses: { readonly until: number; readonly end: () => void }[] = [];
  const clock: Clock = {
    now: () => emulated.clock.now(),
    pause(milliseconds) {
      const { promise, resolve } = Promise.withResolvers<void>();
      pauses.push({ until: clock.now() + milliseconds, end: resolve });
      return promise;
    },
  };
  return {
    clock,
    /** Ends the pauses whose time is over. */
    endDue() {
      for (const pause of pauses.splice(0)) {
        if (pause.until > clock.now()) pauses.push(pause);
        else pause.end();
      }
    },
  };
}

/** Starts a task of the ingress. */
async function startTask(total = 500) {
  const { clock, endDue } = createHandClock();
  let writes = 0;
  let failing = 0;
  const holder = createSlotHolder(clock, (client) =>
    (client.middlewareStack as { add(middleware: object, options: object): void }).add(
      (next: (args: unknown) => Promise<unknown>) => async (args: unknown) => {
        if (failing > 0) {
          failing -= 1;
          throw new Error('AWS does not answer.');
        }
        const result = await next(args);
        writes += 1;
        return result;
      },
      { step: 'initialize' },
    ),
  );
  await holder.start();
  const slots = createWaitSlots(createDocumentClient(), TABLE, total, holder);
  const held: WaitSlot[] = [];
  return {
    holder,
    held,
    /**
     * Requests a slot for each of `count` calls.
     * @returns the number of calls that got a slot
     */
    async take(count: number, waiter: Waiter): Promise<number> {
      const before = held.length;
      for (let n = 0; n < count; n += 1) {
        const slot = await slots.take({ ...waiter, max: MAX_SLOTS, now: clock.now() });
        if ('lease' in slot) held.push(slot);
      }
      return held.length - before;
    },
    async releaseAll() {
      for (const slot of held.splice(0)) await slots.release(slot);
    },
    /** Makes the next beat fail, at the present time. */
    async failBeat() {
      failing = 1;
      endDue();
      while (failing > 0) await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    },
    /** Lets the process continue at the present time, until it has renewed its item. */
    async goOn() {
      const before = writes;
      endDue();
      while (writes === before) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const waiterOf = (endpoint: string): Waiter => ({ endpoint, operation: 'runsync' });

async function holderItems(): Promise<string[]> {
  const { Items = [] } = await createDocumentClient().send(
    new QueryCommand({
      TableName: TABLE,
      KeyConditionExpression: 'endpoint = :holders',
      ExpressionAttributeValues: { ':holders': 'waits#holders' },
    }),
  );
  return Items.map(({ item }) => String(item));
}

describe('slots of a task', () => {
  it('are free within 30 seconds after the task has died', async () => {
    const waiter = waiterOf('sh-dead');
    const [task, other] = [await startTask(), await startTask()];
    expect(await task.take(MAX_SLOTS + 1, waiter)).toBe(MAX_SLOTS);
    emulated.clock.advance(20 * SECOND - 1);
    expect(await other.take(2, waiter)).toBe(0);
    emulated.clock.advance(2 * SECOND);
    await other.goOn();
    expect(await other.take(MAX_SLOTS + 1, waiter)).toBe(MAX_SLOTS);
  });

  it('are kept when a beat fails, because the next beat follows after a second', async () => {
    const task = await startTask();
    emulated.clock.advance(5 * SECOND);
    await task.failBeat();
    emulated.clock.advance(SECOND);
    await task.goOn();
    await task.holder.stop();
  });

  it('are kept while the task lives and its calls wait', async () => {
    const waiter = waiterOf('sh-live');
    const [task, other] = [await startTask(), await startTask()];
    expect(await task.take(MAX_SLOTS, waiter)).toBe(MAX_SLOTS);
    const start = emulated.clock.now();
    while (emulated.clock.now() - start < WAIT_LEASE - 5 * SECOND) {
      emulated.clock.advance(5 * SECOND);
      await task.goOn();
      if ((emulated.clock.now() - start) % (30 * SECOND) === 0) expect(await other.take(1, waiter)).toBe(0);
    }
    for (let n = 0; n < 15; n += 1) {
      emulated.clock.advance(5 * SECOND);
      await task.goOn();
    }
    expect(await other.take(MAX_SLOTS + 1, waiter)).toBe(MAX_SLOTS);
  });

  it('are free immediately after the task has stopped, although it did not release them', async () => {
    const waiter = waiterOf('sh-stop');
    const [task, other] = [await startTask(), await startTask()];
    expect(await task.take(MAX_SLOTS, waiter)).toBe(MAX_SLOTS);
    await task.holder.stop();
    expect(await other.take(MAX_SLOTS, waiter)).toBe(MAX_SLOTS);
  });

  it('that has died are also free for functions', async () => {
    const waiter = waiterOf('sh-function');
    const task = await startTask();
    await task.take(MAX_SLOTS, waiter);
    emulated.clock.advance(21 * SECOND);
    const slots = createWaitSlots(createDocumentClient(), TABLE, 500);
    expect(await slots.take({ ...waiter, max: MAX_SLOTS, now: emulated.clock.now() })).toHaveProperty('lease');
  });
});

describe('a task that stalls for longer than its lease', () => {
  it('loses its slots, can take new ones, and does not release the lost ones', async () => {
    const waiter = waiterOf('sh-stall');
    const [task, other] = [await startTask(), await startTask()];
    expect(await task.take(MAX_SLOTS, waiter)).toBe(MAX_SLOTS);
    const tag = await task.holder.tag();
    emulated.clock.advance(25 * SECOND);
    await other.goOn();
    expect(await other.take(MAX_SLOTS - 10, waiter)).toBe(MAX_SLOTS - 10);
    await task.goOn();
    expect(await task.holder.tag()).not.toBe(tag);
    const lost = task.held.splice(0);
    // The limit holds for both tasks. Only the calls of the stalled task exceed it.
    emulated.clock.advance(SECOND);
    expect(await task.take(MAX_SLOTS, waiter)).toBe(10);
    task.held.push(...lost);
    const kept = task.held.splice(0, 10);
    await task.releaseAll();
    emulated.clock.advance(SECOND);
    expect(await other.take(MAX_SLOTS, waiter)).toBe(0);
    task.held.push(...kept);
    await task.releaseAll();
    emulated.clock.advance(SECOND);
    expect(await other.take(MAX_SLOTS, waiter)).toBe(10);
  });

  it('takes a slot that lasts, even if it has not renewed its item yet', async () => {
    const waiter = waiterOf('sh-first');
    const [task, other] = [await startTask(1), await startTask(1)];
    emulated.clock.advance(25 * SECOND);
    expect(await task.take(1, waiter)).toBe(1);
    emulated.clock.advance(2 * SECOND);
    expect(await other.take(1, waiter)).toBe(0);
    await task.releaseAll();
  });
});

describe('the items that store slots', () => {
  it('have less than 1 KB with 32 leases of 32 endpoints', async () => {
    const task = await startTask(32);
    for (let n = 0; n < 32; n += 1) expect(await task.take(1, waiterOf(`sh-size-${n}`))).toBe(1);
    const { Item } = await createDocumentClient().send(
      new GetCommand({ TableName: TABLE, Key: { endpoint: 'waits#0', item: 'slots' } }),
    );
    const lengthOf = (value: unknown) => (value instanceof Set ? [...value].join('') : String(value)).length;
    const bytes = Object.entries(Item ?? {}).reduce((sum, [name, value]) => sum + name.length + lengthOf(value), 0);
    expect(Item?.all).toHaveProperty('size', 32);
    expect(bytes).toBeLessThan(1_024);
    await task.releaseAll();
  });

  it('of holders that died minutes ago are removed when another holder starts', async () => {
    const { holder } = await startTask();
    const tag = await holder.tag();
    emulated.clock.advance(WAIT_LEASE);
    await startTask();
    expect(await holderItems()).toContain(tag);
    emulated.clock.advance(3 * MINUTE);
    await startTask();
    expect(await holderItems()).not.toContain(tag);
  });
});
