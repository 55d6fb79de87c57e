/** Shows all endpoints, their problems and the cost of the current workers. */
import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import Skeleton from '@cloudscape-design/components/skeleton';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { lazy, Suspense } from 'react';
import type { Endpoint } from '../../api/management-types.ts';
import { dollars } from '../../endpoint/cost.ts';
import { costFigure } from '../../endpoint/cost-figure.tsx';
import { useEndpoints } from '../../endpoint/use-endpoints.ts';
import { Failure } from '../../shell/failure.tsx';
import { type Figure, Figures } from '../../shell/figures.tsx';
import { Freshness } from '../../shell/freshness.tsx';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import { useTitle } from '../../shell/title.ts';
import { count } from '../../units.ts';
import { isUnused, totalsOf } from './matching.ts';
import { dollarsToday } from './recent.ts';
import { type Row, rowOf } from './trouble.ts';
import { useAlarms, useRecent } from './use-recent.ts';

// The page shows the sums before the code of the table is loaded.
const EndpointTable = lazy(() => import('./endpoint-table.tsx'));
const AlarmLine = lazy(() => import('../../endpoint/alarm-line.tsx'));
const firstSteps = () => import('./first-steps.tsx');
const DeclareEndpoint = lazy(async () => ({ default: (await firstSteps()).DeclareEndpoint }));
const FirstJob = lazy(async () => ({ default: (await firstSteps()).FirstJob }));

function figuresOf(rows: readonly Row[] | undefined): Figure[] {
  const endpoints = rows?.map(({ endpoint }) => endpoint);
  const totals = rows && totalsOf(rows);
  const today = endpoints && dollarsToday(endpoints);
  const trouble = totals && (
    <Box
      color={totals.trouble > 0 ? 'text-status-error' : 'inherit'}
      variant="span"
      fontSize="heading-l"
      fontWeight="bold"
    >
      {count(totals.trouble)}
    </Box>
  );
  return [
    { label: 'With problems', value: trouble },
    { label: 'Jobs waiting', value: totals && count(totals.waiting) },
    { label: 'Jobs running', value: totals && count(totals.running) },
    { label: 'Workers ready', value: totals && count(totals.workers) },
    {
      label: 'Spent today',
      value: endpoints && (today === undefined ? '-' : dollars(today)),
      note: <Link to={paths.costs()}>Costs by day</Link>,
    },
    costFigure(endpoints),
  ];
}

function Content({ rows }: { readonly rows: readonly Row[] | undefined }) {
  const [first] = rows ?? [];
  if (rows && !first) return <DeclareEndpoint />;
  return (
    <SpaceBetween size="l">
      <EndpointTable endpoints={rows} />
      {rows && first && isUnused(rows.map(({ endpoint }) => endpoint)) && <FirstJob endpoint={first.id} />}
    </SpaceBetween>
  );
}

export default function Page() {
  const { data, error, dataUpdatedAt, refetch } = useEndpoints();
  const withRecent = useRecent();
  const alarms = useAlarms();
  const endpoints: readonly Endpoint[] | undefined = data && withRecent(data.endpoints);
  const rows = endpoints?.map((endpoint) => rowOf(endpoint, alarms.alarms ?? []));
  const trouble = rows ? totalsOf(rows).trouble : 0;
  useTitle(trouble > 0 ? `${trouble} with problems` : 'Endpoints');

  return (
    <SpaceBetween size="s">
      <Header variant="h1" description={<Freshness since={dataUpdatedAt} error={error} />}>
        Endpoints
      </Header>
      {error && !data ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <SpaceBetween size="s">
          <Figures figures={figuresOf(rows)} />
          <Suspense fallback={<div className="alarms" />}>
            <AlarmLine {...alarms} />
          </Suspense>
          <Suspense fallback={<Skeleton height="320px" />}>
            <Content rows={rows} />
          </Suspense>
        </SpaceBetween>
      )}
    </SpaceBetween>
  );
}
