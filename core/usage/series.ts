/** The series of an endpoint: its jobs, its queue, its workers and its cost over time. */
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { type HistoryTimes, timesOf } from '../history/request.ts';
import { InvalidRequest } from '../requests/errors.ts';
import { isoTime } from '../requests/time.ts';
import { type QueryValue, validate } from '../requests/validation.ts';
import { type Histogram, percentilesOf } from './histogram.ts';
import { MAX_POINTS, steps } from './limits.ts';
import { mergeOf, readSpans, readSummedTo } from './read.ts';
import type { UsageSums } from './store.ts';
import { type SpanLength, type SpanRow, type Sums, spanLengths } from './sums.ts';

export interface SeriesRequest extends HistoryTimes {
  readonly endpoint: string;
  /** Length of the spans. */
  readonly step?: QueryValue | undefined;
}

const stepMust = `must be one of ${steps.join(', ')}`;
const stepSchema = z.enum(steps, stepMust);

export type UsagePorts = {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly usageSums: UsageSums;
};

/** Percentiles in milliseconds, each within 10 %. */
interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

function percentilesIn(histogram: Histogram): Percentiles | undefined {
  const [p50, p95, p99] = percentilesOf(histogram, [50, 95, 99] as const) ?? [];
  return p50 === undefined || p95 === undefined || p99 === undefined ? undefined : { p50, p95, p99 };
}

/** What happened in a span of time. */
export interface SeriesSums {
  /** Numbers of jobs that ended, by code; `COMPLETED` is one of them. */
  readonly ended: Readonly<Record<string, number>>;
  readonly requeued: number;
  /** Waits and run times of the jobs that ended; absent without such jobs. */
  readonly delayTime?: Percentiles | undefined;
  readonly executionTime?: Percentiles | undefined;
  /** Numbers of jobs and workers: means of samples, one a minute; absent without a sample. */
  readonly waiting?: number;
  readonly maxWaiting?: number;
  /** Longest wait of the oldest job in milliseconds. */
  readonly oldestWaiting?: number;
  readonly running?: number;
  readonly workers?: Readonly<Record<string, number>>;
  /** Workers that became ready, and the mean duration of each stage of their starts in milliseconds. */
  readonly ready: number;
  readonly stages: Readonly<Record<string, number>>;
  /** Time of workers in milliseconds, and its cost in US dollars; absent if no price is known. */
  readonly workerTime: Sums['time'];
  readonly dollars?: Sums['dollars'];
}

/** A span of time that begins at `from`, ISO 8601. */
export interface SeriesPoint extends SeriesSums {
  readonly from: string;
}

export interface Series {
  readonly step: SpanLength;
  /** Spans in which something happened, oldest first. */
  readonly points: readonly SeriesPoint[];
  readonly total: SeriesSums;
  /** Time up to which the spans contain the ends of jobs and the time of workers. */
  readonly summedTo: string;
}

const divided = (numbers: Readonly<Record<string, number>>, by: number) =>
  Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, rounded(number / by)]));

const rounded = (number: number) => Math.round(number * 1_000) / 1_000;

function summaryOf({ sums, samples: { count, ...samples } }: Omit<SpanRow, 'from'>): SeriesSums {
  const { ended, requeued, delay, run, ready, stages, time, dollars, unpriced } = sums;
  const isPriced = unpriced < time.busy + time.idle + time.starting;
  return {
    ended,
    requeued,
    delayTime: percentilesIn(delay),
    executionTime: percentilesIn(run),
    ...(count > 0 && {
      waiting: rounded(samples.waiting / count),
      maxWaiting: samples.maxWaiting,
      oldestWaiting: samples.oldestWaiting,
      running: rounded(samples.running / count),
      workers: divided(samples.workers, count),
    }),
    ready,
    stages: ready > 0 ? divided(stages, ready) : {},
    workerTime: time,
    ...(isPriced && { dollars }),
  };
}

/** Returns the shortest step of which the range has few enough. */
const stepFor = (range: number): SpanLength => steps.find((step) => range / spanLengths[step] <= MAX_POINTS) ?? 'day';

/**
 * Returns the series of an endpoint.
 *
 * Input: endpoint, times, step. Output: a point for each span in which something happened, and the sum of all.
 * @throws EndpointNotFound, InvalidRequest if the range has more than `MAX_POINTS` steps
 */
export async function series({ clock, endpoints, usageSums }: UsagePorts, request: SeriesRequest): Promise<Series> {
  const now = clock.now();
  const { from, to } = timesOf(request, now);
  const range = to - from;
  const step = request.step === undefined ? stepFor(range) : validate(stepSchema, request.step, 'step');
  if (range / spanLengths[step] > MAX_POINTS)
    throw new InvalidRequest(
      `A series has at most ${MAX_POINTS} points, got ${Math.ceil(range / spanLengths[step])} of step ${step}: use a longer step or a shorter time.`,
    );
  const { id } = await deployed({ endpoints }, request.endpoint);
  const summedTo = await readSummedTo({ clock, usageSums }, id);
  const rows = await readSpans(usageSums, id, step, { from, to, summedTo });
  return {
    step,
    points: rows.map(({ from: begin, ...row }) => ({ from: isoTime(begin), ...summaryOf(row) })),
    total: summaryOf(mergeOf(rows)),
    summedTo: isoTime(Math.min(now, summedTo)),
  };
}
