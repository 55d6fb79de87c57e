/** Reads and writes the recorded measurements in `recorded.json`. Later measurements are compared with them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Work } from './dollars.ts';
import type { Line } from './figures.ts';
import type { FunctionSize } from './functions.ts';
import type { Measurement } from './measure.ts';
import type { Scenario } from './scenarios.ts';
import type { StreamFigures } from './streams.ts';
import type { WaitReads } from './waits.ts';

export interface Recorded {
  /** Day of the measurement, in ISO 8601. */
  readonly date: string;
  /** Measurements by the name of the scenario. */
  readonly scenarios: Readonly<Record<string, Measurement>>;
  /** Calls in a minute without jobs. */
  readonly standing: readonly Line[];
  /** Number of endpoints during the measurement of `standing`. The sweeper reads each endpoint. */
  readonly endpoints: number;
  readonly functions: readonly FunctionSize[];
  /** Reads of calls that wait for a minute. */
  readonly waits: readonly WaitReads[];
  /** Writes and reads of streams. */
  readonly streams: readonly StreamFigures[];
}

const FILE = join(import.meta.dirname, 'recorded.json');

export const readRecord = (): Recorded => JSON.parse(readFileSync(FILE, 'utf8')) as Recorded;

export const writeRecord = (recorded: Recorded): void => writeFileSync(FILE, `${JSON.stringify(recorded, null, 2)}\n`);

/** Returns the memory of the functions. All have the same memory; if not, the largest is used. */
export const memoryOf = ({ functions }: Recorded) => Math.max(...functions.map(({ memory }) => memory));

/** A scenario with its measurement. */
export interface Row extends Work {
  readonly scenario: Scenario;
}

export const rowsOf = ({ scenarios: recorded }: Recorded, scenarios: readonly Scenario[]): Row[] =>
  scenarios.flatMap((scenario) => {
    const measurement = recorded[scenario.name];
    const { held, deliveries } = scenario;
    const work = { ...(held !== undefined && { held }), ...(deliveries !== undefined && { deliveries }) };
    return measurement ? [{ scenario, ...work, ...measurement }] : [];
  });
