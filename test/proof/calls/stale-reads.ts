/**
 * Answers eventually consistent reads with the item of a second ago, as DynamoDB may. The emulator alone always returns
 * the newest item, so a read that should be consistent but is not would pass.
 */
import { SECOND } from '../../../core/limits.ts';

type Item = Readonly<Record<string, unknown>>;

interface Version {
  readonly at: number;
  readonly item: Item | undefined;
}

export interface StaleReads {
  /** Stores the present version of an item. */
  note(table: string, key: string, item: Item | undefined, at: number): void;
  /** Returns the items that an eventually consistent read finds, from the present ones. */
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
