/**
 * Counters of calls, in the endpoints table: one item for each endpoint, operation and kind of caller, with the
 * current window and the slots of running calls. One write counts a call and takes its slot, another releases the
 * slot. Slots are elements of a set, so a write that the SDK repeats takes or releases the same slot once. An item
 * has less than 1 KB, so a write uses one write unit.
 */
import { randomBytes } from 'node:crypto';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { RATE_WINDOW } from '../../core/limits.ts';
import type { CallCounter, CallCounts, CountedCall, ReachedLimit } from '../../core/rates/call-limit.ts';
import { refusalIn } from '../conditional-write.ts';
import { and, compare, notExists, or, plus, size, type Update, updateExpression } from '../expressions.ts';

/**
 * Maximum number of writes to count a call. If two calls find that the window is over, one starts the next window and
 * the other counts in it. A call that finds slots of crashed calls removes them.
 */
const TRIES = 4;

/** A slot is the time at which its lease ends, in milliseconds since the epoch, and a random suffix. */
const newSlot = (end: number) => `${end}#${randomBytes(6).toString('base64url')}`;
const endOf = (slot: string) => Number.parseInt(slot, 10);

type StoredItem = Readonly<Record<string, unknown>>;
const slotsIn = ({ slots }: StoredItem): string[] => (slots instanceof Set ? [...slots] : []);
const beganOf = ({ began }: StoredItem): number => Number(began ?? 0);

/** Lets a write return the item, whether it takes place or not. */
const ITEM = { ReturnValues: 'ALL_NEW', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/**
 * Returns the two writes that can count a call: `begin` starts a window, `add` adds to the current one.
 * @param slot slot that the call takes, if the number of concurrent calls is limited
 */
function writesOf(
  { now, max, slots }: CountedCall,
  slot: string | undefined,
): Readonly<Record<'begin' | 'add', Update>> {
  const over = now - RATE_WINDOW;
  const add = slot === undefined ? {} : { slots: new Set([slot]) };
  const hasSlot = slot === undefined ? [] : [or(notExists('slots'), compare(size('slots'), '<', slots?.max))];
  return {
    begin: {
      set: { began: now, calls: 1 },
      add,
      condition: and(or(notExists('began'), compare('began', '<=', over)), ...hasSlot),
    },
    add: {
      set: { calls: plus('calls', 1) },
      add,
      condition: and(compare('began', '>', over), compare('calls', '<', max), ...hasSlot),
    },
  };
}

export function createCallCounts(documents: DynamoDBDocumentClient, table: string): CallCounts {
  /** Start of the last known window of each counter. With it, most calls need only one write. */
  const windows = new Map<string, number>();

  const send = ({ endpoint, operation, caller }: CallCounter, update: Update, returned: Partial<typeof ITEM> = {}) =>
    documents.send(
      new UpdateCommand({
        TableName: table,
        Key: { endpoint, item: `calls#${operation}${caller === 'user' ? '#console' : ''}` },
        ...updateExpression(update),
        ...returned,
      }),
    );

  const remove = (counter: CallCounter, slots: readonly string[]) =>
    send(counter, { delete: { slots: new Set(slots) } });

  /**
   * Sends the write that begins a window, or the write that adds a call to it.
   * @returns the item, and whether it counts the call
   */
  async function attempt(call: CountedCall, kind: 'begin' | 'add', update: Update, slot: string | undefined) {
    try {
      const { Attributes = {} } = await send(call, update, ITEM);
      return { item: Attributes, isCounted: true };
    } catch (error) {
      const { item = {}, repeated } = refusalIn(error);
      // An earlier attempt, whose response was lost, might have counted the call.
      const isOwnWrite = kind === 'begin' ? beganOf(item) === call.now : true;
      return { item, isCounted: slot === undefined ? repeated && isOwnWrite : slotsIn(item).includes(slot) };
    }
  }

  /** Returns the limit that refused a write. Removes the slots of crashed calls if they were in the way. */
  async function reachedBy(call: CountedCall, item: StoredItem): Promise<ReachedLimit | undefined> {
    const endsAt = beganOf(item) + RATE_WINDOW;
    if (endsAt > call.now && Number(item.calls) >= call.max) return { of: 'window', endsAt };
    const held = slotsIn(item);
    if (!call.slots || held.length < call.slots.max) return undefined;
    const over = held.filter((slot) => endOf(slot) <= call.now);
    if (over.length === 0) return { of: 'slots' };
    await remove(call, over);
    return undefined;
  }

  return {
    async count(call) {
      const name = `${call.endpoint} ${call.operation} ${call.caller}`;
      const slot = call.slots && newSlot(call.now + call.slots.lease);
      const writes = writesOf(call, slot);
      for (let tries = 0; tries < TRIES; tries += 1) {
        const kind = (windows.get(name) ?? 0) <= call.now - RATE_WINDOW ? 'begin' : 'add';
        const { item, isCounted } = await attempt(call, kind, writes[kind], slot);
        windows.set(name, beganOf(item));
        if (isCounted) return { slot };
        const reached = await reachedBy(call, item);
        if (reached) return reached;
      }
      throw new Error(`The counter of ${name} changed during ${TRIES} writes of one call.`);
    },

    release: async (counter, slot) => void (await remove(counter, [slot])),
  };
}
