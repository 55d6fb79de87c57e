/**
 * The only shard of a table's stream. Records are read from dynoxide's database file, in the format that
 * `journal.ts` checks: all event sources together read up to some hundred times a second, mostly without a result,
 * and a request to dynoxide takes ten times as long.
 */
import { DatabaseSync } from 'node:sqlite';
import { type StoredRecord, type StreamRecord, streamRecord } from './record.ts';

export interface StreamReader {
  readonly shardId: string;
  /** Returns the next records, oldest first; empty if there are none yet. */
  read(limit: number): readonly StreamRecord[];
}

/**
 * Opens the stream of a table for a reader that gets the records after the position.
 * @throws Error if the table has no stream with this ARN
 */
export type OpenStream = (streamArn: string, position: number) => StreamReader;

export interface Streams {
  readonly open: OpenStream;
  close(): void;
}

/** Limit of GetRecords. */
const MAX_RECORDS = 1_000;

/** Milliseconds to wait for dynoxide when it rewrites its database file. */
const BUSY_LIMIT = 1_000;

const OPEN = `
SELECT stream_view_type AS viewType, stream_label AS label FROM _tables
WHERE table_name = :table AND stream_enabled = 1`;

/** Without the plus sign, SQLite would compile the statement for each value of `:limit`. */
const READ = `
SELECT event_name AS eventName, keys_json AS keys, new_image AS newImage, old_image AS oldImage,
  sequence_number AS sequenceNumber, created_at AS createdAt, user_identity AS userIdentity
FROM _stream_records
WHERE table_name = :table AND shard_id = :shardId AND CAST(sequence_number AS INTEGER) > :position
ORDER BY CAST(sequence_number AS INTEGER) LIMIT +:limit`;

export const tableOf = (streamArn: string): string => streamArn.split('/')[1] ?? '';

/** Converts a label of the emulator, in seconds since the epoch, to the label of a stream, which is a timestamp. */
export const streamLabel = (seconds: string): string => new Date(Number(seconds) * 1000).toISOString().replace('Z', '');

/**
 * Opens the streams of all tables.
 * @param file database of a running dynoxide whose journal is open
 */
export function openStreams(file: string): Streams {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_LIMIT });
  const opening = database.prepare(OPEN);
  const reading = database.prepare(READ);
  return {
    open(streamArn, start) {
      const table = tableOf(streamArn);
      const stream = opening.get({ table });
      if (!stream || !streamArn.endsWith(`/${streamLabel(String(stream.label))}`))
        throw new Error(`The stream ${streamArn} was not found.`);
      const viewType = String(stream.viewType);
      const shardId = `shardId-00000001-${table}`;
      let position = start;
      return {
        shardId,
        read(max) {
          const rows = reading.all({ table, shardId, position, limit: Math.min(max, MAX_RECORDS) });
          const records = rows.map((row) => streamRecord(row as unknown as StoredRecord, streamArn, viewType));
          position = records.at(-1)?.position ?? position;
          return records;
        },
      };
    },
    close: () => database.close(),
  };
}

/** Returns the position of the newest record. */
export function newestPosition(open: OpenStream, streamArn: string): number {
  const reader = open(streamArn, 0);
  let newest = 0;
  for (;;) {
    const records = reader.read(MAX_RECORDS);
    newest = records.at(-1)?.position ?? newest;
    if (records.length === 0) return newest;
  }
}
