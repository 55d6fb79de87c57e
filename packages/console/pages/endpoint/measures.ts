/** Derives the charts of an endpoint from its series. */
import type { EndpointSeries, SeriesTotal } from '../../api/management-types.ts';
import type { ChartData, Color, Series } from '../../charts/data.ts';
import { dollars } from '../../endpoint/cost.ts';
import { duration } from '../../units.ts';

/** Returns a value of a span of time, or of the whole time. */
type Measure = (sums: SeriesTotal) => number | undefined;

const seriesOf = ({ points, total }: EndpointSeries, title: string, color: Color, measure: Measure): Series => ({
  title,
  color,
  values: points.map(measure),
  total: measure(total),
});

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const number = (value: number) => numbers.format(value);

/** Colours of the codes of failures, the most frequent first. */
const FAILURES: readonly Color[] = ['bad', 'e', 'd', 'b', 'f'];

const endedWith =
  (code: string): Measure =>
  ({ ended }) =>
    ended[code] ?? 0;

/** Ends by code: failures at the bottom, where small numbers are visible, and completed jobs above them. */
function ends(series: EndpointSeries): readonly Series[] {
  const codes = Object.entries(series.total.ended)
    .toSorted(([, a], [, b]) => b - a)
    .map(([code]) => code);
  const failures = codes.filter((code) => code !== 'COMPLETED');
  const shown = failures.slice(0, FAILURES.length);
  const rest = failures.slice(FAILURES.length);
  return [
    ...shown.map((code, index) => seriesOf(series, code, FAILURES[index] ?? 'quiet', endedWith(code))),
    ...(rest.length > 0
      ? [
          seriesOf(series, 'other codes', 'quiet', ({ ended }) =>
            rest.reduce((sum, code) => sum + (ended[code] ?? 0), 0),
          ),
        ]
      : []),
    seriesOf(series, 'COMPLETED', 'good', endedWith('COMPLETED')),
  ];
}

const states = [
  ['RUNNING', 'running', 'a'],
  ['IDLE', 'idle', 'good'],
  ['INITIALIZING', 'starting', 'e'],
  ['THROTTLED', 'held back', 'quiet'],
  ['UNHEALTHY', 'unhealthy', 'bad'],
] as const;

const stages = [
  ['QUEUED', 'requested', 'quiet'],
  ['INSTANCE', 'instance', 'a'],
  ['BOOT', 'boot', 'c'],
  ['IMAGE', 'image', 'e'],
  ['WORKER', 'container', 'd'],
] as const;

const shares = [
  ['busy', 'busy', 'a'],
  ['idle', 'idle', 'good'],
  ['starting', 'starting', 'e'],
] as const;

/** Returns the charts in their order. The first four are shown initially. */
export function chartsOf(series: EndpointSeries): readonly ChartData[] {
  const of = (title: string, color: Color, measure: Measure) => seriesOf(series, title, color, measure);
  return [
    { title: 'Jobs ended', kind: 'bars', format: number, series: ends(series) },
    {
      title: 'Waited before the start',
      kind: 'lines',
      format: duration,
      series: [
        of('p50', 'c', ({ delayTime }) => delayTime?.p50),
        of('p95', 'a', ({ delayTime }) => delayTime?.p95),
        of('p99', 'd', ({ delayTime }) => delayTime?.p99),
      ],
    },
    {
      title: 'Waiting jobs',
      kind: 'lines',
      format: number,
      series: [of('mean', 'a', ({ waiting }) => waiting), of('max', 'e', ({ maxWaiting }) => maxWaiting)],
    },
    {
      title: 'Workers',
      note: 'mean',
      kind: 'bars',
      format: number,
      series: states.map(([state, title, color]) =>
        of(title, color, ({ workers }) => workers && (workers[state] ?? 0)),
      ),
    },
    {
      title: 'Run time',
      kind: 'lines',
      format: duration,
      series: [
        of('p50', 'c', ({ executionTime }) => executionTime?.p50),
        of('p95', 'a', ({ executionTime }) => executionTime?.p95),
      ],
    },
    {
      title: 'Oldest waiting job',
      kind: 'lines',
      format: duration,
      series: [of('longest', 'e', ({ oldestWaiting }) => oldestWaiting)],
    },
    {
      title: 'Cold starts',
      note: 'mean of each stage',
      kind: 'bars',
      format: duration,
      series: stages.map(([stage, title, color]) => of(title, color, (sums) => sums.stages[stage])),
    },
    {
      title: 'Cost of workers',
      kind: 'bars',
      format: dollars,
      series: shares.map(([share, title, color]) => of(title, color, (sums) => sums.dollars?.[share])),
    },
  ];
}
