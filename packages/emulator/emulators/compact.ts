/** Returns the space of deleted items to the disk. SQLite reuses the pages of a file, but never shrinks it by itself. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Unused bytes below which a file is not rewritten. */
const MIN_UNUSED = 16 * 1024 * 1024;

function pragma(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}

/** Rewrites a database file if most of it is unused. No other process may use the file. */
export function compactDatabase(file: string, minUnused: number = MIN_UNUSED): void {
  if (!existsSync(file)) return;
  const database = new DatabaseSync(file);
  try {
    const unused = pragma(database, 'freelist_count');
    const isMostlyUnused = unused > pragma(database, 'page_count') / 2;
    if (isMostlyUnused && unused * pragma(database, 'page_size') >= minUnused) database.exec('VACUUM');
  } catch (error) {
    // The file is complete as it is, only larger.
    console.error(`${file} could not be compacted: ${error}`);
  } finally {
    database.close();
  }
}
