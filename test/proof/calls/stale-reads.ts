/**
 * Reads that need not be consistent are given what was there a second ago, as DynamoDB may. The emulator alone would
 * always give the newest, and a read that ought to be consistent would pass.
 */
import { SECOND } from '../../../core/limits.ts';

type Item = Readonly<Record<string, unknown>>;

interface Version {
  readonly at: number;
  readonly item: Item | undefined;
}

export interface StaleReads {
  /** Notes what an item is from now on. */
  note(table: string, key: string, item: Item | undefined, at: number): void;
  /** What a read that need not be consistent finds, given what exists. */
  seen(table: string, key: string, present: Item | undefined, now: number): Item | undefined;
}

export function createStaleReads(): StaleReads {
  const histories = new Map<string, Version[]>();
  return {
    note(table, key, item, at) {
      const name = `${table} ${key}`;
      const history = histories.get(name) ?? [{ at: 0, item: undefined }];
      histories.set(name, [...history, { at, item }]);
    },
    seen(table, key, present, now) {
      const history = histories.get(`${table} ${key}`);
      return history ? history.findLast(({ at }) => at <= now - SECOND)?.item : present;
    },
  };
}
