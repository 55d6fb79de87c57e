/** Figures of the benchmark, their bounds, and their tables. */

import { table } from '../../../../bin/pages/aligned-table.ts';
import { median, percentile, verdict } from '../bounds.ts';
import { functionsOf, IDLE_IN_WORKERS, splitOf } from './attribution.ts';
import type { Load } from './load.ts';
import { PART, POLLS, productWork, timesByPart } from './parts.ts';
import type { TakenProfile } from './profiles.ts';
import type { Starts } from './starts.ts';

export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: 'ms' | 's' | '/s' | '';
  /** Bound of the value: at most, or at least for a rate. */
  readonly bound?: number;
}

export const isMet = ({ value, unit, bound }: Row): boolean =>
  bound === undefined || (unit === '/s' ? value >= bound : value <= bound);

const format = (value: number, unit: Row['unit']) => {
  const digits = Number.isInteger(value) && unit === '' ? 0 : unit === 's' ? 2 : 1;
  return `${value.toFixed(digits)}${unit === '' || unit === '/s' ? unit : ` ${unit}`}`;
};

/** Renders rows with their bounds. */
export const tableOf = (head: string, rows: readonly Row[]): string =>
  table(
    [head, 'measured', 'bound', ''],
    1,
    rows.map((row) => {
      const { what, value, unit, bound } = row;
      const limit =
        bound === undefined ? '' : `${unit === '/s' ? '≥' : '≤'} ${bound}${unit === '/s' ? unit : ` ${unit}`}`;
      return [what, format(value, unit), limit, bound === undefined ? '' : verdict(isMet(row))];
    }),
  );

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

/** Renders milliseconds per job and their share, the largest first. */
export function partsTable(head: string, times: ReadonlyMap<string, number>, jobs: number): string {
  const total = sum(times.values());
  const rows = [...times].sort(([, one], [, other]) => other - one);
  const line = (part: string, time: number) => [
    part,
    (time / jobs).toFixed(2),
    `${((100 * time) / Math.max(total, Number.MIN_VALUE)).toFixed(1)} %`,
  ];
  return table([head, 'ms per job', 'share'], 1, [...rows.map(([part, time]) => line(part, time)), line('all', total)]);
}

export function productRows({ counts, uses }: Load): Row[] {
  const { requests, agent, ledger } = productWork(timesByPart(uses.threads), counts);
  return [
    { what: `authorizer, /run and ${POLLS} polls`, value: requests, unit: 'ms' },
    { what: 'agent', value: agent, unit: 'ms' },
    { what: 'ledger', value: ledger, unit: 'ms' },
  ];
}

const perJob = ({ counts, uses }: Load): number =>
  sum(uses.threads.map(({ milliseconds }) => milliseconds)) / counts.jobs;

/** Returns the load whose time for a job is the median; undefined if there are none. */
export const middleOf = (loads: readonly Load[]): Load | undefined =>
  loads.toSorted((one, other) => perJob(one) - perJob(other))[Math.floor((loads.length - 1) / 2)];

/**
 * Returns each row with the median of its values.
 * @param all the rows of each measurement
 */
export const medianRows = (all: readonly (readonly Row[])[]): Row[] =>
  [...Map.groupBy(all.flat(), ({ what }) => what).values()].flatMap(([row, ...others]) =>
    row ? [{ ...row, value: median([row, ...others].map(({ value }) => value)) }] : [],
  );

/** @param load the first jobs after the warm-up */
export const firstRows = (load: Load): Row[] => [
  { what: `processor time of a job, first ${load.counts.jobs}`, value: perJob(load), unit: 'ms' },
];

export function loadRows(load: Load): Row[] {
  const { counts, seconds, times, uses, agents } = load;
  const runs = times.map(({ run }) => run);
  const totals = times.map(({ total }) => total);
  return [
    { what: 'jobs per second', value: counts.jobs / seconds, unit: '/s' },
    { what: 'processor time of a job', value: perJob(load), unit: 'ms' },
    { what: '/run, p50', value: median(runs), unit: 'ms' },
    { what: '/run, p99', value: percentile(runs, 0.99), unit: 'ms' },
    { what: 'submission to end, p50', value: median(totals), unit: 'ms' },
    { what: 'submission to end, p99', value: percentile(totals, 0.99), unit: 'ms' },
    { what: 'polls of a job', value: counts.polls / counts.jobs, unit: '' },
    { what: 'requests refused with 429', value: counts.refused, unit: '' },
    { what: 'workers', value: agents, unit: '' },
    ...(uses.ended === 0
      ? []
      : [{ what: 'threads that ended and are not counted', value: uses.ended, unit: '' as const }]),
  ];
}

export const runsyncRows = (times: readonly number[]): Row[] => [
  { what: 'lone /runsync, p50', value: median(times), unit: 'ms' },
];

export const pickUpRows = (times: readonly number[], rate: number): Row[] => [
  { what: `pick-up at ${rate.toFixed(1)} jobs/s, p50`, value: median(times), unit: 'ms', bound: 10 },
  { what: `pick-up at ${rate.toFixed(1)} jobs/s, p99`, value: percentile(times, 0.99), unit: 'ms', bound: 50 },
];

export const startRows = ({ first, second }: Starts): Row[] => [
  { what: 'npm start ready, first start', value: median(first) / 1_000, unit: 's', bound: 5 },
  { what: 'npm start ready, second start', value: median(second) / 1_000, unit: 's', bound: 1 },
];

/** Number of functions in the table of functions. */
const FUNCTIONS = 25;

/** Renders the time of the main thread by folder. The profile contains shares; the load without it, the time. */
export function splitTable(
  profiles: readonly TakenProfile[],
  times: ReadonlyMap<string, number>,
  jobs: number,
): string {
  const main = profiles.find(({ part }) => part === PART.main);
  const perJob = (share: number) => ((share * (times.get(PART.main) ?? 0)) / jobs).toFixed(2);
  const rows = main ? [...splitOf(main.profile)] : [];
  return table(
    [PART.main, 'own ms per job', 'with called code'],
    1,
    rows.map(([row, { self, withCalled }]) => [row, perJob(self), perJob(withCalled)]),
  );
}

/** Renders the functions with the most time of their own, of all profiled threads. */
export function functionsTable(
  profiles: readonly TakenProfile[],
  times: ReadonlyMap<string, number>,
  jobs: number,
): string {
  const rows = profiles.flatMap(({ part, profile }) => {
    const perJob = (times.get(part) ?? 0) / jobs;
    const isWorker = part !== PART.main && part !== PART.agent;
    const functions = functionsOf(profile, isWorker ? IDLE_IN_WORKERS : undefined);
    return functions.map(({ name, place, share }) => ({ part, name, place, time: share * perJob }));
  });
  const slowest = rows.toSorted((one, other) => other.time - one.time).slice(0, FUNCTIONS);
  return table(
    ['function', 'file', 'thread', 'own ms per job'],
    3,
    slowest.map(({ name, place, part, time }) => [name, place, part, time.toFixed(2)]),
  );
}
