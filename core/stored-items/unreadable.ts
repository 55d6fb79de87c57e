/**
 * Unreadable items in tables that workers can write to. User code shares the role of its worker, so readers skip
 * such items: one endpoint must not stop a reader for all endpoints.
 */
import { MINUTE } from '../limits.ts';

export interface Unreadable {
  readonly table: 'jobs' | 'workers' | 'payloads';
  readonly partition: string;
  /** Sort key, which the writer chose. Logs omit it. */
  readonly name: string;
  /** Endpoint of the partition. */
  readonly endpoint: string;
  /** Names of fields and kinds of faults, without values of the item. */
  readonly reason: string;
}

/** Called with each item that a reader skips. */
export type OnUnreadable = (item: Unreadable) => void;

/** Metric of items and changes that were set aside; its sum is the number that the service skipped. */
export const SET_ASIDE_METRIC = 'SetAside';

/** The alarm triggers when more than `items` are set aside within `within` ms. */
export const setAsideAlarm = { items: 0, within: 15 * MINUTE } as const;
