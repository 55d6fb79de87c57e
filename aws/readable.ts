/**
 * Reads items of tables to which workers may write, without an error for an item that no worker of ours has written, or
 * that a newer version has.
 */
import * as z from 'zod/mini';
import { isOfNewerVersion, SCHEMA_ATTRIBUTE, SCHEMA_VERSION } from '../core/schema-version.ts';

/** What the item says, or why it cannot be read: names of fields and kinds of faults, without a value of the item. */
export type Read<Value> = { readonly value: Value } | { readonly reason: string };

/** The whole of it is at fault if no field is named. */
const placeOf = (path: readonly PropertyKey[]) => path.map(String).join('.') || 'item';

export function readItem<Schema extends z.ZodMiniType>(schema: Schema, item: unknown): Read<z.output<Schema>> {
  if (isOfNewerVersion(item)) return { reason: `${SCHEMA_ATTRIBUTE}: newer than ${SCHEMA_VERSION}` };
  const { success, data, error } = z.safeParse(schema, item);
  if (success) return { value: data };
  return { reason: error.issues.map(({ path, code }) => `${placeOf(path)}: ${code}`).join(', ') };
}

/** The item, or undefined if a newer version has written it: it stays as it is, and counts as absent. */
export const known = <Item extends object>(item: Item | undefined): Item | undefined =>
  isOfNewerVersion(item) ? undefined : item;

export const valueIn = <Value>(read: Read<Value>): Value | undefined => ('value' in read ? read.value : undefined);
