/**
 * Items of the endpoints table with sets of leases (`leases.ts`), which count waiting calls. A write adds a lease to one
 * or several sets of an item, on the condition that each of these sets has fewer leases than its limit. So no set has
 * more leases than its limit. Leases are elements of sets, and a write that the SDK repeats therefore adds or removes its
 * lease once. If a set is full, ended leases and those of dead holders are removed from all sets of the item. If there
 * were any, the lease is added in a second attempt.
 */

import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { refusalIn } from '../conditional-write.ts';
import { and, compare, contains, notExists, or, size, updateExpression } from '../expressions.ts';
import { hasHolder, isOver } from './leases.ts';
import { createDeadHolders } from './slot-holders.ts';

/** Leases by the name of their set. */
export type StoredLeases = Readonly<Record<string, readonly string[]>>;

/** Maximum number of leases by the name of their set. */
export type SetLimits = Readonly<Record<string, number>>;

/** Whether a lease was added. If not, the leases of the item, in which a set is full. */
export type AddResult = { readonly isAdded: true } | { readonly isAdded: false; readonly stored: StoredLeases };

export interface LeaseSets {
  /** Adds the lease to each of the sets in `limits`, or to none. A limit is at least 1. */
  add(item: string, lease: string, limits: SetLimits, now: number): Promise<AddResult>;
  /** Removes the leases from each of the sets. */
  remove(item: string, sets: readonly string[], leases: readonly string[]): Promise<unknown>;
}

export function createLeaseSets(documents: DynamoDBDocumentClient, table: string): LeaseSets {
  const deadHolders = createDeadHolders(documents, table);
  /** Here, the partition key `endpoint` contains the name of the item with the sets, and the sort key is constant. */
  const keyOf = (item: string) => ({ endpoint: item, item: 'slots' });

  async function addOnce(item: string, lease: string, limits: SetLimits): Promise<AddResult> {
    const sets = Object.keys(limits);
    const [first = ''] = sets;
    const hasRoom = Object.entries(limits).map(([set, max]) => or(notExists(set), compare(size(set), '<', max)));
    const update = new UpdateCommand({
      TableName: table,
      Key: keyOf(item),
      // The SDK repeats a write whose response was lost. All sets then have its lease already, because one write adds it.
      ...updateExpression({ add: inEach(sets, [lease]), condition: or(and(...hasRoom), contains(first, lease)) }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await documents.send(update);
      return { isAdded: true };
    } catch (error) {
      return { isAdded: false, stored: leasesOf(refusalIn(error).item) };
    }
  }

  const remove: LeaseSets['remove'] = (item, sets, leases) =>
    documents.send(
      new UpdateCommand({
        TableName: table,
        Key: keyOf(item),
        ...updateExpression({ delete: inEach(sets, leases) }),
      }),
    );

  /**
   * Removes ended leases, and those of dead holders, from all sets of the item.
   * @returns false if there were none
   */
  async function removeEnded(item: string, stored: StoredLeases, now: number): Promise<boolean> {
    const leases = [...new Set(Object.values(stored).flat())];
    const deadTags = leases.some(hasHolder) ? await deadHolders(now) : new Set<string>();
    const ended = leases.filter((lease) => isOver(lease, now, deadTags));
    if (ended.length === 0) return false;
    const sets = Object.keys(stored).filter((name) => stored[name]?.some((lease) => ended.includes(lease)));
    await remove(item, sets, ended);
    return true;
  }

  return {
    async add(item, lease, limits, now) {
      const first = await addOnce(item, lease, limits);
      if (first.isAdded) return first;
      const hasRemoved = await removeEnded(item, first.stored, now);
      return hasRemoved ? addOnce(item, lease, limits) : first;
    },

    remove,
  };
}

/** Returns the same elements for each of the sets. */
function inEach(sets: readonly string[], leases: readonly string[]): Record<string, ReadonlySet<string>> {
  const elements = new Set(leases);
  return Object.fromEntries(sets.map((set) => [set, elements]));
}

/** Returns the attributes of the item that are sets. */
function leasesOf(item: Readonly<Record<string, unknown>> = {}): StoredLeases {
  const attributes = Object.entries(item);
  return Object.fromEntries(attributes.flatMap(([name, value]) => (value instanceof Set ? [[name, [...value]]] : [])));
}
