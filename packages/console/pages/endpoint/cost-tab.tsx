/** Shows what the workers of an endpoint cost, by day and by API key. */
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import type { Costs } from '../../api/management-types.ts';
import { every } from '../../api/polling.ts';
import { dollars } from '../../endpoint/cost.ts';
import { costColumns } from '../../endpoint/cost-columns.tsx';
import { CostNote } from '../../endpoint/cost-note.tsx';
import { seen } from '../../json/display.ts';
import { useClient } from '../../session/session.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Freshness } from '../../shell/freshness.tsx';
import { Link } from '../../shell/link.tsx';
import { jobsPath } from '../../shell/paths.ts';
import Table from '../../shell/table.tsx';
import { HOUR } from '../../units.ts';
import { type Period, ranges, timesOf } from './period.ts';
import { PeriodName } from './period-name.tsx';

const INTERVAL = 60_000;

/** Costs are summed by hour, so the period is extended to whole hours. */
const wholeHour = (at: string, round: (value: number) => number) =>
  new Date(round(Date.parse(at) / HOUR) * HOUR).toISOString();

/** Days say little about a time of hours, so the tab shows a week instead. */
const daysOf = (period: Period): Period =>
  period.since === undefined && period.range.length < ranges[2].length ? { ...period, range: ranges[2] } : period;

function useCosts(endpoint: string, by: 'day' | 'key', period: Period) {
  const client = useClient();
  return useQuery({
    queryKey: ['costs', endpoint, by, period.range.id, period.since, period.until],
    queryFn: ({ signal }) => {
      const { since, until } = timesOf(period);
      const times = { since: wholeHour(since, Math.floor), until: until && wholeHour(until, Math.ceil) };
      return client.json<Costs>('/v1/costs', { query: { endpoint, by, ...times }, signal });
    },
    refetchInterval: every(INTERVAL),
  });
}

interface Props {
  readonly endpoint: string;
  readonly period: Period;
}

export default function CostTab({ endpoint, period: asked }: Props) {
  const period = daysOf(asked);
  const days = useCosts(endpoint, 'day', period);
  const keys = useCosts(endpoint, 'key', period);
  const error = days.error ?? keys.error;
  if (!days.data && error) return <Failure error={error} onRetry={() => void days.refetch()} />;
  const total = days.data?.total;
  const today = new Date().toISOString().slice(0, 10);
  return (
    <SpaceBetween size="l">
      <Table
        items={days.data?.costs.toSorted((a, b) => ((a.day ?? '') < (b.day ?? '') ? 1 : -1)) ?? []}
        columnDefinitions={[
          {
            id: 'day',
            header: 'Day (UTC)',
            isRowHeader: true,
            minWidth: 130,
            cell: ({ day }) => (day === today ? `${day}, so far` : (day ?? '-')),
          },
          ...costColumns,
        ]}
        loading={!days.data}
        loadingText="Loading costs"
        skeleton={{ totalRows: 7 }}
        contentDensity="compact"
        wrapLines
        header={
          <Header
            variant="h2"
            counter={total && `(${dollars(total.dollars.total)})`}
            description={
              <>
                <PeriodName period={period} />. <CostNote costs={days.data} />
                <Freshness since={days.dataUpdatedAt} error={error} />
              </>
            }
          >
            Cost by day
          </Header>
        }
        ariaLabels={{ tableLabel: 'Cost by day' }}
        empty="No worker has run in this time."
      />
      <Table
        items={keys.data?.costs ?? []}
        columnDefinitions={[
          {
            id: 'key',
            header: 'API key or user',
            isRowHeader: true,
            minWidth: 200,
            cell: ({ key }) => {
              if (key === undefined) return 'No job: idle and starting workers';
              return key.startsWith('user ') ? (
                seen(key)
              ) : (
                <Link to={jobsPath({ endpoint, key, since: period.since ?? period.range.id, until: period.until })}>
                  <span className="id">{key}</span>
                </Link>
              );
            },
          },
          ...costColumns,
        ]}
        loading={!keys.data}
        loadingText="Loading costs"
        skeleton={{ totalRows: 3 }}
        contentDensity="compact"
        wrapLines
        header={<Header variant="h2">Cost by API key</Header>}
        ariaLabels={{ tableLabel: 'Cost by API key' }}
        empty="No job has run in this time."
      />
    </SpaceBetween>
  );
}
