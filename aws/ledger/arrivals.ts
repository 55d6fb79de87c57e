/**
 * The arrivals table: the number of waiting jobs by the time of their submission. Each generation and priority of an
 * endpoint has its own items: one item for each hour, with a number for each span, and one item for each day, with a
 * number for each hour. All partitions of the jobs table add to the same items. Each partition has its own fence in
 * them.
 */

import { type DynamoDBDocumentClient, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../core/clock.ts';
import { removeAfterEnd } from '../../core/jobs/ending.ts';
import { ARRIVAL_SPAN, type ArrivalChange, arrivalOf, queuePrefix, spanOf } from '../../core/ledger/arrivals.ts';
import type { Arrivals } from '../../core/ledger/store.ts';
import { DAY, ENDPOINT_CACHE, HOUR, policyLimits } from '../../core/limits.ts';
import { createCache } from '../cache.ts';
import { unlessRefused } from '../conditional-write.ts';
import { and, between, compare, notExists, or, queryExpression, updateExpression } from '../expressions.ts';

type Item = Readonly<Record<string, unknown>>;

const HOURS = DAY / HOUR;
const SPANS = HOUR / ARRIVAL_SPAN;

/**
 * Hours since the epoch have 6 digits until the year 2084. Leading zeros make the order of strings match the order of
 * numbers.
 */
const inOrder = (count: number) => String(count).padStart(7, '0');
const dayItem = (queue: string, day: number) => `${queue}#day#${inOrder(day)}`;
const hourItem = (queue: string, hour: number) => `${queue}#hour#${inOrder(hour)}`;

/** Location of a number: the item, the slot in the item, and the time after which the item can be removed. */
interface Place {
  readonly item: string;
  readonly slot: number;
  readonly over: number;
}

function placesOf(name: string): Place[] {
  const { queue, span } = arrivalOf(name);
  const hour = Math.floor(span / SPANS);
  const day = Math.floor(hour / HOURS);
  return [
    { item: hourItem(queue, hour), slot: span % SPANS, over: (hour + 1) * HOUR + policyLimits.ttl.max },
    { item: dayItem(queue, day), slot: hour % HOURS, over: (day + 1) * DAY + policyLimits.ttl.max },
  ];
}

interface ItemChange {
  readonly item: string;
  readonly over: number;
  readonly slots: ReadonlyMap<number, number>;
  /** The last sequence of each partition with changes of this item, by partition. */
  readonly sequences: ReadonlyMap<string, string>;
}

/**
 * Returns the changes of each item for one partition. If the same number of jobs arrived and left in an hour, only the
 * item of the hour changes.
 */
function itemsOf(partition: string, { sequence, arrivals }: ArrivalChange): ItemChange[] {
  const placed = Object.entries(arrivals).flatMap(([name, change]) =>
    placesOf(name).map((place) => ({ place, change })),
  );
  const items = [...Map.groupBy(placed, ({ place }) => place.item)].map(([item, all]) => {
    const slots = all.map(({ place, change }) => [place.slot, change] as const);
    const over = all[0]?.place.over ?? 0;
    return { item, over, slots: sumsOf(slots), sequences: new Map([[partition, sequence]]) };
  });
  return items.filter(({ slots }) => slots.size > 0);
}

/** Returns the sum of each slot, without zeros. */
function sumsOf(slots: Iterable<readonly [slot: number, change: number]>): Map<number, number> {
  const sums = new Map<number, number>();
  for (const [slot, change] of slots) sums.set(slot, (sums.get(slot) ?? 0) + change);
  return new Map([...sums].filter(([, change]) => change !== 0));
}

/** Returns one change with the changes of two groups of partitions to an item. */
const both = (one: ItemChange, other: ItemChange): ItemChange => ({
  ...one,
  slots: sumsOf([...one.slots, ...other.slots]),
  sequences: new Map([...one.sequences, ...other.sequences]),
});

/** Returns the sum of the item's numbers in lower slots. */
function sumBelow(item: Item, slots: number): number {
  let sum = 0;
  for (let slot = 0; slot < slots; slot += 1) sum += Number(item[slot] ?? 0);
  return sum;
}

/** Returns the slots of the item whose numbers are positive, in order. */
const waitingSlots = (item: Item | undefined, slots: number): number[] =>
  Array.from({ length: slots }, (_, slot) => slot).filter((slot) => Number(item?.[slot] ?? 0) > 0);

export function createArrivals(documents: DynamoDBDocumentClient, table: string, clock: Clock): Arrivals {
  /**
   * Adds the changes that belong to one item, and stores the last change of each partition that it contains.
   * @returns false if the item already contains the change of a partition
   */
  function addTo(endpoint: string, { item, over, slots, sequences }: ItemChange): Promise<boolean> {
    const fences = [...sequences].map(
      ([partition, sequence]) => [`last${partition.slice(endpoint.length)}`, sequence] as const,
    );
    const update = new UpdateCommand({
      TableName: table,
      Key: { endpoint, item },
      ...updateExpression({
        set: { removeAfter: removeAfterEnd(over), ...Object.fromEntries(fences) },
        add: Object.fromEntries(slots),
        condition: and(...fences.map(([fence, sequence]) => or(notExists(fence), compare(fence, '<', sequence)))),
      }),
    });
    return unlessRefused(documents.send(update));
  }

  /**
   * Adds the changes of all partitions to an item in one write. If the item already contains some of them, adds those of
   * each partition by themselves.
   */
  async function addAll(endpoint: string, changes: readonly ItemChange[]): Promise<void> {
    if (await addTo(endpoint, changes.reduce(both))) return;
    if (changes.length > 1) await Promise.all(changes.map((change) => addTo(endpoint, change)));
  }

  /** Reads a range of items. The name of a range is a JSON array of the endpoint, the first and the last item. */
  const read = createCache(clock, ENDPOINT_CACHE, async (range: string): Promise<Item[]> => {
    const [endpoint, first, last] = JSON.parse(range) as string[];
    const query = {
      TableName: table,
      ...queryExpression(and(compare('endpoint', '=', endpoint), between('item', first, last))),
    };
    const items: Item[] = [];
    for await (const page of paginateQuery({ client: documents }, query)) items.push(...(page.Items ?? []));
    return items;
  });

  /** Reads the items of the days from `first` to `last`, earliest first. */
  const readDays = (endpoint: string, queue: string, first: number, last: number) =>
    read(JSON.stringify([endpoint, dayItem(queue, first), dayItem(queue, last)]));

  /** Reads the item of one hour, if it exists. */
  const readHour = async (endpoint: string, queue: string, hour: number): Promise<Item | undefined> =>
    (await read(JSON.stringify([endpoint, hourItem(queue, hour), hourItem(queue, hour)])))[0];

  const firstDay = () => Math.floor((clock.now() - policyLimits.ttl.max) / DAY);

  return {
    async add(endpoint, changes) {
      const all = [...changes].flatMap(([partition, change]) => itemsOf(partition, change));
      const byItem = [...Map.groupBy(all, ({ item }) => item).values()];
      await Promise.all(byItem.map((ofItem) => addAll(endpoint, ofItem)));
    },

    async countBefore({ endpoint, ...queue }, time) {
      const prefix = queuePrefix(queue);
      const [hour, day] = [Math.floor(time / HOUR), Math.floor(time / DAY)];
      // A rescued job can be older than the range, which then starts at the day of the job.
      const [days, ofItsHour] = await Promise.all([
        readDays(endpoint, prefix, Math.min(day, firstDay()), day),
        readHour(endpoint, prefix, hour),
      ]);
      const ofDays = days.map((item) => sumBelow(item, item.item === dayItem(prefix, day) ? hour % HOURS : HOURS));
      const ofHour = ofItsHour ? sumBelow(ofItsHour, spanOf(time) % SPANS) : 0;
      return Math.max(
        0,
        ofDays.reduce((sum, count) => sum + count, ofHour),
      );
    },

    async earliest({ endpoint, ...queue }) {
      const prefix = queuePrefix(queue);
      const days = await readDays(endpoint, prefix, firstDay(), Math.floor(clock.now() / DAY));
      const hours = days.flatMap((item) => {
        const day = Number(String(item.item).slice(dayItem(prefix, 0).lastIndexOf('#') + 1));
        return waitingSlots(item, HOURS).map((hour) => day * HOURS + hour);
      });
      // Usually the first hour has a job. Its item can be a moment older or newer than that of the day.
      for (const hour of hours) {
        const [span] = waitingSlots(await readHour(endpoint, prefix, hour), SPANS);
        if (span !== undefined) return hour * HOUR + span * ARRIVAL_SPAN;
      }
      return undefined;
    },
  };
}
