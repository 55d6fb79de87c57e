/**
 * Slots of calls that wait, in the endpoints table. The slots of the deployment are spread over items, each in its
 * own partition, so that no item is hot. An item contains the leases of its slots twice: those of all endpoints,
 * limited by the size of the item, and those of each endpoint and operation, limited by their share of the item. So
 * one conditional write enforces both limits. Leases are elements of sets: a call that the SDK repeats takes or
 * releases the same slot once.
 *
 * Endpoints that share items can fill these items while the deployment still has room. In that case, a lease counts
 * for the endpoint in one of its own items, and for the deployment in any item that has room. These two writes
 * enforce both limits.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { MINUTE, SECOND, WAIT_LEASE } from '../../core/limits.ts';
import type { SlotRequest, Waiter, WaitSlot, WaitSlots } from '../../core/waits/slots.ts';
import { refusalIn } from '../conditional-write.ts';
import { type DocumentClient, UpdateCommand } from '../services/dynamodb.ts';
import { createDeadHolders, type SlotHolder } from './slot-holders.ts';

/** Number of leases in an item. An item of this size has less than 1 KB, so that a write uses one write unit. */
const ITEM_SLOTS = 32;
/** Number of items that an endpoint and operation uses, which limits the writes before a refusal. */
const ITEMS = 16;
/** Number of other items that a call tries when the items of its endpoint are full of leases of other endpoints. */
const ROOM_TRIES = 32;
/** Time for which a process does not try an item again after finding it full. */
const FULL_FOR = SECOND;

/** Returns the size of one part of a whole number. The sizes of all parts differ by at most one. */
const partOf = (whole: number, parts: number, part: number) =>
  Math.floor(((part + 1) * whole) / parts) - Math.floor((part * whole) / parts);

/** Leases begin with the minute in which they end, which has 5 digits in base 36 until 2085. */
const END_DIGITS = 5;
const endOf = (now: number) => Math.ceil((now + WAIT_LEASE) / MINUTE);
const newLease = (now: number) => endOf(now).toString(36) + randomBytes(4).toString('base64url');

/**
 * A lease of a holder has the same length as any other lease: a mark, the tag of the holder, the last digits of the
 * minute in which the lease ends, and a number that is unique among the holder's current leases.
 */
const HOLDER_MARK = '~';
const HOLDER_LEASE = /^~(?<tag>.{3})(?<end>.{4})/;
const ENDS = 36 ** 4;
const NUMBERS = 36 ** 3;
const digits = (value: number, count: number) => value.toString(36).padStart(count, '0');
const newHolderLease = (tag: string, now: number, number: number) =>
  HOLDER_MARK + tag + digits(endOf(now) % ENDS, 4) + digits(number % NUMBERS, 3);

/** @param dead tags of holders */
function isOver(lease: string, now: number, dead: ReadonlySet<string>): boolean {
  const { tag, end } = HOLDER_LEASE.exec(lease)?.groups ?? {};
  if (tag === undefined || end === undefined) return Number.parseInt(lease.slice(0, END_DIGITS), 36) * MINUTE <= now;
  const minutesOver = (Math.floor(now / MINUTE) - Number.parseInt(end, 36)) % ENDS;
  return dead.has(tag) || (minutesOver + ENDS) % ENDS < ENDS / 2;
}

const digestOf = ({ endpoint, operation }: Waiter) => createHash('sha256').update(`${endpoint}/${operation}`).digest();
/**
 * Returns the name of an endpoint and operation's leases in an item. The name is short, because an item can contain 32
 * names.
 */
const attributeOf = (waiter: Waiter) => digestOf(waiter).toString('base64url').slice(0, 6);

const leasesIn = (set: unknown): string[] => (set instanceof Set ? [...set] : []);

type StoredItem = Readonly<Record<string, unknown>>;
type Bounds = Readonly<Record<string, number>>;

/** A lease that counts for the deployment, but not yet for an endpoint. */
interface Room {
  readonly number: number;
  readonly lease: string;
}

