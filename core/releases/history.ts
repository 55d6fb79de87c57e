import type { ReleaseRecord } from '../endpoints/release-summary.ts';

/** A record and its place among those of the endpoint, which are in the order of their keys. */
export interface KeyedRelease {
  readonly key: string;
  readonly record: ReleaseRecord;
}

export interface ReleaseHistory {
  /** Stores a release that begins, unless there is a record of it. */
  begin(endpoint: string, release: KeyedRelease): Promise<void>;
  /** Stores how a release has ended. One that is complete is kept as long as it runs, and then as long as the others. */
  end(endpoint: string, release: KeyedRelease): Promise<void>;
  /** Another release runs in the place of this one, or none any more: it is kept for a while. */
  retire(endpoint: string, key: string): Promise<void>;
  read(endpoint: string, key: string): Promise<ReleaseRecord | undefined>;
  /** The newest first, those before the key if one is given. */
  list(endpoint: string, before?: string): AsyncIterable<KeyedRelease>;
}

/** As many digits as the number of a revision can have. */
const DIGITS = 10;

const padded = (number: number) => String(number).padStart(DIGITS, '0');

/** The form of keys. */
export const RELEASE_KEY = /^\d{10}(?:-\d{10}){0,2}$/;

/** Of a release that has a revision. */
export const keyOf = (revision: number): string => padded(revision);

/** Of one that has none: after what ran then, and the same however often it is told. */
export const keyOfRefused = (running: number, blueprint: number, version = 0): string =>
  [running, blueprint, version].map(padded).join('-');
