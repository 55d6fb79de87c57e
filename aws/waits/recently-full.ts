/** Remembers for a short time that something is full, so that a process does not try it again in this time. */
export class RecentlyFull<Detail> {
  readonly #entries = new Map<string, { readonly detail: Detail; readonly until: number }>();
  readonly #duration: number;

  /** @param duration milliseconds after which an entry no longer counts */
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
