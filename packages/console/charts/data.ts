/** What a chart shows. */
import type { Axes, Values } from './shapes.ts';

/** Names of colours in charts.css. */
export type Color = 'bad' | 'good' | 'quiet' | 'a' | 'b' | 'c' | 'd' | 'e' | 'f';

export interface Series {
  readonly title: string;
  readonly color: Color;
  readonly values: Values;
  /** Value of the whole time, which the legend shows while the pointer is elsewhere. */
  readonly total: number | undefined;
}

export interface ChartData {
  readonly title: string;
  /** What the totals are, such as `mean`. */
  readonly note?: string;
  /** `bars` are stacked. */
  readonly kind: 'bars' | 'lines';
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
}

export type MarkKind = 'release' | 'condition' | 'alarm' | 'change';

export interface Mark {
  readonly at: number;
  readonly kind: MarkKind;
  readonly title: string;
}

export interface Spans extends Pick<Axes, 'span' | 'starts' | 'step'> {}
