/** Renders what a load saturates as Markdown tables. */

import { type Cell, table } from '../pages/aligned-table.ts';
import { placeOf } from '../pages/document-section.ts';
import type { Quotas } from './quotas.ts';
import type { Group, Row, Saturation } from './saturation.ts';

/** The section of docs/reference/quotas.md with the tables. */
export const quotasPlace = placeOf('reference/quotas.md', 'saturation', 'npx gpu-endpoints saturation --record');

/** Formats a number with three digits. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return 'all';
  if (value >= 1_000) return Math.round(Number(value.toPrecision(3))).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}

const percent = (use: number) => (Number.isFinite(use) ? `${shown(100 * use)} %` : 'quota is 0');
const adjustable = (row: Pick<Row, 'adjustable'>) => (row.adjustable ? 'yes' : 'no');
const what = ({ service, name, of }: Pick<Row, 'service' | 'name' | 'of'>): Cell[] => [service, name, of];

const SHOWN_FROM = 0.1;

/** Returns one row for each quota, the most used first. */
export function quotaTable({ rows }: Saturation, all: boolean): string {
  const some = all ? rows : rows.filter(({ use }) => use >= SHOWN_FROM);
  if (some.length === 0) return `The load uses less than ${100 * SHOWN_FROM} % of each quota; --all shows all.`;
  return table(
    ['service', 'what', 'of each', 'adjustable', 'demand', 'quota', 'used', 'used up at jobs/s'],
    4,
    some.map((row) => [
      ...what(row),
      adjustable(row),
      shown(row.demand),
      shown(row.value),
      percent(row.use),
      row.reachedAt === undefined ? '' : row.value === 0 ? '0' : shown(row.reachedAt),
    ]),
  );
}

const subjects: Readonly<Record<Group, string>> = {
  jobs: 'More jobs of the same endpoints',
  workers: 'Their workers',
  endpoints: 'More endpoints',
};

function firstOf(group: Group, row: Row | undefined): string {
  if (!row) return `${subjects[group]} reach no quota.`;
  const rate = row.value === 0 ? 'which is 0' : `at ${shown(row.reachedAt ?? 0)} jobs/s`;
  const at = row.reachedAt === undefined ? `${percent(row.use)} used` : rate;
  return `${subjects[group]} first reach ${row.service}, ${row.name} (each ${row.of}): ${at}. Next step: ${row.next}.`;
}

/** Returns the sentences about what is reached first. */
export const firsts = ({ first }: Saturation): string[] =>
  (['jobs', 'workers', 'endpoints'] as const).map((group) => firstOf(group, first[group]));

export function render(saturation: Saturation, all: boolean): string {
  const { load, jobsPerDay, workers } = saturation;
  const exceeded = saturation.rows.filter(({ use }) => use > 1).length;
  return [
    `${shown(load.jobsPerSecond)} jobs a second (${shown(jobsPerDay)} a day) of ${load.endpoints} endpoints, on ` +
      `${shown(workers)} workers, ${exceeded === 0 ? 'exceed no quota' : `exceed ${exceeded} of ${saturation.rows.length} quotas`}.`,
    '',
    ...firsts(saturation),
    '',
    quotaTable(saturation, all),
  ].join('\n');
}

const useIn = ({ rows }: Saturation, id: string) => rows.find((row) => row.id === id)?.use ?? 0;

/** Returns a table of all quotas that the loads use, with a column for each rate. The most used quota is the first. */
function gridOf(saturations: readonly Saturation[], group: Group): string {
  const largest = saturations.at(-1);
  const rows = (largest?.rows ?? []).filter((row) => row.group === group && row.use > 0);
  return table(
    [
      'service',
      'what',
      'of each',
      'adjustable',
      'quota',
      ...saturations.map(({ load }) => `${shown(load.jobsPerSecond)}/s`),
    ],
    4,
    rows.map((row) => [
      ...what(row),
      adjustable(row),
      shown(row.value),
      ...saturations.map((one) => percent(useIn(one, row.id))),
    ]),
  );
}

