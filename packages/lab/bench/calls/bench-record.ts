/** Reads and writes `bench-record.json`: the measurements that only the benchmarks compare. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StreamFigures } from './streams.ts';
import type { WaitReads } from './waits.ts';

export interface BenchRecord {
  /** Reads of calls that wait for a minute. */
  readonly waits: readonly WaitReads[];
  /** Writes and reads of streams. */
  readonly streams: readonly StreamFigures[];
}

const FILE = join(import.meta.dirname, 'bench-record.json');

export const readBenchRecord = (): BenchRecord => JSON.parse(readFileSync(FILE, 'utf8')) as BenchRecord;

export const writeBenchRecord = (record: BenchRecord): void =>
  writeFileSync(FILE, `${JSON.stringify(record, null, 2)}\n`);
