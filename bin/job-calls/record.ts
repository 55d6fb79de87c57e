/**
 * Reads and writes `recorded.json`: the AWS calls of jobs, as `npm run bench -w packages/lab -- calls --record` counted
 * them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Work } from './dollars.ts';
import type { Figures, Line } from './figures.ts';

/** The measured calls of one scenario. */
export interface Measurement {
  /** Figures per job. */
  readonly own: Figures;
  readonly shared: Figures;
  /** HTTP requests and invocations of the ledger, per job. */
  readonly requests: number;
  readonly ledgerInvocations: number;
  /** The calls behind the figures, summed over all jobs of the scenario. */
  readonly lines: readonly Line[];
}

/** What the jobs of a scenario do. */
export interface ScenarioFacts extends Pick<Work, 'held' | 'deliveries'> {
  /** Description of the scenario in tables. */
  readonly title: string;
  /**
   * Number of jobs. Figures are per job.
   * @default 1
   */
  readonly jobs?: number;
  /**
   * Number of requests to operations whose calls wait, per job. The ingress serves these requests if it is deployed.
   */
  readonly waiting?: number;
}

export interface RecordedScenario extends ScenarioFacts, Measurement {}

export interface Recorded {
  /** Day of the measurement, in ISO 8601. */
  readonly date: string;
  /** Scenarios by name, in the order of tables. */
  readonly scenarios: Readonly<Record<string, RecordedScenario>>;
  /** Calls in a minute without jobs. */
  readonly standing: readonly Line[];
  /** Number of endpoints during the measurement of `standing`. The sweeper reads each endpoint. */
  readonly endpoints: number;
  /** Memory of the functions, in MB. All have the same memory; if not, the largest is recorded. */
  readonly memory: number;
}

const FILE = join(import.meta.dirname, 'recorded.json');

export const readRecord = (): Recorded => JSON.parse(readFileSync(FILE, 'utf8')) as Recorded;

export const writeRecord = (recorded: Recorded): void => writeFileSync(FILE, `${JSON.stringify(recorded, null, 2)}\n`);

/** A recorded scenario with its name. */
export interface Row extends RecordedScenario {
  readonly name: string;
}

export const rowsOf = ({ scenarios }: Recorded): Row[] =>
  Object.entries(scenarios).map(([name, scenario]) => ({ name, ...scenario }));
