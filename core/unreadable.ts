/**
 * Items that the service cannot read, in the tables to which workers may write. User code shares the role of its
 * worker, so a reader skips such an item: one endpoint must not stop the reader of all.
 */
import { MINUTE } from './limits.ts';

export interface Unreadable {
  readonly table: 'jobs' | 'workers' | 'payloads';
  readonly partition: string;
  /** The sort key, which the writer chose. Logs leave it out. */
  readonly name: string;
  /** The endpoint of the partition. */
  readonly endpoint: string;
  /** Names of fields and kinds of faults, without a value of the item. */
  readonly reason: string;
}

/** Called with each item that a reader skips. */
export type OnUnreadable = (item: Unreadable) => void;

/** The metric of set-aside items and changes: its sum is how many the service has skipped. */
export const SET_ASIDE_METRIC = 'SetAside';

/** The alarm goes off when more than `items` are set aside within `within` ms. */
export const setAsideAlarm = { items: 0, within: 15 * MINUTE } as const;
