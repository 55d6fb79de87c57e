/** Tests slots of endpoints that share items, over the emulators. The names of endpoints come from printed seeds. */
import { describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { createWaitSlots } from '../../aws/waiting-calls/slots.ts';
import { MINUTE, SECOND, WAIT_LEASE } from '../../core/limits.ts';
import type { Operation } from '../../core/operations/routes.ts';
import type { Waiter, WaitSlot, WaitSlots, WaitsFull } from '../../core/waiting-calls/slots.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const MAX_SLOTS = 400;
const CONNECTIONS = 20;
/** Number of slots. Several endpoints share each item, and each endpoint first uses a quarter of the items. */
const TOTAL = 2_000;
const TASKS = 3;

const emulated = useEmulatedDeployment();
let writes = 0;

function createTask(total: number): WaitSlots {
  const documents = createDocumentClient();
  documents.middlewareStack.add(
    (next) => async (args) => {
      writes += 1;
      return next(args);
    },
    { step: 'initialize' },
  );
  return createWaitSlots(documents, 'ENDPOINTS_TABLE', total);
}

/** The tasks of a deployment, and the slots that their calls hold. */
function deploymentOf(total: number) {
  const tasks = Array.from({ length: TASKS }, () => createTask(total));
  const held: { readonly slot: WaitSlot; readonly task: WaitSlots }[] = [];
  const refusals: WaitsFull[] = [];
  let turn = 0;

  async function one(waiter: Waiter): Promise<boolean> {
    const task = tasks[turn++ % TASKS] as WaitSlots;
    const slot = await task.take({ ...waiter, max: MAX_SLOTS, now: emulated.clock.now() });
    if ('of' in slot) refusals.push(slot);
    else held.push({ slot, task });
    return 'lease' in slot;
  }

  return {
    held,
    refusals,
    /**
     * Requests `count` slots, `CONNECTIONS` at the same time.
     * @returns the number of taken slots
     */
    async take(count: number, waiter: Waiter): Promise<number> {
      let [left, taken] = [count, 0];
      const connection = async () => {
        while (left-- > 0) if (await one(waiter)) taken += 1;
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, connection));
      return taken;
    },
    async release(count = held.length) {
      const slots = held.splice(0, count);
      while (slots.length > 0)
        await Promise.all(slots.splice(0, CONNECTIONS).map(({ slot, task }) => task.release(slot)));
    },
  };
}

const operations: readonly Operation[] = ['runsync', 'status-sync'];
const waitersOf = (seed: string, count: number): Waiter[] =>
  Array.from({ length: count }, (_, n) =>
    operations.map((operation) => ({ endpoint: `${seed}-${n}`, operation })),
  ).flat();

describe.each(['seed-1', 'seed-2'])('the slots of endpoints of %s', (seed) => {
  it('admit 400 calls of each endpoint and operation, and no more, while the deployment has free slots', async () => {
    const deployment = deploymentOf(TOTAL);
    // The first four waiters use 80 % of the slots. With the last waiter, 98 % are in use.
    const [one, other, third, fourth, last] = waitersOf(seed, 3);
    for (const waiter of [one, other, third, fourth] as Waiter[]) {
      expect(await deployment.take(MAX_SLOTS, waiter)).toBe(MAX_SLOTS);
      expect(deployment.refusals).toEqual([]);
      expect(await deployment.take(9, waiter)).toBe(0);
      expect(deployment.refusals.splice(0)).toEqual(Array(9).fill({ of: 'endpoint', max: MAX_SLOTS }));
    }
    expect(await deployment.take(360, last as Waiter)).toBe(360);
    await deployment.release();
  });
});

describe('the slots of a deployment', () => {
  it('admit five endpoints with 400 calls of two operations while the deployment has free slots', async () => {
    const deployment = deploymentOf(20_000);
    for (const waiter of waitersOf('large', 5)) expect(await deployment.take(MAX_SLOTS, waiter)).toBe(MAX_SLOTS);
    expect(deployment.refusals).toEqual([]);
    await deployment.release();
  });

  it('are refused with at most 48 writes when all are in use, and can be taken again after their release', async () => {
    const deployment = deploymentOf(TOTAL);
    const waiters = waitersOf('full', 3);
    for (let round = 0; round < 20 && deployment.held.length < TOTAL; round += 1) {
      for (const waiter of waiters) await deployment.take(round === 0 ? MAX_SLOTS : 40, waiter);
      emulated.clock.advance(SECOND);
    }
    expect(deployment.held).toHaveLength(TOTAL);
    const late: Waiter = { endpoint: 'full-late', operation: 'runsync' };
    const [before, task] = [writes, createTask(TOTAL)];
    const refusal = await task.take({ ...late, max: MAX_SLOTS, now: emulated.clock.now() });
    expect(refusal).toEqual({ of: 'deployment', max: TOTAL });
    expect(writes - before).toBeLessThanOrEqual(48);
    await deployment.release();
    emulated.clock.advance(SECOND);
    deployment.refusals.splice(0);
    for (const waiter of waitersOf('next', 2)) expect(await deployment.take(MAX_SLOTS, waiter)).toBe(MAX_SLOTS);
    expect(deployment.refusals).toEqual([]);
    await deployment.release();
  });

  it('can be taken again after the leases of dead calls have ended, even if another item stores them', async () => {
    const died = deploymentOf(TOTAL);
    for (const waiter of waitersOf('died', 2)) expect(await died.take(MAX_SLOTS, waiter)).toBe(MAX_SLOTS);
    emulated.clock.advance(WAIT_LEASE + MINUTE);
    const deployment = deploymentOf(TOTAL);
    for (const waiter of waitersOf('died', 2)) expect(await deployment.take(MAX_SLOTS, waiter)).toBe(MAX_SLOTS);
    await deployment.release();
  });
});
