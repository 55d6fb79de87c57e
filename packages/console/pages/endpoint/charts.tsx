/** Shows what happened on an endpoint over time, and selects the time that the tabs show. */
import './charts.css';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import { useMemo, useState } from 'react';
import { Chart } from '../../charts/chart.tsx';
import type { Span } from '../../charts/scale.ts';
import { indexAt } from '../../charts/shapes.ts';
import { Failure, NotUpdated } from '../../shell/failure.tsx';
import { useChoice, useParameters } from '../../shell/parameter.ts';
import { Time } from '../../shell/time.tsx';
import { useTimes } from '../../times.ts';
import { MINUTE } from '../../units.ts';
import { MarkList } from './mark-list.tsx';
import { marksOf } from './marks.ts';
import { chartsOf } from './measures.ts';
import { periodOf, ranges, stepLengths } from './period.ts';
import { PeriodFields } from './period-fields.tsx';
import { SeriesTable } from './series-table.tsx';
import { type useAlarms, useEvents, type useSeries } from './use-history.ts';

/** Charts that are shown initially. */
const FEW = 4;

/** A selection is rounded to minutes, so that the address is short. */
const iso = (at: number) => new Date(Math.round(at / MINUTE) * MINUTE).toISOString();

function spanOf(since: string | undefined, until: string | undefined, span: Span): Span | undefined {
  if (since === undefined && until === undefined) return undefined;
  return {
    from: since === undefined ? span.from : Date.parse(since),
    to: until === undefined ? span.to : Date.parse(until),
  };
}

interface Props {
  readonly endpoint: string;
  readonly query: ReturnType<typeof useSeries>;
  readonly alarms: ReturnType<typeof useAlarms>;
}

export default function Charts({ endpoint, query, alarms }: Props) {
  const [parameters, change] = useParameters();
  const [amount, setAmount] = useChoice('charts', 'few', ['few', 'all']);
  const period = periodOf(parameters);
  const events = useEvents(endpoint, period.range);
  const { dateAndTime } = useTimes();
  const [pointed, setPointed] = useState<number | undefined>(undefined);
  const [preview, setPreview] = useState<Span | undefined>(undefined);
  const [isTable, setTable] = useState(false);
  const { data, error } = query;
  const charts = useMemo(() => (data ? chartsOf(data.series) : []), [data]);
  const spans = useMemo(
    () =>
      data && {
        span: data.span,
        starts: data.series.points.map(({ from }) => Date.parse(from)),
        step: stepLengths[data.series.step],
      },
    [data],
  );
  const marks = useMemo(
    () => (data ? marksOf(endpoint, events.data?.events ?? [], alarms.data?.alarms ?? [], data.span.from) : []),
    [data, events.data, alarms.data, endpoint],
  );
  const select = (since: string | undefined, until: string | undefined) => change({ since, until, cursor: undefined });

  /** Describes what is below the pointer. */
  function pointedText(): string {
    if (pointed === undefined || !spans || !data) return 'Drag over a chart to select the time that the tabs show.';
    const index = indexAt(pointed, spans.starts, spans.step);
    const near = marks.find(({ at }) => Math.abs(at - pointed) < (data.span.to - data.span.from) / 80);
    const start = index === undefined ? undefined : spans.starts[index];
    return [dateAndTime(start ?? pointed), start !== undefined && `${data.series.step}`, near?.title]
      .filter(Boolean)
      .join(' · ');
  }

  if (!data && error !== null) return <Failure error={error} onRetry={() => void query.refetch()} />;
  const shown = amount === 'all' ? charts : charts.slice(0, FEW);
  return (
    <section className="history" aria-label={`The ${period.range.name}`}>
      <div className="history-bar">
        <SegmentedControl
          label="Time of the charts"
          selectedId={period.range.id}
          options={ranges.map(({ id, text }) => ({ id, text }))}
          onChange={({ detail }) =>
            change({
              range: detail.selectedId === '24h' ? undefined : detail.selectedId,
              since: undefined,
              until: undefined,
              cursor: undefined,
            })
          }
        />
        <PeriodFields key={`${period.since} ${period.until}`} period={period} onChange={select} />
        <Button onClick={() => setAmount(amount === 'all' ? 'few' : 'all')}>
          {amount === 'all' ? 'Fewer charts' : 'All charts'}
        </Button>
      </div>
      {error !== null && <NotUpdated error={error} since={query.dataUpdatedAt} />}
      <div className="history-pointed" aria-hidden="true">
        <Box fontSize="body-s" color="text-body-secondary">
          {pointedText()}
        </Box>
      </div>
      <div className={`charts charts-${amount}`}>
        {spans &&
          shown.map((chart) => (
            <Chart
              key={chart.title}
              data={chart}
              spans={spans}
              marks={marks}
              selected={preview ?? spanOf(period.since, period.until, spans.span)}
              pointed={pointed}
              onPoint={setPointed}
              onSelect={(span, isOver) => {
                setPreview(isOver ? undefined : span);
                if (isOver) select(iso(span.from), iso(span.to));
              }}
            />
          ))}
      </div>
      {data && (
        <Box fontSize="body-s" color="text-body-secondary">
          Jobs and cost are summed up to <Time at={data.series.summedTo} />. Percentiles are within 10 %.
        </Box>
      )}
      <ExpandableSection headerText={`Marks (${marks.length}): releases, conditions, alarms and changes`}>
        {events.error !== null && <Failure error={events.error} />}
        {alarms.error !== null && <Failure error={alarms.error} />}
        <MarkList marks={marks} onSince={(at) => select(iso(at), undefined)} />
        {events.data?.nextCursor !== undefined && (
          <Box color="text-body-secondary">
            Earlier events than <Time at={events.data.readTo} /> are not read.
          </Box>
        )}
      </ExpandableSection>
      <ExpandableSection
        headerText="Numbers of the charts"
        expanded={isTable}
        onChange={({ detail }) => setTable(detail.expanded)}
      >
        {isTable && spans && <SeriesTable charts={charts} starts={spans.starts} />}
      </ExpandableSection>
    </section>
  );
}
