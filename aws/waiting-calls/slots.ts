/**
 * Slots of waiting calls, in the endpoints table. Two limits hold: the deployment has `total` slots, and each waiter, an
 * endpoint with one operation, has slots of its own.
 *
 * One item with all slots would be hot, so the slots are spread over shards: items, each in its own partition. A shard
 * has a set `all`, which counts leases for the deployment, and a set for each of its waiters. A waiter has up to 16 home
 * shards, and its slots are divided among them; a waiter with fewer slots than shards uses only some of them. Usually,
 * one conditional write adds the lease of a call to both sets of a home shard, and so enforces both limits.
 *
 * Waiters that share home shards can fill the sets `all` of these shards while other shards have room. A call then takes
 * its slot by two writes: one adds the lease to the set `all` of any shard that has room, the other to the waiter's set
 * of a home shard.
 *
 * A call has a slot if its lease is in one set `all` and in one set of its waiter. The sizes of all shards add up to
 * `total`, and the shares of a waiter's home shards add up to its number of slots. So the sets never hold more leases
 * than the two limits. Only open calls of a process that stalled can continue without a slot (`slot-holders.ts`).
 */
import { createHash, randomInt } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { SECOND } from '../../core/limits.ts';
import type { SlotRequest, Waiter, WaitSlot, WaitSlots, WaitsFull } from '../../core/waiting-calls/slots.ts';
import { createLeaseSets } from './lease-sets.ts';
import { createLeases } from './leases.ts';
import { RecentlyFull } from './recently-full.ts';
import type { SlotHolder } from './slot-holders.ts';

/**
 * Maximum number of slots of the deployment in a shard. With each lease in both sets, an item stays below 1 KB, so a
 * write uses one write unit. Slots that were taken by two writes can make an item larger.
 */
const SHARD_SLOTS = 32;
/** Maximum number of home shards of a waiter, which limits the attempts to take a slot by one write. */
const MAX_HOMES = 16;
/**
 * Maximum number of shards in which a call looks for room when leases of other waiters fill its home shards. After
 * these, the call is refused although another shard might have room, because each attempt is a write.
 */
const MAX_ROOM_ATTEMPTS = 32;
/**
 * Time for which a process does not try to take a slot by one write in a home shard in which the waiter got no slot,
 * and makes no attempt there if the waiter's share was full, unless the process releases a slot of the waiter in this
 * shard. For the same time, no call of the process looks for room in a shard whose set `all` was full.
 */
const FULL_FOR = SECOND;

interface Shard {
  /** Partition key of the shard's item. */
  readonly item: string;
  /** Number of slots of the deployment in this shard. */
  readonly size: number;
}

interface HomeShard extends Shard {
  /** Number of slots of the waiter in this shard. */
  readonly share: number;
}

/** A home shard in which a waiter gets no slot. */
interface FullHome {
  /** Whether the waiter's leases fill its share. If not, leases of other waiters fill the shard. */
  readonly isShareFull: boolean;
}

/** A lease that counts for the deployment, but not yet for a waiter. */
interface CountedLease {
  readonly item: string;
  readonly lease: string;
}

/** Returns the size of one part of a whole number. The sizes of all parts differ by at most one. */
const partOf = (whole: number, parts: number, part: number) =>
  Math.floor(((part + 1) * whole) / parts) - Math.floor((part * whole) / parts);

const digestOf = ({ endpoint, operation }: Waiter) => createHash('sha256').update(`${endpoint}/${operation}`).digest();

/**
 * Returns the name of the waiter's set in each shard. The name is short, because a shard can have dozens of these sets.
 * Two waiters with the same name, 36 bits of a hash, would share their slots in common home shards.
 */
const setOf = (waiter: Waiter) => digestOf(waiter).toString('base64url').slice(0, 6);

/**
 * Creates the slots of a deployment.
 * @param total number of slots of the deployment
 * @param holder holder of the slots. Without one, a slot that is not released is free when its lease ends.
 */
