/**
 * The version of the shapes in which items are stored (docs/adr/0016). A new optional attribute leaves it as it is; a
 * shape that an older version would misread raises it by one.
 */
export const SCHEMA_VERSION = 1;

/** The oldest version whose items are still read. */
export const OLDEST_SCHEMA_VERSION = 1;

/**
 * The attribute that holds the version of an item. An item of version 1 does not have it, so that it costs nothing
 * until there is a version 2.
 */
export const SCHEMA_ATTRIBUTE = 'schema';

/** Returns whether a newer version has written the item: this version skips it and does not change it. */
export function isOfNewerVersion(item: unknown): boolean {
  const version: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, SCHEMA_ATTRIBUTE) : undefined;
  return version !== undefined && !(typeof version === 'number' && version <= SCHEMA_VERSION);
}
