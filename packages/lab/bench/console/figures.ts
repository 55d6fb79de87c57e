/** The figures of the browser, and whether they are within their limits. */

import { type Cell, table } from '../../../../bin/pages/aligned-table.ts';
import { median, percentile } from '../bounds.ts';

export interface Load {
  /** Milliseconds from the request of the page to its largest contentful paint. */
  readonly largestPaint: number;
  /** Sum of the time above 50 ms of each script task, over the load and ten refreshes, in milliseconds. */
  readonly blocking: number;
}

/** Milliseconds between two frames while a list is scrolled. */
export interface Frames {
  readonly p95: number;
  readonly longest: number;
}

export const BARS = { largestPaint: 2_000, blocking: 500, p95: 33, longest: 100 } as const;

const LONG_TASK = 50;

/** @param tasks durations of long tasks, in milliseconds */
export const blockingOf = (tasks: readonly number[]): number =>
  tasks.reduce((sum, task) => sum + Math.max(0, task - LONG_TASK), 0);

/** @param times times between two frames, in milliseconds */
export const framesOf = (times: readonly number[]): Frames => ({
  p95: percentile(times, 0.95),
  longest: percentile(times, 1),
});

export interface Table {
  readonly text: string;
  readonly isMet: boolean;
}

/** Returns the medians of the runs of each subject, as a Markdown table. */
function medians<Name extends keyof typeof BARS>(
  head: readonly string[],
  names: readonly Name[],
  runs: ReadonlyMap<string, readonly Readonly<Record<Name, number>>[]>,
): Table {
  let isMet = true;
  const rows = [...runs].map(([subject, measured]): Cell[] => {
    const values = names.map((name) => Math.round(median(measured.map((run) => run[name]))));
    const isRowMet = names.every((name, n) => (values[n] ?? Number.POSITIVE_INFINITY) <= BARS[name]);
    isMet &&= isRowMet;
    return [subject, ...values.map((value) => `${value} ms`), isRowMet ? 'met' : '**missed**'];
  });
  const bars: Cell[] = ['at most', ...names.map((name) => `${BARS[name]} ms`), ''];
  return { text: table(head, 1, [...rows, bars]), isMet };
}

export const loadTable = (runs: ReadonlyMap<string, readonly Load[]>): Table =>
  medians(['page', 'largest paint', 'blocked', ''], ['largestPaint', 'blocking'], runs);

export const frameTable = (runs: ReadonlyMap<string, readonly Frames[]>): Table =>
  medians(['list', 'frame, p95', 'longest', ''], ['p95', 'longest'], runs);
