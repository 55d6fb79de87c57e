/**
 * DynamoDB's time-to-live, which the emulator lacks: removes items some time after they have expired. As in AWS,
 * the time of the removal is not guaranteed.
 */
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import type { RemoteStreamJournal } from '../emulators/emulators.ts';

export interface ExpiringTable {
  readonly name: string;
  /** Names of the attributes in the table's key. */
  readonly key: readonly string[];
  /** Attribute with the expiry time, in seconds since the epoch. */
  readonly attribute: string;
}

type Item = Record<string, AttributeValue>;

/** Converts attribute values to JSON, with binary values in base64. */
function plain(value: object): Readonly<Record<string, unknown>> {
  const member = (item: unknown): unknown => {
    if (item instanceof Uint8Array) return Buffer.from(item).toString('base64');
    if (Array.isArray(item)) return item.map(member);
    return typeof item === 'object' && item !== null ? plain(item) : item;
  };
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, member(item)]));
}

/** Announces the items that are about to be removed, so that the table's stream can contain the reason. */
type Announce = RemoteStreamJournal['announceExpiry'];

const PERIOD = 60_000;

const keyOf = (table: ExpiringTable, item: Item): Item =>
  Object.fromEntries(table.key.flatMap((name) => (item[name] ? [[name, item[name]]] : [])));

async function removeItem(dynamodb: DynamoDBClient, table: ExpiringTable, Key: Item, now: string) {
  try {
    await dynamodb.send(
      new DeleteItemCommand({
        TableName: table.name,
        Key,
        // The item's expiry could have been extended since the item was read.
        ConditionExpression: '#expiry < :now',
        ExpressionAttributeNames: { '#expiry': table.attribute },
        ExpressionAttributeValues: { ':now': { N: now } },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** Removes the items of the table that have expired, and returns their number. */
export async function removeExpired(
  dynamodb: DynamoDBClient,
  table: ExpiringTable,
  announce: Announce,
  clock = Date.now,
): Promise<number> {
  const now = String(Math.floor(clock() / 1000));
  const names = [...table.key, table.attribute].map((name, at) => [`#name${at}`, name]);
  const pages = paginateScan(
    { client: dynamodb },
    {
      TableName: table.name,
      ProjectionExpression: names.map(([placeholder]) => placeholder).join(', '),
      FilterExpression: `#name${table.key.length} < :now`,
      ExpressionAttributeNames: Object.fromEntries(names),
      ExpressionAttributeValues: { ':now': { N: now } },
    },
  );
  let removed = 0;
  for await (const { Items = [] } of pages) {
    if (Items.length === 0) continue;
    const keys = Items.map((item) => keyOf(table, item));
    await announce(table.name, keys.map(plain));
    try {
      for (const key of keys) await removeItem(dynamodb, table, key, now);
    } finally {
      // From now on, a deletion of the same item is not an expiry.
      await announce(table.name, []);
    }
    removed += Items.length;
  }
  return removed;
}

/** Removes expired items until the returned function is called. */
export function startExpiry(
  dynamodb: DynamoDBClient,
  tables: readonly ExpiringTable[],
  announce: Announce,
  notify: (text: string) => void,
): () => void {
  let busy = false;
  const timer = setInterval(async () => {
    if (busy) return;
    busy = true;
    try {
      for (const table of tables) await removeExpired(dynamodb, table, announce);
    } catch (error) {
      notify(`Expired items could not be removed: ${error}`);
    } finally {
      busy = false;
    }
  }, PERIOD);
  return () => clearInterval(timer);
}
