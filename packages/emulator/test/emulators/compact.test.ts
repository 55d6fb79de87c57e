import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { compactDatabase } from '../../emulators/compact.ts';
import { newFolder } from '../small-service.ts';

const MB = 1_024 * 1_024;

let folder: string;
let file: string;

beforeEach(() => {
  folder = newFolder();
  file = join(folder, 'test.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a file of about 4 MB, of which this share is deleted. */
function fill(deleted: number): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE items (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = database.prepare('INSERT INTO items (text) VALUES (?)');
  for (let n = 0; n < 1_000; n += 1) insert.run('x'.repeat(4_000));
  database.exec(`DELETE FROM items WHERE id <= ${1_000 * deleted}`);
  database.close();
}

function rows(): unknown {
  const database = new DatabaseSync(file);
  const found = database.prepare('SELECT count(*) AS n FROM items').get();
  database.close();
  return found?.n;
}

describe('the database file', () => {
  it('shrinks when most of its items have been deleted, and keeps the others', () => {
    fill(0.9);
    expect(statSync(file).size).toBeGreaterThan(3 * MB);
    compactDatabase(file, MB);
    expect(statSync(file).size).toBeLessThan(MB);
    expect(rows()).toBe(100);
  });

  it.each([
    ['less than half of it is unused', 0.4, MB],
    ['it is small', 0.9, 16 * MB],
  ])('is not rewritten if %s', (_, deleted, minUnused) => {
    fill(deleted);
    const { size } = statSync(file);
    compactDatabase(file, minUnused);
    expect(statSync(file).size).toBe(size);
  });

  it('is not created', () => {
    compactDatabase(file);
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
  });
});
