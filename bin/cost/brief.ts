/** Renders the part of a bill that most readers need: the largest standing charges, the workers, and the sums. */
import { tableLines } from '../client/print.ts';
import { dollars } from '../pages/aligned-table.ts';
import type { Bill } from './bill.ts';
import { modes, NOT_PRICED, pricesOf, unpricedOf } from './tables.ts';
import type { WorkerHour } from './workers.ts';

/** US dollars a month below which a charge has no line of its own. */
const SMALL = 1;

interface Line {
  readonly what: string;
  readonly monthly: number;
}

/** Returns the sum of each kind of charge, the largest first, and one line for all small ones. */
function largestOf({ standing, standingTotal }: Bill): Line[] {
  const sums = [...Map.groupBy(standing, ({ what }) => what)].map(([what, charges]) => ({
    what,
    monthly: charges.reduce((sum, { monthly }) => sum + monthly, 0),
  }));
  const [large = [], small = []] = [true, false].map((isLarge) =>
    sums.filter(({ monthly }) => monthly >= SMALL === isLarge),
  );
  const rest = {
    what: `${small.length} smaller charges`,
    monthly: small.reduce((sum, { monthly }) => sum + monthly, 0),
  };
  return [
    ...large.toSorted((one, other) => other.monthly - one.monthly),
    ...(small.length > 0 ? [rest] : []),
    { what: 'total', monthly: standingTotal },
  ];
}

const hourly = (hour: number | undefined, count: number) =>
  hour === undefined ? NOT_PRICED : (hour * count).toFixed(4);

const workerLines = (workers: readonly WorkerHour[], width: number | undefined): string[] =>
  tableLines<WorkerHour>(
    [
      { head: 'ENDPOINT', text: ({ endpoint }) => endpoint },
      { head: 'A WORKER RUNS ON', text: ({ runsOn }) => runsOn, shrinks: 'end' },
      { head: 'WORKERS', text: ({ minWorkers, maxWorkers }) => `${minWorkers} to ${maxWorkers}`, isNumber: true },
      { head: '$/HOUR', text: ({ hour }) => hourly(hour, 1), isNumber: true },
      { head: 'MAX $/HOUR', text: ({ hour, maxWorkers }) => hourly(hour, maxWorkers), isNumber: true },
    ],
    workers,
    width,
  );

/** @param width of the terminal, if the text is for one */
export function renderBrief(bill: Bill, width: number | undefined): string {
  const standing = tableLines<Line>(
    [
      { head: 'WHILE NOTHING RUNS', text: ({ what }) => what, shrinks: 'end' },
      { head: '$/MONTH', text: ({ monthly }) => dollars(monthly), isNumber: true },
    ],
    largestOf(bill),
    width,
  );
  const jobs = bill.jobs.find(({ scenario }) => scenario === 'run');
  return [
    pricesOf(bill),
    '',
    ...standing,
    ...modes(bill),
    ...(bill.workers.length > 0 ? ['', ...workerLines(bill.workers, width)] : []),
    '',
    ...(jobs ? [`A million jobs cost $${dollars(jobs.published)} without their workers: ${jobs.title}.`] : []),
    ...unpricedOf(bill),
    'Each charge, other kinds of jobs, and prices of what is stored and moved: --all',
  ].join('\n');
}
