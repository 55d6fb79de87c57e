import type { Clock } from '../core/clock.ts';

/** Who asks for a name within so many milliseconds of another one waits for the same read. */
const SHARED_FOR = 1_000;

/** More names than this are never kept: a caller can make up names, and each takes memory. */
const MOST_NAMES = 10_000;

interface Entry<Value> {
  readonly value: Value;
  readonly loadedAt: number;
}

/** The most recent entries: one more removes the oldest. */
class RecentEntries<Value> {
  readonly #entries = new Map<string, Entry<Value>>();

  get(name: string): Entry<Value> | undefined {
    return this.#entries.get(name);
  }

  set(name: string, entry: Entry<Value>): void {
    this.#entries.delete(name);
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size >= MOST_NAMES) this.#entries.delete(oldest);
    this.#entries.set(name, entry);
  }

  delete(name: string): void {
    this.#entries.delete(name);
  }
}

/**
 * Remembers what `load` found for at most `maxAge` ms, and that it found nothing for at most `missAge` ms. Without
 * `missAge` a name that was not found is looked up each time, so that a new endpoint works at once. What was found and
 * what was not are kept apart, so that many made-up names do not displace those that exist. Calls that come while a name
 * is loaded wait for that: many at once are one read.
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
    // The age counts from before the read: what changes during it must not be missed for longer.
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

  /** A load that hangs delays concurrent callers, and no later ones. */
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
    // What was missing when that read began may be there now; one that has begun since will tell.
    return underWay(name) ?? startLoad(name);
  };
}