/** Returns the rows that more jobs use up, the first of them first. */
const inOrder = ({ rows }: Saturation): Row[] =>
  rows
    .filter(({ group, reachedAt }) => group === 'jobs' && reachedAt !== undefined)
    .toSorted((one, other) => (one.reachedAt ?? 0) - (other.reachedAt ?? 0));

const STEPS = 3;
const reached = (row: Row | undefined): Cell[] =>
  row ? [`${row.service}: ${row.name}`, shown(row.reachedAt ?? 0)] : ['none', ''];

/** Returns a table of what is used up first, second and third, whatever the rate. */
const stepsTable = (saturations: readonly Saturation[]): string =>
  table(
    ['endpoints', 'jobs', 'first', 'at jobs/s', 'second', 'at jobs/s', 'third', 'at jobs/s'],
    8,
    saturations.map((one) => [
      one.load.endpoints,
      `\`${one.load.kind}\``,
      ...inOrder(one).slice(0, STEPS).flatMap(reached),
    ]),
  );

const ratesTable = (saturations: readonly Saturation[]): string =>
  table(
    [
      'jobs a second',
      'jobs a day',
      'workers',
      'exceeded quotas',
      'most exceeded, apart from workers',
      'used',
      'next step',
    ],
    0,
    saturations.map((one) => {
      const exceeded = one.rows.filter(({ group, use }) => group === 'jobs' && use > 1);
      const [worst] = exceeded;
      return [
        ...[shown(one.load.jobsPerSecond), shown(one.jobsPerDay), shown(one.workers)],
        one.rows.filter(({ use }) => use > 1).length,
        ...(worst ? [`${worst.service}: ${worst.name}`, percent(worst.use), worst.next] : ['none', '', '']),
      ];
    }),
  );

/** Returns a table of the quotas of which each endpoint uses a part, whatever its jobs. */
const endpointsTable = ([first]: readonly Saturation[]): string =>
  table(
    ['service', 'what', 'of each', 'adjustable', 'demand', 'quota', 'used'],
    4,
    (first?.rows ?? [])
      .filter(({ group }) => group === 'endpoints')
      .map((row) => [...what(row), adjustable(row), shown(row.demand), shown(row.value), percent(row.use)]),
  );

const sourcesTable = (quotas: Quotas): string =>
  table(
    ['name', 'service', 'date', 'source'],
    4,
    Object.entries(quotas).map(([id, { service, date, source }]) => [`\`${id}\``, service, date, source]),
  );

export interface Documented {
  /** Loads whose first limits are shown. */
  readonly firsts: readonly Saturation[];
  /** The same load with growing rates. */
  readonly rates: readonly Saturation[];
  readonly quotas: Quotas;
  /** Day of the record of calls. */
  readonly date: string;
}

/** @returns the tables of docs/reference/quotas.md */
export function renderDocument({ firsts: loads, rates, quotas, date }: Documented): string {
  const [{ load } = { load: undefined }] = rates;
  return [
    `From the calls of a job as of ${date}, and the default quotas of us-east-1.`,
    '',
    '## What is used up first?',
    '',
    stepsTable(loads),
    '',
    `## A hundred to a million jobs a second, of ${load?.endpoints.toLocaleString('en')} endpoints`,
    '',
    `Each job runs for ${load?.jobSeconds} s on a GPU instance with ${load?.vcpus} vCPUs, one job at a time.`,
    '',
    ratesTable(rates),
    '',
    '## Quotas that depend on the jobs',
    '',
    gridOf(rates, 'jobs'),
    '',
    '## Quotas that depend on the workers',
    '',
    gridOf(rates, 'workers'),
    '',
    '## Quotas that depend on the number of endpoints',
    '',
    endpointsTable(rates),
    '',
    '## Sources',
    '',
    sourcesTable(quotas),
  ].join('\n');
}
