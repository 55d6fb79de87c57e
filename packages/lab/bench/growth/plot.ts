/** Draws one small plot for each operation: its calls, units and milliseconds by size, on logarithmic axes. */
import { join } from 'node:path';
import type { Growth } from './growth.ts';
import type { Dimension } from './measure.ts';

const DIAGRAMS = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'diagrams');

export const plotFile = (dimension: Dimension): string => join(DIAGRAMS, `growth-with-${dimension}.svg`);

const COLUMNS = 5;
const [WIDTH, HEIGHT] = [176, 132];
/** Space around the plots, and between them. */
const [LEFT, TOP, GAP_X, GAP_Y] = [46, 68, 18, 46];
/** The value axis of all plots. */
const [MIN_VALUE, MAX_VALUE] = [0.5, 5_000];

/** In the order in which they are drawn. The line of calls has gaps, because it often covers that of units. */
const series = [
  { name: 'time', label: 'milliseconds, over emulators', of: 'ms' },
  { name: 'units', label: 'request units (WRU and RRU)', of: 'units' },
  { name: 'calls', label: 'AWS calls', of: 'calls' },
] as const;

const STYLE = `  <style>
    text { font-family: system-ui, sans-serif; font-size: 11px; fill: #374151 }
    .title { font-size: 13px; font-weight: 600; fill: #1f2937 }
    .start { text-anchor: start }
    .middle { text-anchor: middle }
    .end { text-anchor: end }
    .frame { fill: #f8fafc; stroke: #cbd5e1; stroke-width: 1 }
    .grid { stroke: #e2e8f0; stroke-width: 1 }
    .line { fill: none; stroke-width: 2 }
    .calls { stroke: #1d4ed8; fill: #1d4ed8; stroke-dasharray: 5 4 }
    .units { stroke: #047857; fill: #047857 }
    .time { stroke: #b45309; fill: #b45309 }
    .line.calls, .line.units, .line.time { fill: none }
    @media (prefers-color-scheme: dark) {
      text { fill: #cfd5df }
      .title { fill: #eceff4 }
      .frame { fill: #22262e; stroke: #4b5563 }
      .grid { stroke: #343a46 }
      .calls { stroke: #7aa7ff; fill: #7aa7ff }
      .units { stroke: #5fd3a2; fill: #5fd3a2 }
      .time { stroke: #f2b35e; fill: #f2b35e }
    }
  </style>`;

const log = Math.log10;
const round = (value: number) => Math.round(value * 10) / 10;
const short = (size: number) =>
  size >= 1_000_000 ? `${size / 1_000_000}M` : size >= 1_000 ? `${size / 1_000}k` : `${size}`;

/** Returns the class of a size below the axis, so that the labels of two plots do not overlap. */
function anchorOf(place: number, count: number): 'start' | 'middle' | 'end' {
  if (place === 0) return 'start';
  return place === count - 1 ? 'end' : 'middle';
}

function plotOf({ operation, rows }: Growth, left: number, top: number): string[] {
  const [first, last] = [rows[0]?.size ?? 1, rows.at(-1)?.size ?? 10];
  const x = (size: number) => round(left + (WIDTH * (log(size) - log(first))) / (log(last) - log(first)));
  const y = (value: number) => {
    const within = Math.min(MAX_VALUE, Math.max(MIN_VALUE, value));
    return round(top + HEIGHT - (HEIGHT * (log(within) - log(MIN_VALUE))) / (log(MAX_VALUE) - log(MIN_VALUE)));
  };
  const values = rows.map((row) => ({ size: row.size, calls: row.calls, units: row.wru + row.rru, ms: row.ms }));
  const grid = [1, 10, 100, 1_000].flatMap((value) => [
    `  <path class="grid" d="M${left} ${y(value)} H${left + WIDTH}" />`,
    ...(left === LEFT ? [`  <text class="end" x="${left - 6}" y="${y(value) + 4}">${short(value)}</text>`] : []),
  ]);
  const sizes = rows.map(
    ({ size }, n) =>
      `  <text class="${anchorOf(n, rows.length)}" x="${x(size)}" y="${top + HEIGHT + 15}">${short(size)}</text>`,
  );
  const lines = series.flatMap(({ name, of }) => [
    `  <path class="line ${name}" d="M${values.map((value) => `${x(value.size)} ${y(value[of])}`).join(' L')}" />`,
    ...values.map((value) => `  <circle class="${name}" cx="${x(value.size)}" cy="${y(value[of])}" r="2" />`),
  ]);
  return [
    `  <rect class="frame" x="${left}" y="${top}" width="${WIDTH}" height="${HEIGHT}" />`,
    `  <text class="title" x="${left}" y="${top - 7}">${operation}</text>`,
    ...grid,
    ...sizes,
    ...lines,
  ];
}

/** @returns an SVG file */
export function plot(growths: readonly Growth[], dimension: Dimension): string {
  const columns = Math.min(COLUMNS, growths.length);
  const width = LEFT + columns * (WIDTH + GAP_X);
  const height = TOP + Math.ceil(growths.length / COLUMNS) * (HEIGHT + GAP_Y);
  const what = dimension === 'jobs' ? 'waiting jobs of one endpoint' : 'endpoints';
  const legend = series.flatMap(({ name, label }, n) => [
    `  <path class="line ${name}" d="M${LEFT + 340 + n * 215} 20 h22" />`,
    `  <text x="${LEFT + 368 + n * 215}" y="24">${label}</text>`,
  ]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `  <title>Operations by the number of ${what}</title>`,
    STYLE,
    `  <text class="title" x="${LEFT}" y="24">By the number of ${what}</text>`,
    ...legend,
    ...growths.flatMap((growth, n) =>
      plotOf(growth, LEFT + (n % COLUMNS) * (WIDTH + GAP_X), TOP + Math.floor(n / COLUMNS) * (HEIGHT + GAP_Y)),
    ),
    '</svg>',
    '',
  ].join('\n');
}