interface Place {
  readonly number: number;
  readonly item: string;
  /** Number of slots of the item. */
  readonly size: number;
  /** Number of slots of the item that the endpoint and operation may hold. */
  readonly share: number;
}

/** An item without a free slot for an endpoint and operation. */
interface Full {
  /**
   * Whether the endpoint and operation have used up their share. If not, leases of other endpoints or operations
   * fill the item.
   */
  readonly isShareUsed: boolean;
  /** Milliseconds since the epoch at which the item may be tried again. */
  readonly until: number;
}

/**
 * @param total number of slots of the deployment
 * @param holder holder of the slots.
 * @default - none: a slot that is not released is free when its lease ends
 */
export function createWaitSlots(
  documents: DocumentClient,
  table: string,
  total: number,
  holder?: Pick<SlotHolder, 'tag'>,
): WaitSlots {
  const deadHolders = createDeadHolders(documents, table);
  let leases = 0;
  const items = Math.ceil(total / ITEM_SLOTS);
  const used = Math.min(items, ITEMS);
  /** Full items, first by endpoint and operation, then by item. */
  const full = new Map<string, Map<string, Full>>();
  /** Items without a free slot for the deployment, by number: milliseconds since the epoch at which to try again. */
  const noRoom = new Map<number, number>();
  const itemOf = (number: number) => `waits#${number}`;
  const sizeOf = (number: number) => partOf(total, items, number);

  function fullOf(attribute: string): Map<string, Full> {
    const known = full.get(attribute) ?? new Map<string, Full>();
    full.set(attribute, known);
    return known;
  }

  /** Returns the items of the endpoint and operation, starting at a random one. */
  function placesOf(request: SlotRequest): Place[] {
    const first = digestOf(request).readUInt32BE() % items;
    const start = randomInt(used);
    return Array.from({ length: used }, (_, n) => {
      const position = (start + n) % used;
      const number = (first + position) % items;
      return { number, item: itemOf(number), size: sizeOf(number), share: partOf(request.most, used, position) };
    });
  }

  const keyOf = (item: string) => ({ endpoint: item, item: 'slots' });

  /**
   * Adds the lease to sets of the item.
   * @param bounds maximum number of leases of each set, by name
   * @returns undefined if the lease was added, or else the item
   */
  async function add(item: string, lease: string, bounds: Bounds): Promise<StoredItem | undefined> {
    const sets = Object.entries(bounds);
    const hasRoom = sets.map((_, n) => `(attribute_not_exists(#s${n}) OR size(#s${n}) < :most${n})`).join(' AND ');
    const update = new UpdateCommand({
      TableName: table,
      Key: keyOf(item),
      UpdateExpression: `ADD ${sets.map((_, n) => `#s${n} :leases`).join(', ')}`,
      // A call that the SDK repeats finds its own lease.
      ConditionExpression: `${hasRoom} OR contains(#s0, :lease)`,
      ExpressionAttributeNames: Object.fromEntries(sets.map(([name], n) => [`#s${n}`, name])),
      ExpressionAttributeValues: {
        ':leases': new Set([lease]),
        ':lease': lease,
        ...Object.fromEntries(sets.map(([, most], n) => [`:most${n}`, most])),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await documents.send(update);
      return undefined;
    } catch (error) {
      return refusalIn(error).item ?? {};
    }
  }

  const remove = (item: string, attributes: readonly string[], leases: readonly string[]) =>
    documents.send(
      new UpdateCommand({
        TableName: table,
        Key: keyOf(item),
        UpdateExpression: `DELETE ${attributes.map((_, n) => `#a${n} :leases`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(attributes.map((name, n) => [`#a${n}`, name])),
        ExpressionAttributeValues: { ':leases': new Set(leases) },
      }),
    );

  async function leaseAt(now: number): Promise<string> {
    if (!holder) return newLease(now);
    leases += 1;
    const number = leases;
    return newHolderLease(await holder.tag(), now, number);
  }

  /**
   * Adds the lease. If the item is full, removes its ended leases and those of dead holders, and tries again.
   * @returns undefined if the lease was added, or else the item
   */
  async function addFreed(item: string, lease: string, bounds: Bounds, now: number): Promise<StoredItem | undefined> {
    const found = await add(item, lease, bounds);
    const others = [...new Set(Object.values(found ?? {}).flatMap(leasesIn))];
    const isHeld = others.some((other) => other.startsWith(HOLDER_MARK));
    const dead = isHeld ? await deadHolders(now) : new Set<string>();
    const over = others.filter((other) => isOver(other, now, dead));
    if (!found || over.length === 0) return found;
    const holders = Object.keys(found).filter((name) => leasesIn(found[name]).some((other) => over.includes(other)));
    await remove(item, holders, over);
    return add(item, lease, bounds);
  }

  /** Returns the numbers of items that might have room, in random order. */
  function* itemsWithRoom(now: number): Generator<number> {
    const left = Array.from({ length: items }, (_, number) => number).filter(
      (number) => (noRoom.get(number) ?? 0) <= now,
    );
    for (let tries = 0; tries < ROOM_TRIES && left.length > 0; tries += 1) {
      const chosen = randomInt(left.length);
      const [last, number] = [left.pop(), left[chosen]];
      if (last !== undefined && chosen < left.length) left[chosen] = last;
      if (number !== undefined) yield number;
    }
  }

  /** Counts a lease for the deployment in an item that has room. @returns undefined if no item has room */
  async function findRoom(now: number): Promise<Room | undefined> {
    for (const number of itemsWithRoom(now)) {
      const lease = await leaseAt(now);
      const found = await addFreed(itemOf(number), lease, { all: sizeOf(number) }, now);
      if (!found) return { number, lease };
      noRoom.set(number, now + FULL_FOR);
    }
    return undefined;
  }

  /**
   * Takes a slot for an endpoint whose items are full of leases of other endpoints.
   * @param homes items in which the endpoint and operation have not used up their share
   */
  async function takeElsewhere(request: SlotRequest, homes: readonly Place[], known: Map<string, Full>) {
    const { endpoint, operation, most, now } = request;
    const attribute = attributeOf(request);
    const room = await findRoom(now);
    if (!room) return { of: 'deployment', most: total } as const;
    for (const { item, share } of homes) {
      const found = await addFreed(item, room.lease, { [attribute]: share }, now);
      if (!found) return { endpoint, operation, item, lease: room.lease, room: itemOf(room.number) };
      known.set(item, { isShareUsed: true, until: now + FULL_FOR });
    }
    await remove(itemOf(room.number), ['all'], [room.lease]);
    return { of: 'endpoint', most } as const;
  }

  return {
    async take(request) {
      const { endpoint, operation, most, now } = request;
      const attribute = attributeOf(request);
      const known = fullOf(attribute);
      const homes: Place[] = [];
      for (const place of placesOf(request)) {
        let seen = known.get(place.item);
        if (!seen || seen.until <= now) {
          const lease = await leaseAt(now);
          const found = await addFreed(place.item, lease, { all: place.size, [attribute]: place.share }, now);
          if (!found) return { endpoint, operation, item: place.item, lease };
          if (leasesIn(found.all).length >= place.size) noRoom.set(place.number, now + FULL_FOR);
          seen = { isShareUsed: leasesIn(found[attribute]).length >= place.share, until: now + FULL_FOR };
          known.set(place.item, seen);
        }
        if (!seen.isShareUsed) homes.push(place);
      }
      return homes.length > 0 ? takeElsewhere(request, homes, known) : { of: 'endpoint', most };
    },

    async release(slot: WaitSlot) {
      const attribute = attributeOf(slot);
      full.get(attribute)?.delete(slot.item);
      if (slot.room === undefined) await remove(slot.item, ['all', attribute], [slot.lease]);
      else await Promise.all([remove(slot.room, ['all'], [slot.lease]), remove(slot.item, [attribute], [slot.lease])]);
    },
  };
}
