/**
 * Slots of calls that wait, in the endpoints table. The slots of the deployment are spread over items, each in a partition
 * of its own, so that no item is hot. An item holds the leases of its slots twice: those of all endpoints, which the size of
 * the item bounds, and those of each endpoint and operation, which their share of the item bounds. So one conditional write
 * holds both bounds. Leases are elements of sets: a call that the SDK repeats takes or releases the same slot once.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SlotRequest, Waiter, WaitSlot, WaitSlots } from '../core/jobs/wait-slots.ts';
import { MINUTE, SECOND, WAIT_LEASE } from '../core/limits.ts';
import { refusalIn } from './conditional-write.ts';
import { createDeadHolders, type SlotHolder } from './slot-holders.ts';

/** An item with so many leases has less than 1 KB, so that a write is one write unit. */
const ITEM_SLOTS = 32;
/** An endpoint and operation uses the slots of so many items, so that a refusal costs no more writes. */
const ITEMS = 16;
/** A process that has found no slot in an item does not look there again for so long. */
const FULL_FOR = SECOND;

/** The whole number `whole` in `parts` parts that differ by one at most. */
const partOf = (whole: number, parts: number, part: number) =>
  Math.floor(((part + 1) * whole) / parts) - Math.floor((part * whole) / parts);

/** Leases begin with the minute of their end, of which base 36 has 5 digits until 2085. */
const END_DIGITS = 5;
const endOf = (now: number) => Math.ceil((now + WAIT_LEASE) / MINUTE);
const newLease = (now: number) => endOf(now).toString(36) + randomBytes(4).toString('base64url');

/**
 * Leases of a holder are as long: a mark, the tag of the holder, the last digits of the minute of their end, and a number
 * that the holder gives to one lease at a time.
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
/** Names the leases of an endpoint and operation in an item: short, because an item may have 32 of them. */
const attributeOf = (waiter: Waiter) => digestOf(waiter).toString('base64url').slice(0, 6);

const leasesIn = (set: unknown): string[] => (set instanceof Set ? [...set] : []);

interface Place {
  readonly item: string;
  /** Slots of the item. */
  readonly size: number;
  /** Slots of the item that the endpoint and operation may hold. */
  readonly share: number;
}

/** An item that had no slot for an endpoint and operation. */
interface Full {
  /** Whether they held their share of it; if not, others held all its slots. */
  readonly isShareUsed: boolean;
  /** Milliseconds since the epoch: when it may be asked again. */
  readonly until: number;
}

/**
 * @param total slots of the deployment
 * @param holder of the slots that are taken. @default - none: a slot that is not released is free when its lease ends
 */
export function createWaitSlots(
  documents: DynamoDBDocumentClient,
  table: string,
  total: number,
  holder?: Pick<SlotHolder, 'tag'>,
): WaitSlots {
  const deadHolders = createDeadHolders(documents, table);
  let leases = 0;
  const items = Math.ceil(total / ITEM_SLOTS);
  const used = Math.min(items, ITEMS);
  /** By endpoint and operation, and by item. */
  const full = new Map<string, Map<string, Full>>();

  function fullOf(attribute: string): Map<string, Full> {
    const known = full.get(attribute) ?? new Map<string, Full>();
    full.set(attribute, known);
    return known;
  }

  /** Where the endpoint and operation may hold slots, from a random place on. */
  function placesOf(request: SlotRequest): Place[] {
    const first = digestOf(request).readUInt32BE() % items;
    const start = randomInt(used);
    return Array.from({ length: used }, (_, n) => {
      const position = (start + n) % used;
      const number = (first + position) % items;
      return {
        item: `waits#${number}`,
        size: partOf(total, items, number),
        share: partOf(request.most, used, position),
      };
    });
  }

  const keyOf = (item: string) => ({ endpoint: item, item: 'slots' });

  /** @returns undefined if the slot is taken, else the item that has none */
  async function takeIn({ item, size, share }: Place, attribute: string, lease: string) {
    const update = new UpdateCommand({
      TableName: table,
      Key: keyOf(item),
      UpdateExpression: 'ADD #all :leases, #own :leases',
      // A call that the SDK repeats finds its lease there.
      ConditionExpression:
        '((attribute_not_exists(#all) OR size(#all) < :size) AND (attribute_not_exists(#own) OR size(#own) < :share)) OR contains(#own, :lease)',
      ExpressionAttributeNames: { '#all': 'all', '#own': attribute },
      ExpressionAttributeValues: { ':leases': new Set([lease]), ':lease': lease, ':size': size, ':share': share },
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

  /** Takes a slot of the item, if need be one whose lease is over. @returns undefined, or the item that has none */
  async function takeFreed(place: Place, attribute: string, lease: string, now: number) {
    const found = await takeIn(place, attribute, lease);
    const others = leasesIn(found?.all);
    const isHeld = others.some((other) => other.startsWith(HOLDER_MARK));
    const dead = isHeld ? await deadHolders(now) : new Set<string>();
    const over = others.filter((other) => isOver(other, now, dead));
    if (!found || over.length === 0) return found;
    const holders = Object.keys(found).filter((name) => leasesIn(found[name]).some((other) => over.includes(other)));
    await remove(place.item, holders, over);
    return takeIn(place, attribute, lease);
  }

  return {
    async take(request) {
      const { endpoint, operation, most, now } = request;
      const attribute = attributeOf(request);
      const known = fullOf(attribute);
      let isShareUsed = true;
      for (const place of placesOf(request)) {
        let seen = known.get(place.item);
        if (!seen || seen.until <= now) {
          const lease = await leaseAt(now);
          const found = await takeFreed(place, attribute, lease, now);
          if (!found) return { endpoint, operation, item: place.item, lease };
          seen = { isShareUsed: leasesIn(found[attribute]).length >= place.share, until: now + FULL_FOR };
          known.set(place.item, seen);
        }
        isShareUsed &&= seen.isShareUsed;
      }
      return isShareUsed ? { of: 'endpoint', most } : { of: 'deployment', most: total };
    },

    async release(slot: WaitSlot) {
      const attribute = attributeOf(slot);
      full.get(attribute)?.delete(slot.item);
      await remove(slot.item, ['all', attribute], [slot.lease]);
    },
  };
}
