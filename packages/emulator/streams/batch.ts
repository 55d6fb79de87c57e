/** Collects the records of a stream into batches, as the pollers of Lambda do. */
import { PAYLOAD_LIMIT } from '../functions/functions.ts';
import type { StreamRecord } from './record.ts';
import type { StreamReader } from './stream.ts';

export interface Batch {
  /** The records that match the filter; can be empty. */
  readonly records: readonly StreamRecord[];
  /** Position of the last record that was read for the batch. */
  readonly end: number;
}

export interface BatchOptions {
  readonly batchSize: number;
  /** Milliseconds that a batch waits for more records after its first one. */
  readonly window: number;
  matches(event: object): boolean;
}

/** A wait that ends early when a table changes, also if the table changed between its creation and this call. */
export type Watch = (milliseconds: number, stop: AbortSignal) => Promise<void>;

export interface BatchHost {
  watch(): Watch;
  /** Milliseconds. */
  now(): number;
  pause(milliseconds: number, stop: AbortSignal): Promise<void>;
}

/** Milliseconds between polls: Lambda polls for records four times a second. */
const POLL_PERIOD = 250;
/** Maximum size of the records; the event is slightly larger than its records. */
const BYTES_OF_RECORDS = PAYLOAD_LIMIT - 100;

export interface Batches {
  /** Returns the next batch; undefined if the reader must stop. */
  next(stop: AbortSignal): Promise<Batch | undefined>;
}

export function createBatches(reader: StreamReader, options: BatchOptions, host: BatchHost): Batches {
  const { batchSize, window, matches } = options;
  /** Records that were read but are not part of a batch yet. */
  let ahead: StreamRecord[] = [];

  return {
    async next(stop) {
      const records: StreamRecord[] = [];
      let bytes = 0;
      let end: number | undefined;
      let deadline = Number.POSITIVE_INFINITY;

      while (!stop.aborted) {
        const wait = host.watch();
        if (ahead.length === 0) ahead = [...reader.read(batchSize - records.length)];
        for (let record = ahead[0]; record; record = ahead[0]) {
          if (matches(record.event)) {
            const size = Buffer.byteLength(JSON.stringify(record.event)) + 1;
            if (end !== undefined && records.length > 0 && bytes + size > BYTES_OF_RECORDS) return { records, end };
            if (records.length === 0) deadline = host.now() + window;
            records.push(record);
            bytes += size;
          }
          end = record.position;
          ahead.shift();
          if (records.length === batchSize) return { records, end };
        }
        if (end !== undefined && (records.length === 0 || host.now() >= deadline)) return { records, end };
        // While a batch waits for more records, there is no need to read a change immediately.
        if (records.length > 0) await host.pause(Math.min(POLL_PERIOD, deadline - host.now()), stop);
        else await wait(POLL_PERIOD, stop);
      }
      return undefined;
    },
  };
}
