import type { ReleaseRecord } from '../endpoints/release-summary.ts';

/** A release in the history of its endpoint, which is in the order of the keys. */
export interface KeyedRelease {
  readonly key: string;
  readonly record: ReleaseRecord;
}

export interface ReleaseHistory {
  /** Stores a release that begins, unless the history already has it. */
  begin(endpoint: string, release: KeyedRelease): Promise<void>;
  /** Stores how a release ended. A complete one is kept as long as it runs, and then as long as the others. */
  end(endpoint: string, release: KeyedRelease): Promise<void>;
  /** Stores that the release no longer runs: it is kept for a while. */
  retire(endpoint: string, key: string): Promise<void>;
  read(endpoint: string, key: string): Promise<ReleaseRecord | undefined>;
  /** Lists the releases, the newest first; only those before the key if one is given. */
  list(endpoint: string, before?: string): AsyncIterable<KeyedRelease>;
}

/** Digits of the largest revision number. */
const DIGITS = 10;

const padded = (number: number) => String(number).padStart(DIGITS, '0');

/** The form of keys. */
export const RELEASE_KEY = /^\d{10}(?:-\d{10}){0,2}$/;

/** Returns the key of a release with a revision. */
export const keyOf = (revision: number): string => padded(revision);

/** Returns the key of a release without a revision: after the running one, and the same for each repetition. */
export const keyOfRefused = (running: number, blueprint: number, version = 0): string =>
  [running, blueprint, version].map(padded).join('-');
