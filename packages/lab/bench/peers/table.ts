/** Renders what was measured as Markdown. */

import { type Cell, table } from '../../../../bin/pages/aligned-table.ts';
import { placeOf } from '../../../../bin/pages/document-section.ts';
import { asOf, readPrices } from '../../../../lib/prices/prices.ts';
import { KILL_JOBS, type Kill, STUCK_AFTER } from './kills.ts';
import { CLIENTS, type Figures } from './load.ts';
import { CONCURRENCY, PRICED_POLLS } from './peer.ts';

/** The section of docs/explanation/alternatives.md with the tables. */
export const peersPlace = placeOf(
  'explanation/alternatives.md',
  'peers',
  'npm run bench -w packages/lab -- peers --record',
);

export interface Row {
  readonly title: string;
  readonly settings: readonly string[];
  /** Why the peer was not measured. */
  readonly absent?: string;
  readonly figures?: Figures;
  /** US dollars for a million jobs. */
  readonly dollars?: number | undefined;
  readonly kills: readonly Kill[];
}

/** Returns the ratio with two significant digits, such as `21 x` or `0.0048 x`. */
function ratioText(ratio: number): string {
  if (ratio >= 10) return `${ratio.toFixed(0)} x`;
  return `${ratio >= 0.1 ? ratio.toFixed(2) : Number(ratio.toPrecision(2))} x`;
}

/** Returns the value with its ratio to the base, such as `520 (21 x)`. Without a base, returns the value. */
export function withRatio(value: number, base: number | undefined, digits: number): string {
  const text = value.toFixed(digits);
  if (base === undefined || base === 0) return text;
  return `${text} (${ratioText(value / base)})`;
}

const figureColumns: readonly (readonly [title: string, value: (figures: Figures) => number, digits: number])[] = [
  ['jobs/s', ({ jobsPerSecond }) => jobsPerSecond, 1],
  ['CPU s per 1,000 jobs', ({ secondsPer1000 }) => secondsPer1000, 2],
  ['RSS, MB', ({ memory }) => memory.rss, 0],
  ['PSS, MB', ({ memory }) => memory.pss, 0],
  ['p50, ms', ({ p50 }) => p50, 0],
  ['p99, ms', ({ p99 }) => p99, 0],
];

function figuresTable(rows: readonly Row[]): string {
  const base = rows[0]?.figures;
  return table(
    ['peer', ...figureColumns.map(([title]) => title), '$ per million jobs'],
    1,
    rows.map(({ title, figures, dollars }): Cell[] => [
      title,
      ...figureColumns.map(([, value, digits]) =>
        figures ? withRatio(value(figures), base && value(base), digits) : 'not measured',
      ),
      dollars?.toFixed(2) ?? '-',
    ]),
  );
}

const killsTable = (rows: readonly Row[]): string =>
  table(
    ['peer', 'killed part', 'acknowledged', 'lost', 'doubled', 'stuck', 'submissions that failed', 'all ended after'],
    2,
    rows.flatMap(({ title, kills }) =>
      kills.map(({ part, acknowledged, lost, doubled, stuck, resubmitted, seconds }) => [
        ...[title, part, acknowledged, lost, doubled, stuck, resubmitted],
        seconds === undefined ? 'never' : `${seconds.toFixed(1)} s`,
      ]),
    ),
  );

export interface Circumstances {
  readonly date: string;
  readonly jobs: number;
  readonly processors: number;
  /** Mean number of other processes that wanted a processor in the minute before the run. */
  readonly load: number;
}

/** Breaks lines at 120 columns, as `npm run format` does not for Markdown. */
function wrap(text: string, indent = ''): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= 120) lines[lines.length - 1] = longer;
    else lines.push(`${indent}${word}`);
  }
  return lines.join('\n');
}

/** @returns Markdown */
export function render(rows: readonly Row[], { date, jobs, processors, load }: Circumstances): string {
  const prices = readPrices();
  const absent = rows.flatMap(({ title, absent: reason }) =>
    reason === undefined ? [] : [`Not measured: ${title}. ${reason}`],
  );
  return [
    wrap(
      `Measured on ${date} on a machine with ${processors} processors and a load of ${load.toFixed(1)} before the run: ${jobs} jobs without work, ${CLIENTS} clients, ` +
        `${CONCURRENCY} jobs at a time. In parentheses: the ratio to the first row. Prices of ${prices.region} as of ` +
        `${asOf(prices.perMillion)}, with ${PRICED_POLLS} polls per job.`,
    ),
    ...absent.map((line) => wrap(line)),
    figuresTable(rows),
    `For each kill, ${KILL_JOBS} acknowledged jobs. A job is stuck if it has not ended ${STUCK_AFTER / 1_000} s after ` +
      'the kill.',
    killsTable(rows),
    'Versions and settings:',
    rows
      .filter(({ settings }) => settings.length > 0)
      .map(({ title, settings }) => wrap(`- ${title}: ${settings.join('; ')}`, '  '))
      .join('\n'),
  ].join('\n\n');
}
