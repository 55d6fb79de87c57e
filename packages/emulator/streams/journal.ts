/**
 * Adds missing features to dynoxide's streams, through a second connection to its database file:
 *
 * - Every write searches for the newest record, every read searches for the next ones, and both scan all records. An
 *   index makes the cost independent of the number of records.
 * - Dynoxide never deletes records. This module deletes records that every reader has handled.
 * - Dynoxide does not distinguish an expired item's deletion from any other deletion. A trigger marks the deletions
 *   of announced items, in the transaction of the deletion itself. It exists only while items are announced, because
 *   dynoxide compiles its SQL for each write: a trigger that has nothing to do takes a tenth of the write's time.
 *
 * This module relies on the storage format of one version, and refuses files of any other version.
 */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { LocalError } from '../local-error.ts';

/** A key, with values in base64. */
export type PlainKey = Readonly<Record<string, unknown>>;

export interface StreamJournal {
  /**
   * Deletes the records of the table up to a sequence number, except the newest record, which determines the next
   * number.
   */
  trim(table: string, passed: number): Promise<void>;
  /** Announces the expired items that are about to be deleted. The list replaces the previous one. */
  announceExpiry(table: string, keys: readonly PlainKey[]): Promise<void>;
  close(): void;
}

const KNOWN_VERSION = '1.2.1';
const KNOWN_COLUMNS =
  'id, table_name, event_name, keys_json, new_image, old_image, sequence_number, shard_id, created_at, user_identity';

/** Milliseconds to wait for the writes of dynoxide, and between two attempts. */
const BUSY_LIMIT = 10_000;
const BUSY_PAUSE = 3;
/** SQLite's code for a database that another connection writes to. */
const BUSY = 5;
/** Maximum number of records that one transaction deletes, during which dynoxide waits. */
const TRIMMED_AT_ONCE = 1_000;

/** Identity of an expiry, in the format of Lambda, which dynoxide parses. */
const SERVICE = JSON.stringify({ type: 'Service', principalId: 'dynamodb.amazonaws.com' });

const MARK_NO_MORE = 'DROP TRIGGER IF EXISTS _local_expired;';

const SCHEMA = `
CREATE INDEX IF NOT EXISTS _local_newest ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
CREATE TABLE IF NOT EXISTS _local_expiring (table_name TEXT, keys_json TEXT, PRIMARY KEY (table_name, keys_json));
DELETE FROM _local_expiring;
${MARK_NO_MORE}`;

const MARK = `
CREATE TRIGGER IF NOT EXISTS _local_expired AFTER INSERT ON _stream_records
WHEN NEW.event_name = 'REMOVE' AND EXISTS (
  SELECT 1 FROM _local_expiring WHERE table_name = NEW.table_name AND keys_json = NEW.keys_json
)
BEGIN
  UPDATE _stream_records SET user_identity = '${SERVICE}' WHERE id = NEW.id;
END;`;

const TRIM = `
DELETE FROM _stream_records WHERE id IN (
  SELECT id FROM _stream_records
  WHERE table_name = :table AND CAST(sequence_number AS INTEGER) <= :passed AND CAST(sequence_number AS INTEGER) < (
    SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = :table
  )
  LIMIT ${TRIMMED_AT_ONCE}
)`;

/** Returns a key as JSON in each order of its attributes, because dynoxide writes them in any order. */
function texts(key: PlainKey): string[] {
  const attributes = Object.entries(key);
  return [...new Set([attributes, attributes.toReversed()].map((order) => JSON.stringify(Object.fromEntries(order))))];
}

/**
 * Opens the journal.
 * @param file database of a running dynoxide
 * @throws LocalError if the file has another version
 */
export function openStreamJournal(file: string, version: string): StreamJournal {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA busy_timeout = ${BUSY_LIMIT}`);
  const columns = database.prepare("SELECT name FROM pragma_table_info('_stream_records')").all();
  const found = columns.map(({ name }) => name).join(', ');
  if (version !== KNOWN_VERSION || found !== KNOWN_COLUMNS) {
    database.close();
    throw new LocalError(
      `The DynamoDB emulator is version ${version} and stores stream records as (${found}), but packages/emulator/streams/journal.ts ` +
        `was written for version ${KNOWN_VERSION}: install that version, or adapt the file.`,
    );
  }
  database.exec(SCHEMA);
  const trimSome = database.prepare(TRIM);
  const forget = database.prepare('DELETE FROM _local_expiring');
  const announce = database.prepare('INSERT OR IGNORE INTO _local_expiring VALUES (?, ?)');

  // SQLite's own wait would block the process, and with it the queues.
  database.exec('PRAGMA busy_timeout = 0');
  async function begin(): Promise<void> {
    for (const deadline = performance.now() + BUSY_LIMIT; ; await delay(BUSY_PAUSE)) {
      try {
        database.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if ((error as { errcode?: number }).errcode !== BUSY || performance.now() > deadline) throw error;
      }
    }
  }
  /**
   * Runs the work in a transaction.
   * @param work synchronous, so that no other transaction uses the connection
   */
  async function write<Result>(work: () => Result): Promise<Result> {
    await begin();
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  }

  return {
    async trim(table, passed) {
      while ((await write(() => trimSome.run({ table, passed }).changes)) === TRIMMED_AT_ONCE);
    },
    announceExpiry: (table, keys) =>
      write(() => {
        forget.run();
        for (const text of keys.flatMap(texts)) announce.run(table, text);
        database.exec(keys.length > 0 ? MARK : MARK_NO_MORE);
      }),
    close: () => database.close(),
  };
}