export function createWaitSlots(
  documents: DynamoDBDocumentClient,
  table: string,
  total: number,
  holder?: Pick<SlotHolder, 'tag'>,
): WaitSlots {
  const leaseSets = createLeaseSets(documents, table);
  const newLease = createLeases(holder);
  const shardCount = Math.ceil(total / SHARD_SLOTS);
  const homeCount = Math.min(shardCount, MAX_HOMES);
  /** Shards whose set `all` is full, by their item. */
  const fullShards = new RecentlyFull<true>(FULL_FOR);
  /** Home shards in which a waiter found no slot, by `homeKey`. */
  const fullHomes = new RecentlyFull<FullHome>(FULL_FOR);
  const homeKey = (waiter: Waiter, item: string) => `${setOf(waiter)}/${item}`;

  const shardOf = (number: number): Shard => ({
    item: `waits#${number}`,
    size: partOf(total, shardCount, number),
  });

  /**
   * Returns the home shards of the waiter that have a share for it. They are consecutive, and a hash of the waiter
   * determines the first. Calls try them in this order, but each call starts at a random one.
   */
  function homesOf(request: SlotRequest): HomeShard[] {
    const first = digestOf(request).readUInt32BE() % shardCount;
    const start = randomInt(homeCount);
    return Array.from({ length: homeCount }, (_, n) => {
      const position = (start + n) % homeCount;
      return { ...shardOf((first + position) % shardCount), share: partOf(request.max, homeCount, position) };
    }).filter(({ share }) => share > 0);
  }

  /** Takes a slot in a home shard by one write. */
  async function takeInHome(home: HomeShard, request: SlotRequest): Promise<WaitSlot | FullHome> {
    const { endpoint, operation, now } = request;
    const { item, size, share } = home;
    const set = setOf(request);
    const lease = await newLease(now);
    const result = await leaseSets.add(item, lease, { all: size, [set]: share }, now);
    if (result.isAdded) return { endpoint, operation, item, lease };
    const { stored } = result;
    if (countOf(stored.all) >= size) fullShards.add(item, true, now);
    const full = { isShareFull: countOf(stored[set]) >= share };
    fullHomes.add(homeKey(request, item), full, now);
    return full;
  }

  /** Returns up to `MAX_ROOM_ATTEMPTS` random shards that this process did not find full recently. */
  function candidateShards(now: number): Shard[] {
    const left = Array.from({ length: shardCount }, (_, number) => shardOf(number)).filter(
      ({ item }) => !fullShards.get(item, now),
    );
    const chosen: Shard[] = [];
    while (chosen.length < MAX_ROOM_ATTEMPTS && left.length > 0) chosen.push(...left.splice(randomInt(left.length), 1));
    return chosen;
  }

  /**
   * Counts a lease for the deployment in a shard that has room.
   * @returns undefined if none was found
   */
  async function countForDeployment(now: number): Promise<CountedLease | undefined> {
    for (const { item, size } of candidateShards(now)) {
      const lease = await newLease(now);
      const { isAdded } = await leaseSets.add(item, lease, { all: size }, now);
      if (isAdded) return { item, lease };
      fullShards.add(item, true, now);
    }
    return undefined;
  }

  /**
   * Takes a slot by two writes, because leases of other waiters fill the home shards.
   * @param homes home shards in which the waiter has not used up its share
   */
  async function takeByTwoWrites(request: SlotRequest, homes: readonly HomeShard[]): Promise<WaitSlot | WaitsFull> {
    const { endpoint, operation, max, now } = request;
    const counted = await countForDeployment(now);
    if (!counted) return { of: 'deployment', max: total };
    const { item: countedIn, lease } = counted;
    try {
      for (const { item, share } of homes) {
        const { isAdded } = await leaseSets.add(item, lease, { [setOf(request)]: share }, now);
        if (isAdded) return { endpoint, operation, item, lease, countedIn };
        fullHomes.add(homeKey(request, item), { isShareFull: true }, now);
      }
    } catch (error) {
      await discard(counted);
      throw error;
    }
    await discard(counted);
    return { of: 'endpoint', max };
  }

  /** Removes a lease that counts for no waiter. If that fails, the lease counts for the deployment until it ends. */
  async function discard({ item, lease }: CountedLease): Promise<void> {
    await leaseSets.remove(item, ['all'], [lease]).catch(() => undefined);
  }

  return {
    async take(request) {
      const homesWithShare: HomeShard[] = [];
      for (const home of homesOf(request)) {
        const known = fullHomes.get(homeKey(request, home.item), request.now);
        const result = known ?? (await takeInHome(home, request));
        if ('lease' in result) return result;
        if (!result.isShareFull) homesWithShare.push(home);
      }
      if (homesWithShare.length === 0) return { of: 'endpoint', max: request.max };
      return takeByTwoWrites(request, homesWithShare);
    },

    async release(slot) {
      const { item, lease, countedIn } = slot;
      fullHomes.delete(homeKey(slot, item));
      if (countedIn === undefined) await leaseSets.remove(item, ['all', setOf(slot)], [lease]);
      else
        await Promise.all([
          leaseSets.remove(countedIn, ['all'], [lease]),
          leaseSets.remove(item, [setOf(slot)], [lease]),
        ]);
    },
  };
}

const countOf = (leases: readonly string[] | undefined) => leases?.length ?? 0;
