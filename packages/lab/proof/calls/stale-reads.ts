/**
 * Answers eventually consistent reads with the item as it was a second ago, which DynamoDB permits. The emulator
 * always returns the newest item, so otherwise tests would pass with an eventually consistent read that must be
 * strongly consistent.
 */
import { SECOND } from '../../../../core/limits.ts';

type Item = Readonly<Record<string, unknown>>;

interface Version {
  readonly at: number;
  readonly item: Item | undefined;
}

export interface StaleReads {
  /**
   * Stores a new version of an item.
   * @param at time of the write in milliseconds
   */
  record(table: string, key: string, item: Item | undefined, at: number): void;
  /**
   * Returns the version of an item that an eventually consistent read finds.
   * @param present current version
   */
  seen(table: string, key: string, present: Item | undefined, now: number): Item | undefined;
}

export function createStaleReads(): StaleReads {
  const histories = new Map<string, Version[]>();
  return {
    record(table, key, item, at) {
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
