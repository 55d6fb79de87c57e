/**
 * Reads items that can have unexpected content, because workers write to their table or a newer version of the service
 * has written them. Such items do not cause errors.
 */
import * as z from 'zod/mini';
import { isOfNewerVersion, SCHEMA_ATTRIBUTE, SCHEMA_VERSION } from '../core/stored-items/schema-version.ts';

/**
 * The value of the item, or the reason why it cannot be read: names of fields and kinds of faults, without values of
 * the item.
 */
export type Read<Value> = { readonly value: Value } | { readonly reason: string };

/** Returns the path of the fault, or `item` if no field is named. */
const pathOf = (path: readonly PropertyKey[]) => path.map(String).join('.') || 'item';

/** Reads the item by its schema. */
export function readItem<Schema extends z.ZodMiniType>(schema: Schema, item: unknown): Read<z.output<Schema>> {
  if (isOfNewerVersion(item)) return { reason: `${SCHEMA_ATTRIBUTE}: newer than ${SCHEMA_VERSION}` };
  const { success, data, error } = z.safeParse(schema, item);
  if (success) return { value: data };
  return { reason: error.issues.map(({ path, code }) => `${pathOf(path)}: ${code}`).join(', ') };
}

/**
 * Returns the item, or undefined if a newer version has written it. Callers treat such an item as absent, and do not
 * write it.
 */
export const unlessNewer = <Item extends object>(item: Item | undefined): Item | undefined =>
  isOfNewerVersion(item) ? undefined : item;

/** Returns the value that was read, or undefined. */
export const valueIn = <Value>(read: Read<Value>): Value | undefined => ('value' in read ? read.value : undefined);
