import type { ReleaseRecord } from '../endpoints/release-summary.ts';

/** A release in the history of its endpoint, which is sorted by key. */
export interface KeyedRelease {
  readonly key: string;
  readonly record: ReleaseRecord;
}

export interface ReleaseHistory {
  /** Stores a new release, unless the history already contains it. */
  begin(endpoint: string, release: KeyedRelease): Promise<void>;
  /**
   * Stores the outcome of a release. A complete release is retained while it runs, and for `RELEASES_KEPT` after
   * that.
   */
  end(endpoint: string, release: KeyedRelease): Promise<void>;
  /** Stores that the release no longer runs, which starts its retention. */
  retire(endpoint: string, key: string): Promise<void>;
  read(endpoint: string, key: string): Promise<ReleaseRecord | undefined>;
  /**
   * Lists the releases, newest first.
   * @param before if given, only older releases are listed
   */
  list(endpoint: string, before?: string): AsyncIterable<KeyedRelease>;
}

/** Number of digits of the largest revision number. */
const DIGITS = 10;

const padded = (number: number) => String(number).padStart(DIGITS, '0');

/** Form of the keys. */
export const RELEASE_KEY = /^\d{10}(?:-\d{10}){0,2}$/;

/** Returns the key of a release with a revision. */
export const keyOf = (revision: number): string => padded(revision);

/**
 * Returns the key of a release without a revision. It sorts after the running release and is the same for each
 * repetition.
 */
export const keyOfRefused = (running: number, blueprint: number, version: number): string =>
  [running, blueprint, version].map(padded).join('-');
