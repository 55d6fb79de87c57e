/**
 * Reads items of tables that workers can write. Items with unexpected content, or of a newer version, do not cause
 * errors.
 */
import * as z from 'zod/mini';
import { isOfNewerVersion, SCHEMA_ATTRIBUTE, SCHEMA_VERSION } from '../core/stored-items/schema-version.ts';

/**
 * The value of the item, or the reason why it cannot be read: names of fields and kinds of faults, without values of
 * the item.
 */
export type Read<Value> = { readonly value: Value } | { readonly reason: string };

/** Returns the path of the fault, or `item` if no field is named. */
const placeOf = (path: readonly PropertyKey[]) => path.map(String).join('.') || 'item';

export function readItem<Schema extends z.ZodMiniType>(schema: Schema, item: unknown): Read<z.output<Schema>> {
  if (isOfNewerVersion(item)) return { reason: `${SCHEMA_ATTRIBUTE}: newer than ${SCHEMA_VERSION}` };
  const { success, data, error } = z.safeParse(schema, item);
  if (success) return { value: data };
  return { reason: error.issues.map(({ path, code }) => `${placeOf(path)}: ${code}`).join(', ') };
}

/**
 * Returns the item, or undefined if a newer version has written it. Such an item is not changed, and counts as
 * absent.
 */
export const known = <Item extends object>(item: Item | undefined): Item | undefined =>
  isOfNewerVersion(item) ? undefined : item;

export const valueIn = <Value>(read: Read<Value>): Value | undefined => ('value' in read ? read.value : undefined);
