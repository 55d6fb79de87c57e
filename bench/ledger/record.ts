/** What was measured, kept in `recorded.json`: later measurements are compared with it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Line } from './figures.ts';
import type { FunctionSize } from './functions.ts';
import type { Measurement } from './measure.ts';
import type { StreamFigures } from './streams.ts';
import type { WaitReads } from './waits.ts';

export interface Recorded {
  /** Day, ISO 8601. */
  readonly date: string;
  /** By name of the scenario. */
  readonly scenarios: Readonly<Record<string, Measurement>>;
  /** Calls of a minute in which no job comes. */
  readonly standing: readonly Line[];
  /** How many endpoints there were in that minute: the sweeper looks at each. */
  readonly endpoints: number;
  readonly functions: readonly FunctionSize[];
  /** What calls that wait for a minute read. */
  readonly waits: readonly WaitReads[];
  /** What streams write and read. */
  readonly streams: readonly StreamFigures[];
}

const FILE = join(import.meta.dirname, 'recorded.json');

export const readRecord = (): Recorded => JSON.parse(readFileSync(FILE, 'utf8')) as Recorded;

export const writeRecord = (recorded: Recorded): void => writeFileSync(FILE, `${JSON.stringify(recorded, null, 2)}\n`);
