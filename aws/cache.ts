import type { Clock } from '../core/clock.ts';

/** Calls share a read of the same name that began at most this many milliseconds ago. */
const SHARED_FOR = 1_000;

/** Maximum number of names in the cache. A caller can make up names, and each name uses memory. */
const MAX_NAMES = 10_000;

interface Entry<Value> {
  readonly value: Value;
  readonly loadedAt: number;
}

/** The most recent entries. A new entry replaces the oldest one if the maximum is reached. */
class RecentEntries<Value> {
  readonly #entries = new Map<string, Entry<Value>>();

  get(name: string): Entry<Value> | undefined {
    return this.#entries.get(name);
  }

  set(name: string, entry: Entry<Value>): void {
    this.#entries.delete(name);
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size >= MAX_NAMES) this.#entries.delete(oldest);
    this.#entries.set(name, entry);
  }

  delete(name: string): void {
    this.#entries.delete(name);
  }
}

/**
 * Caches each found value for at most `maxAge` ms, and each missing name for at most `missAge` ms.
 * Without `missAge`, a missing name is looked up each time, so that a new endpoint works immediately. Found and
 * missing names are stored separately, so that many made-up names do not displace existing ones. Concurrent calls
 * for a name share one read.
 */
export function createCache<Value>(
  clock: Clock,
  maxAge: number,
  load: (name: string) => Promise<Value>,
  missAge = 0,
): (name: string) => Promise<Value> {
  const found = new RecentEntries<Value>();
  const missed = new RecentEntries<Value>();
  const isFresh = (entry: Entry<Value>, age: number) => clock.now() - entry.loadedAt < age;
  const loading = new Map<string, { readonly value: Promise<Value>; readonly since: number }>();

  async function loadNow(name: string): Promise<Value> {
    // The age counts from the start of the read, because the value can change during the read.
    const loadedAt = clock.now();
    const value = await load(name);
    const [kept, other] = value === undefined ? [missed, found] : [found, missed];
    other.delete(name);
    if (kept === found || missAge > 0) kept.set(name, { value, loadedAt });
    return value;
  }

  function startLoad(name: string): Promise<Value> {
    const own = {
      since: clock.now(),
      value: loadNow(name).finally(() => {
        if (loading.get(name) === own) loading.delete(name);
      }),
    };
    loading.set(name, own);
    return own.value;
  }

  /**
   * Returns the current read of the name. Old reads are not shared, so that a read that hangs does not delay later
   * callers.
   */
  function underWay(name: string): Promise<Value> | undefined {
    const other = loading.get(name);
    return other && clock.now() - other.since < SHARED_FOR ? other.value : undefined;
  }

  return async (name) => {
    const hit = found.get(name);
    if (hit && isFresh(hit, maxAge)) return hit.value;
    const miss = missed.get(name);
    if (miss && isFresh(miss, missAge)) return miss.value;
    const other = underWay(name);
    if (other !== undefined) {
      const value = await other;
      if (value !== undefined || missAge > 0) return value;
    }
    // A value that was missing in the shared read might exist now. A read that began later would find the value.
    return underWay(name) ?? startLoad(name);
  };
}
