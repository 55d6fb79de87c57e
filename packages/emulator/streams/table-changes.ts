/** Ends the waits of all event sources when a table changes. */
import { watch as watchFile } from 'node:fs';
import type { Watch } from './batch.ts';

export interface TableChanges {
  watch(): Watch;
  close(): void;
}

/**
 * Milliseconds between a change of a table and the read of its stream. A request changes several tables within a few
 * milliseconds, and reading every stream after each change would cost processor time without finding more.
 */
const GATHERED = 25;

/** Watches a file that changes with every write. Without its changes, only the next poll finds new records. */
export function watchTables(file: string): TableChanges {
  /** Number of the changes so far. */
  let changes = 0;
  const waiting = new Set<() => void>();
  let gathering: NodeJS.Timeout | undefined;
  const gather = () => {
    gathering ??= setTimeout(() => {
      gathering = undefined;
      for (const end of [...waiting]) end();
    }, GATHERED);
  };
  const watcher = watchFile(file, { persistent: false }, () => {
    changes += 1;
    if (waiting.size > 0) gather();
  });
  watcher.on('error', () => undefined);
  return {
    watch() {
      const seen = changes;
      return (milliseconds, stop) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        const end = () => {
          clearTimeout(timer);
          stop.removeEventListener('abort', end);
          waiting.delete(end);
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        stop.addEventListener('abort', end);
        waiting.add(end);
        if (stop.aborted) end();
        else if (changes > seen) gather();
        return promise;
      };
    },
    close() {
      watcher.close();
      clearTimeout(gathering);
    },
  };
}
