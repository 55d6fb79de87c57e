import type { Clock } from '../core/clock.ts';

/** More keys than this are never kept: a caller can make up names, and each would take memory. */
const MOST_KEYS = 10_000;

/**
 * Remembers what `load` found for at most `maxAge` ms. What it did not find is looked up again each time, so that a new
 * endpoint or key works at once.
 */
export function createCache<Value>(
  clock: Clock,
  maxAge: number,
  load: (key: string) => Promise<Value>,
): (key: string) => Promise<Value> {
  const entries = new Map<string, { readonly value: Value; readonly loadedAt: number }>();
  return async (key) => {
    const entry = entries.get(key);
    if (entry && clock.now() - entry.loadedAt < maxAge) return entry.value;
    // The age counts from before the read: what changes during it must not be missed for longer.
    const loadedAt = clock.now();
    const value = await load(key);
    if (entries.size >= MOST_KEYS) entries.clear();
    if (value === undefined) entries.delete(key);
    else entries.set(key, { value, loadedAt });
    return value;
  };
}
