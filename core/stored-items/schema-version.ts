/**
 * Version of the stored item schema (docs/adr/0016). A new optional attribute does not change it. A change that an
 * older version would misread increments it.
 */
export const SCHEMA_VERSION = 1;

/**
 * Attribute with the schema version of an item. Items of version 1 omit it, so that it costs nothing before
 * version 2 exists.
 */
export const SCHEMA_ATTRIBUTE = 'schema';

/** Returns whether a newer version wrote the item. This version skips such items and does not change them. */
export function isOfNewerVersion(item: unknown): boolean {
  const version: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, SCHEMA_ATTRIBUTE) : undefined;
  return version !== undefined && !(typeof version === 'number' && version <= SCHEMA_VERSION);
}
