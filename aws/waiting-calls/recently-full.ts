/**
 * Remembers for a short time which keys are full, so that a process makes no further attempts there. An entry that no
 * longer counts remains until the next one of its key, so there is at most one for each key.
 */
export class RecentlyFull<Detail> {
  readonly #entries = new Map<string, { readonly detail: Detail; readonly until: number }>();
  readonly #duration: number;

  /**
   * Creates a memory without entries.
   * @param duration milliseconds after which an entry no longer counts
   */
  constructor(duration: number) {
    this.#duration = duration;
  }

  add(key: string, detail: Detail, now: number): void {
    this.#entries.set(key, { detail, until: now + this.#duration });
  }

  get(key: string, now: number): Detail | undefined {
    const entry = this.#entries.get(key);
    return entry && now < entry.until ? entry.detail : undefined;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
