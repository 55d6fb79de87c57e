/** Shows charts of the endpoint's counts since the page was opened. The service stores no history yet. */
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import LineChart from '@cloudscape-design/components/line-chart';
import type { MixedLineBarChartProps } from '@cloudscape-design/components/mixed-line-bar-chart';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Endpoint } from '../../api/management-types.ts';
import { releaseName } from '../../endpoint/release.ts';
import { highest, type Sample, seenOf } from '../../endpoint/seen.ts';
import { Time } from '../../shell/time.tsx';
import { useTimes } from '../../times.ts';
import { count } from '../../units.ts';

type Series = MixedLineBarChartProps.LineDataSeries<Date> | MixedLineBarChartProps.ThresholdSeries<Date>;
type Measure = Exclude<keyof Sample, 'at'>;

interface Line {
  readonly measure: Measure;
  readonly title: string;
}

const charts: readonly { readonly title: string; readonly lines: readonly Line[] }[] = [
  {
    title: 'Jobs',
    lines: [
      { measure: 'waiting', title: 'Waiting' },
      { measure: 'running', title: 'Running' },
    ],
  },
  {
    title: 'Workers',
    lines: [
      { measure: 'ready', title: 'Ready' },
      { measure: 'starting', title: 'Starting' },
    ],
  },
];

/** Returns a mark for a release that began while the page was open. */
function markOf({ release }: Endpoint, first: number): Series[] {
  const at = release?.startedAt === undefined ? Number.NaN : Date.parse(release.startedAt);
  return release && at >= first
    ? [{ type: 'threshold', title: `Release ${releaseName(release)}`, x: new Date(at) }]
    : [];
}

export default function ChartsTab({ endpoint }: { readonly endpoint: Endpoint }) {
  const { timeOfDay } = useTimes();
  const samples = seenOf(endpoint.id);
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last || first === last)
    return (
      <Box padding="l" color="text-body-secondary">
        The charts appear in a few seconds, after the next update.
      </Box>
    );
  return (
    <SpaceBetween size="l">
      <Alert type="info">
        The charts begin at <Time at={first.at} short />, when you opened this page. The service stores no history, so a
        reload clears the charts.
      </Alert>
      <div className="charts">
        {charts.map(({ title, lines }) => (
          <Container key={title} header={<Header variant="h2">{title}</Header>}>
            <LineChart
              height={220}
              hideFilter
              xScaleType="time"
              xDomain={[new Date(first.at), new Date(last.at)]}
              yDomain={[
                0,
                highest(
                  samples,
                  lines.map(({ measure }) => measure),
                ),
              ]}
              xTickFormatter={(time) => timeOfDay(time.getTime())}
              yTickFormatter={count}
              ariaLabel={`${title} since you opened this page`}
              series={[
                ...lines.map(
                  ({ measure, title: name }): Series => ({
                    type: 'line',
                    title: name,
                    data: samples.map((sample) => ({ x: new Date(sample.at), y: sample[measure] })),
                    valueFormatter: count,
                  }),
                ),
                ...markOf(endpoint, first.at),
              ]}
            />
          </Container>
        ))}
      </div>
    </SpaceBetween>
  );
}
