/**
 * The arrivals table: the number of waiting jobs by the time of their submission. Each generation and priority of an
 * endpoint has its own items: one item for each hour, with a number for each span, and one item for each day, with a
 * number for each hour. All partitions of the jobs table add to the same items. Each partition has its own fence in
 * them.
 */
import type { Clock } from '../../core/clock.ts';
import { removeAfterEnd } from '../../core/jobs/ending.ts';
import { endpointOf } from '../../core/jobs/id.ts';
import { ARRIVAL_SPAN, type ArrivalDelta, arrivalOf, queuePrefix, spanOf } from '../../core/ledger/arrivals.ts';
import type { Arrivals } from '../../core/ledger/store.ts';
import { DAY, ENDPOINT_CACHE, HOUR, policyLimits } from '../../core/limits.ts';
import { createCache } from '../cache.ts';
import { unlessRefused } from '../conditional-write.ts';
import { type DocumentClient, paginateQuery, UpdateCommand } from '../services/dynamodb.ts';

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
  readonly over: number;
  readonly slots: ReadonlyMap<number, number>;
}

/**
 * Returns the changes of each item. If the same number of jobs arrived and left in an hour, only the item of the
 * hour changes.
 */
function itemsOf(changes: ArrivalDelta): Map<string, ItemChange> {
  const placed = Object.entries(changes).flatMap(([name, change]) =>
    placesOf(name).map((place) => ({ place, change })),
  );
  const items = [...Map.groupBy(placed, ({ place }) => place.item)].map(([item, all]) => {
    const slots = new Map<number, number>();
    for (const { place, change } of all) slots.set(place.slot, (slots.get(place.slot) ?? 0) + change);
    const changed = new Map([...slots].filter(([, change]) => change !== 0));
    return [item, { over: all[0]?.place.over ?? 0, slots: changed }] as const;
  });
  return new Map(items.filter(([, { slots }]) => slots.size > 0));
}

/** Returns the sum of the item's numbers in lower slots. */
function sumBelow(item: Item, slots: number): number {
  let sum = 0;
  for (let slot = 0; slot < slots; slot += 1) sum += Number(item[slot] ?? 0);
  return sum;
}

export function createArrivals(documents: DocumentClient, table: string, clock: Clock): Arrivals {
  async function addTo(endpoint: string, item: string, fence: string, sequence: string, change: ItemChange) {
    const slots = [...change.slots];
    const update = new UpdateCommand({
      TableName: table,
      Key: { endpoint, item },
      UpdateExpression: `SET #fence = :sequence, removeAfter = :over ADD ${slots.map(([slot]) => `#s${slot} :s${slot}`).join(', ')}`,
      ConditionExpression: 'attribute_not_exists(#fence) OR #fence < :sequence',
      ExpressionAttributeNames: {
        '#fence': fence,
        ...Object.fromEntries(slots.map(([slot]) => [`#s${slot}`, `${slot}`])),
      },
      ExpressionAttributeValues: {
        ':sequence': sequence,
        ':over': removeAfterEnd(change.over),
        ...Object.fromEntries(slots.map(([slot, by]) => [`:s${slot}`, by])),
      },
    });
    await unlessRefused(documents.send(update));
  }

  /** Reads a range of items. The name of a range is a JSON array of the endpoint, the first and the last item. */
  const read = createCache(clock, ENDPOINT_CACHE, async (range: string): Promise<Item[]> => {
    const [endpoint, first, last] = JSON.parse(range) as string[];
    const query = {
      TableName: table,
      KeyConditionExpression: 'endpoint = :endpoint AND #item BETWEEN :first AND :last',
      ExpressionAttributeNames: { '#item': 'item' },
      ExpressionAttributeValues: { ':endpoint': endpoint, ':first': first, ':last': last },
    };
    const items: Item[] = [];
    for await (const page of paginateQuery({ client: documents }, query)) items.push(...(page.Items ?? []));
    return items;
  });

  return {
    async add(partition, { sequence, arrivals }) {
      const endpoint = endpointOf(partition);
      const fence = `last${partition.slice(endpoint.length)}`;
      const changes = [...itemsOf(arrivals)];
      await Promise.all(changes.map(([item, change]) => addTo(endpoint, item, fence, sequence, change)));
    },

    async countBefore({ endpoint, ...queue }, time) {
      const prefix = queuePrefix(queue);
      const [hour, day] = [Math.floor(time / HOUR), Math.floor(time / DAY)];
      // A rescued job can be older than the range, which then starts at the day of the job.
      const first = Math.min(day, Math.floor((clock.now() - policyLimits.ttl.max) / DAY));
      const [days, hours] = await Promise.all([
        read(JSON.stringify([endpoint, dayItem(prefix, first), dayItem(prefix, day)])),
        read(JSON.stringify([endpoint, hourItem(prefix, hour), hourItem(prefix, hour)])),
      ]);
      const ofDays = days.map((item) => sumBelow(item, item.item === dayItem(prefix, day) ? hour % HOURS : HOURS));
      const ofHour = hours.map((item) => sumBelow(item, spanOf(time) % SPANS));
      return Math.max(
        0,
        [...ofDays, ...ofHour].reduce((sum, count) => sum + count, 0),
      );
    },
  };
}
