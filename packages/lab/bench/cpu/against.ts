/**
 * Compares the service with that of another checkout of the repository, such as the commit before a change. Both
 * benchmarks run in turn. A shared machine changes its speed meanwhile, so each figure is divided by the time of
 * DynamoDB's emulator in the same run, a program that this project does not change.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { table } from '../../../../bin/pages/aligned-table.ts';
import { median, verdict } from '../bounds.ts';
import { report } from '../command.ts';

/** Row of the benchmark that shows the speed of the machine, in milliseconds per job. */
const EMULATOR = 'emulator of DynamoDB (dynoxide)';

interface Figure {
  readonly what: string;
  readonly unit: 'ms' | '/s';
  /** Bound of the ratio: maximum of a time, minimum of a rate. */
  readonly bound?: number;
}

const figures: readonly Figure[] = [
  { what: 'processor time of a job', unit: 'ms', bound: 1.45 },
  { what: 'jobs per second', unit: '/s', bound: 0.7 },
  { what: 'lone /runsync, p50', unit: 'ms', bound: 1.35 },
  { what: 'authorizer, /run and 3 polls', unit: 'ms' },
  { what: 'agent', unit: 'ms' },
  { what: 'ledger', unit: 'ms' },
];

/** Values of one run, by the name of the row. */
export type Run = ReadonlyMap<string, number>;

/** Reads the rows of the benchmark's tables. A row that occurs twice keeps its last value, which has a unit. */
export function runFrom(text: string): Run {
  const rows = text.matchAll(/^\| (?<what>[^|]+?) +\| +(?<value>[\d.]+)(?: ms|\/s)? \|/gm);
  return new Map([...rows].map(({ groups }) => [groups?.what ?? '', Number(groups?.value)]));
}

/** @throws Error if the run lacks the row */
function figureOf(run: Run, what: string): number {
  const value = run.get(what);
  if (!value) throw new Error(`The benchmark printed no value for "${what}".`);
  return value;
}

export interface Comparison extends Figure {
  /** Medians of the runs. */
  readonly before: number;
  readonly after: number;
  /** Median of the ratios of the rounds, each value divided by the emulator's. */
  readonly ratio: number;
}

/** @param rounds the run of the other checkout and of this one, for each round */
export const compare = (rounds: readonly { readonly before: Run; readonly after: Run }[]): Comparison[] =>
  figures.map((figure) => {
    const value = (run: Run) => figureOf(run, figure.what);
    const relative = (run: Run) =>
      figure.unit === '/s' ? value(run) * figureOf(run, EMULATOR) : value(run) / figureOf(run, EMULATOR);
    return {
      ...figure,
      before: median(rounds.map(({ before }) => value(before))),
      after: median(rounds.map(({ after }) => value(after))),
      ratio: median(rounds.map(({ before, after }) => relative(after) / relative(before))),
    };
  });

export const isWithin = ({ unit, bound, ratio }: Comparison): boolean =>
  bound === undefined || (unit === '/s' ? ratio >= bound : ratio <= bound);

export const comparisonTable = (comparisons: readonly Comparison[]): string =>
  table(
    ['figure', 'before', 'after', 'ratio', 'bound', ''],
    1,
    comparisons.map((comparison) => {
      const { what, unit, bound, before, after, ratio } = comparison;
      const format = (value: number) => `${value.toFixed(1)}${unit === 'ms' ? ' ms' : unit}`;
      const limit = bound === undefined ? '' : `${unit === '/s' ? '≥' : '≤'} ${bound}`;
      const isMet = bound === undefined ? '' : verdict(isWithin(comparison));
      return [what, format(before), format(after), ratio.toFixed(2), limit, isMet];
    }),
  );

/** Runs the benchmark of the checkout with one load and the lone requests. */
async function runIn(folder: string, jobs: number, clients: number): Promise<Run> {
  const options = ['--only', 'load,runsync', '--loads', '1', '--jobs', String(jobs), '--clients', String(clients)];
  const parameters = ['packages/lab/bench/main.ts', 'cpu', ...options];
  try {
    return runFrom((await promisify(execFile)(process.execPath, parameters, { cwd: folder })).stdout);
  } catch (error) {
    // The benchmark also fails after it printed its figures, if an absolute bound is missed.
    const { stdout = '' } = error as { stdout?: string };
    if (!stdout.includes('lone /runsync')) throw error;
    return runFrom(stdout);
  }
}

/** @param folder the other checkout, whose dependencies are installed */
export async function compareWith(
  folder: string,
  { rounds, jobs, clients }: { rounds: number; jobs: number; clients: number },
): Promise<Comparison[]> {
  const runs: { before: Run; after: Run }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    report(`Round ${round} of ${rounds}: ${folder}, then this checkout ...`);
    runs.push({ before: await runIn(folder, jobs, clients), after: await runIn('.', jobs, clients) });
  }
  return compare(runs);
}
