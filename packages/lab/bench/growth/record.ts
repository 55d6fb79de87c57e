/** Reads and writes the recorded measurements in `recorded.json`, from which the tables and the plots are made. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measured } from './measure.ts';

export interface Recorded {
  /** Day of the measurement, in ISO 8601. */
  readonly date: string;
  readonly rows: readonly Measured[];
}

const FILE = join(import.meta.dirname, 'recorded.json');

export const readRecord = (): Recorded => JSON.parse(readFileSync(FILE, 'utf8')) as Recorded;

/** Writes one line for each measurement. */
export function writeRecord({ date, rows }: Recorded): void {
  const lines = rows.map((row) => `    ${JSON.stringify(row)}`);
  writeFileSync(FILE, `{\n  "date": "${date}",\n  "rows": [\n${lines.join(',\n')}\n  ]\n}\n`);
}
