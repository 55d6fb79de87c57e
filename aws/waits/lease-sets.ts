/**
 * Items of the endpoints table with sets of leases (`leases.ts`), which count waiting calls. A write adds a lease to one
 * or several sets of an item, on the condition that each of these sets has fewer leases than its limit. Leases are
 * elements of sets, so a write that the SDK repeats adds or removes its lease once. If a set is full, its ended leases
 * and those of dead holders are removed, and the write is tried a second time. The one rule: no set ever has more leases
 * than its limit.
 */

import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { refusalIn } from '../conditional-write.ts';
import { hasHolder, isOver } from './leases.ts';
import { createDeadHolders } from './slot-holders.ts';

/** Leases by the name of their set. */
export type StoredLeases = Readonly<Record<string, readonly string[]>>;

/** Maximum number of leases by the name of their set. */
export type SetLimits = Readonly<Record<string, number>>;

export interface LeaseSets {
  /**
   * Adds the lease to each of the sets that have a limit.
   * @returns undefined if the lease was added; otherwise the leases of the item, in which a set is full
   */
  add(item: string, lease: string, limits: SetLimits, now: number): Promise<StoredLeases | undefined>;
  /** Removes the leases from each of the sets. */
  remove(item: string, sets: readonly string[], leases: readonly string[]): Promise<unknown>;
}

export function createLeaseSets(documents: DynamoDBDocumentClient, table: string): LeaseSets {
  const deadHolders = createDeadHolders(documents, table);
  const keyOf = (item: string) => ({ endpoint: item, item: 'slots' });

  async function tryToAdd(item: string, lease: string, limits: SetLimits): Promise<StoredLeases | undefined> {
    const sets = Object.entries(limits);
    const hasRoom = sets.map((_, n) => `(attribute_not_exists(#s${n}) OR size(#s${n}) < :max${n})`).join(' AND ');
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
        ...Object.fromEntries(sets.map(([, max], n) => [`:max${n}`, max])),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await documents.send(update);
      return undefined;
    } catch (error) {
      return leasesOf(refusalIn(error).item);
    }
  }

  const remove: LeaseSets['remove'] = (item, sets, leases) =>
    documents.send(
      new UpdateCommand({
        TableName: table,
        Key: keyOf(item),
        UpdateExpression: `DELETE ${sets.map((_, n) => `#s${n} :leases`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(sets.map((name, n) => [`#s${n}`, name])),
        ExpressionAttributeValues: { ':leases': new Set(leases) },
      }),
    );

  /**
   * Removes leases that no longer count from all sets.
   * @returns false if all leases count
   */
  async function removeOver(item: string, stored: StoredLeases, now: number): Promise<boolean> {
    const leases = [...new Set(Object.values(stored).flat())];
    const deadTags = leases.some(hasHolder) ? await deadHolders(now) : new Set<string>();
    const over = leases.filter((lease) => isOver(lease, now, deadTags));
    if (over.length === 0) return false;
    const sets = Object.keys(stored).filter((name) => stored[name]?.some((lease) => over.includes(lease)));
    await remove(item, sets, over);
    return true;
  }

  return {
    async add(item, lease, limits, now) {
      const stored = await tryToAdd(item, lease, limits);
      if (!stored || !(await removeOver(item, stored, now))) return stored;
      return tryToAdd(item, lease, limits);
    },

    remove,
  };
}

/** Returns the attributes of the item that are sets. */
function leasesOf(item: Readonly<Record<string, unknown>> = {}): StoredLeases {
  const attributes = Object.entries(item);
  return Object.fromEntries(attributes.flatMap(([name, value]) => (value instanceof Set ? [[name, [...value]]] : [])));
}
