/**
 * Shows series over time. All charts of a page have one time axis, one cursor and one selection. Cloudscape's charts
 * draw bars only over categories, list each mark in their legends, and select no time.
 */
import './charts.css';
import { memo, type PointerEvent, useId, useMemo, useRef } from 'react';
import { useTimes } from '../times.ts';
import type { ChartData, Mark, Series, Spans } from './data.ts';
import { instantAt, percent, placeIn, type Span, ticksOf, topOf } from './scale.ts';
import { barPath, HEIGHT, indexAt, linePath, sumOf, type Values, WIDTH } from './shapes.ts';

interface Props {
  readonly data: ChartData;
  readonly spans: Spans;
  readonly marks: readonly Mark[];
  readonly selected: Span | undefined;
  /** Instant below the pointer, on this chart or another one. */
  readonly pointed: number | undefined;
  readonly onPoint: (at: number | undefined) => void;
  /** @param isOver whether the pointer was released; before, the selection is a preview */
  readonly onSelect: (span: Span, isOver: boolean) => void;
}

function stacked({ kind, series }: ChartData): readonly (Series & { readonly below: Values })[] {
  let below: Values = [];
  return series.map((one) => {
    const placed = { ...one, below };
    if (kind === 'bars') below = sumOf(one.values, below);
    return placed;
  });
}

/** Returns the highest point of the chart. */
const highestOf = (rows: ReturnType<typeof stacked>) =>
  Math.max(0, ...rows.flatMap(({ values, below }) => values.map((value, index) => (value ?? 0) + (below[index] ?? 0))));

interface DrawingProps extends Pick<ChartData, 'kind'> {
  readonly rows: ReturnType<typeof stacked>;
  readonly spans: Spans;
  readonly top: number;
}

const Drawing = memo(({ kind, rows, spans, top }: DrawingProps) => (
  <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
    {rows.map(({ title, color, values, below }) => (
      <path
        key={title}
        className={`chart-${kind} chart-color-${color}`}
        d={kind === 'bars' ? barPath(values, below, { ...spans, top }) : linePath(values, { ...spans, top })}
      />
    ))}
  </svg>
));

const Marks = memo(({ marks, span }: { readonly marks: readonly Mark[]; readonly span: Span }) =>
  // The newest mark is drawn last, and is visible where several are close.
  marks
    .toReversed()
    .map(({ at, kind, title }) => (
      <i
        key={`${at} ${title}`}
        className={`chart-mark chart-mark-${kind}`}
        style={{ insetInlineStart: percent(placeIn(span, at)) }}
      />
    )),
);

const TimeAxis = memo(({ span }: { readonly span: Span }) => {
  const { dateAndTime } = useTimes();
  const shown = (at: number) => dateAndTime(at);
  const offset = Date.parse(`${shown(span.from).replace(' ', 'T')}Z`) - Math.floor(span.from / 1000) * 1000;
  const ticks = ticksOf(span, offset);
  const isDays = ticks.every((at) => shown(at).endsWith('00:00:00'));
  return (
    <div className="chart-axis" aria-hidden="true">
      {ticks.map((at) => {
        const place = placeIn(span, at);
        if (place > 0.94 || place < 0.02) return null;
        return (
          <span key={at} style={{ insetInlineStart: percent(place) }}>
            {isDays ? shown(at).slice(5, 10) : shown(at).slice(11, 16)}
          </span>
        );
      })}
    </div>
  );
});

/** A shorter movement of the pointer is a click. */
const MIN_DRAG = 6;

export function Chart({ data, spans, marks, selected, pointed, onPoint, onSelect }: Props) {
  const id = useId();
  /** Where the pointer went down; NaN while it is up. */
  const drag = useRef(Number.NaN);
  const { span, starts, step } = spans;
  const { title, note, series, format } = data;
  // The pointer of any chart renders all of them, and a chart has up to 1,440 spans.
  const rows = useMemo(() => stacked(data), [data]);
  const top = useMemo(() => topOf(highestOf(rows)), [rows]);
  const index = pointed === undefined ? undefined : indexAt(pointed, starts, step);

  const placeOf = (event: PointerEvent<HTMLDivElement>, x = event.clientX) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return (x - left) / width;
  };
  function select(event: PointerEvent<HTMLDivElement>, isOver: boolean): void {
    const from = drag.current;
    const isDrag = Math.abs(event.clientX - from) >= MIN_DRAG;
    if (!isDrag) return;
    const [start, end] = [from, event.clientX].toSorted((a, b) => a - b).map((x) => instantAt(span, placeOf(event, x)));
    if (start !== undefined && end !== undefined) onSelect({ from: start, to: end }, isOver);
  }

  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption id={id}>
        {title}
        {note !== undefined && <small> {note}</small>}
      </figcaption>
      <div
        className="chart-plot"
        onPointerDown={(event) => {
          if (event.button !== 0 || event.pointerType === 'touch') return;
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = event.clientX;
        }}
        onPointerMove={(event) => {
          onPoint(instantAt(span, placeOf(event)));
          select(event, false);
        }}
        onPointerUp={(event) => {
          select(event, true);
          drag.current = Number.NaN;
        }}
        onPointerCancel={() => {
          drag.current = Number.NaN;
        }}
        onPointerLeave={() => onPoint(undefined)}
      >
        <span className="chart-top number" aria-hidden="true">
          {format(top)}
        </span>
        {selected && (
          <span
            className="chart-selected"
            style={{
              insetInlineStart: percent(placeIn(span, selected.from)),
              insetInlineEnd: percent(1 - placeIn(span, selected.to)),
            }}
          />
        )}
        <Drawing kind={data.kind} rows={rows} spans={spans} top={top} />
        <Marks marks={marks} span={span} />
        {pointed !== undefined && (
          <i className="chart-cursor" style={{ insetInlineStart: percent(placeIn(span, pointed)) }} />
        )}
      </div>
      <TimeAxis span={span} />
      <ul className="chart-legend">
        {series.map(({ title: name, color, values, total }) => {
          const value = index === undefined ? (pointed === undefined ? total : undefined) : values[index];
          return (
            <li key={name}>
              <i className={`chart-color-${color}`} /> {name}{' '}
              <b className="number">{value === undefined ? '-' : format(value)}</b>
            </li>
          );
        })}
      </ul>
    </figure>
  );
}
