/** Draws the series of a chart as SVG paths, in a box that is `WIDTH` wide and `HEIGHT` high. */
import { placeIn, type Span } from './scale.ts';

export const WIDTH = 1000;
export const HEIGHT = 100;

/** A value for each span of time in which something happened; undefined if there is none for the span. */
export type Values = readonly (number | undefined)[];

export interface Axes {
  readonly span: Span;
  /** Start of each value's span, ascending. */
  readonly starts: readonly number[];
  /** Length of the spans. */
  readonly step: number;
  /** Value at the top. */
  readonly top: number;
}

const short = (number: number) => Math.round(number * 100) / 100;
const yOf = (value: number, top: number) => short(HEIGHT - (Math.min(value, top) / top) * HEIGHT);

/**
 * Draws a line that is level during each span. Spans without a value interrupt the line; a single value is still
 * visible.
 */
export function linePath(values: Values, { span, starts, step, top }: Axes): string {
  let end = Number.NaN;
  return values
    .flatMap((value, index) => {
      const start = starts[index];
      if (value === undefined || start === undefined || start >= span.to || start + step <= span.from) return [];
      const [from, to] = [start, start + step].map((at) => short(placeIn(span, at) * WIDTH));
      const move = start === end ? 'L' : 'M';
      end = start + step;
      return [`${move}${from} ${yOf(value, top)}H${to}`];
    })
    .join('');
}

/** Draws a bar for each value, on top of the bars below. */
export function barPath(values: Values, below: Values, { span, starts, step, top }: Axes): string {
  return values
    .flatMap((value, index) => {
      const start = starts[index];
      if (!value || start === undefined || start >= span.to || start + step <= span.from) return [];
      const [left, right] = [start, start + step].map((at) => placeIn(span, at) * WIDTH) as [number, number];
      const gap = (right - left) * 0.12;
      const base = below[index] ?? 0;
      return [
        `M${short(left + gap)} ${yOf(base, top)}V${yOf(base + value, top)}H${short(right - gap)}V${yOf(base, top)}Z`,
      ];
    })
    .join('');
}

/** Adds the values of each span. */
export const sumOf = (one: Values, other: Values): Values =>
  one.map((value, index) => (value ?? 0) + (other[index] ?? 0));

/** Returns the index of the span that contains the instant. */
export function indexAt(at: number, starts: readonly number[], step: number): number | undefined {
  const index = starts.findLastIndex((start) => start <= at);
  return index >= 0 && at < (starts[index] ?? 0) + step ? index : undefined;
}
