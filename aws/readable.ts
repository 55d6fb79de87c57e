/** Reads items of tables to which workers may write, without an error for an item that no worker of ours has written. */
import * as z from 'zod/mini';

/** What the item says, or why it cannot be read: names of fields and kinds of faults, without a value of the item. */
export type Read<Value> = { readonly value: Value } | { readonly reason: string };

/** The whole of it is at fault if no field is named. */
const placeOf = (path: readonly PropertyKey[]) => path.map(String).join('.') || 'item';

export function readItem<Schema extends z.ZodMiniType>(schema: Schema, item: unknown): Read<z.output<Schema>> {
  const { success, data, error } = z.safeParse(schema, item);
  if (success) return { value: data };
  return { reason: error.issues.map(({ path, code }) => `${placeOf(path)}: ${code}`).join(', ') };
}

export const valueIn = <Value>(read: Read<Value>): Value | undefined => ('value' in read ? read.value : undefined);
