/** Answers eventually consistent reads of the tables with older items. */
import type { MovedClock } from '../../../../test/support/emulated-deployment.ts';
import type { Executed } from '../calls/middleware.ts';
import type { StaleReads } from '../calls/stale-reads.ts';

type Item = Readonly<Record<string, unknown>>;

/** Key attributes of the tables whose items are stored completely at every write. */
const keys: Readonly<Record<string, readonly [string, string]>> = {
  JOBS_TABLE: ['partition', 'id'],
  WORKERS_TABLE: ['endpoint', 'worker'],
  PAYLOADS_TABLE: ['partition', 'item'],
};

export function seenStale(reads: StaleReads, clock: MovedClock) {
  const nameOf = (names: readonly [string, string], item: Item) => names.map((name) => String(item[name])).join(' ');

  return {
    record({ command, input, output }: Executed): void {
      const names = keys[String(input.TableName)];
      if (!names || !['PutItemCommand', 'UpdateItemCommand', 'DeleteItemCommand'].includes(command)) return;
      const item = (input.Item ?? output.Attributes) as Item | undefined;
      const name = nameOf(names, item ?? (input.Key as Item));
      reads.record(String(input.TableName), name, item, clock.now());
    },

    seen({ command, input, output }: Executed): Executed['output'] {
      const table = String(input.TableName);
      const names = keys[table];
      if (!names || input.ConsistentRead) return output;
      const seen = (item: Item, present: Item | undefined) =>
        reads.seen(table, nameOf(names, item), present, clock.now());
      if (command === 'GetItemCommand')
        return { ...output, Item: seen(input.Key as Item, output.Item as Item | undefined) };
      if (command !== 'QueryCommand') return output;
      const items = (output.Items ?? []) as readonly Item[];
      return { ...output, Items: items.map((item) => seen(item, item)).filter((item) => item !== undefined) };
    },
  };
}
