/** Shows all endpoints, their problems and the cost of the current workers. */
import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import Skeleton from '@cloudscape-design/components/skeleton';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { lazy, Suspense } from 'react';
import type { Endpoint } from '../../api/management-types.ts';
import { costFigure } from '../../endpoint/cost-figure.tsx';
import { useEndpoints } from '../../endpoint/use-endpoints.ts';
import { Failure } from '../../shell/failure.tsx';
import { type Figure, Figures } from '../../shell/figures.tsx';
import { Freshness } from '../../shell/freshness.tsx';
import { useTitle } from '../../shell/title.ts';
import { count } from '../../units.ts';
import { isUnused, totalsOf } from './matching.ts';

// The page shows the sums before the code of the table is loaded.
const EndpointTable = lazy(() => import('./endpoint-table.tsx'));
const firstSteps = () => import('./first-steps.tsx');
const DeclareEndpoint = lazy(async () => ({ default: (await firstSteps()).DeclareEndpoint }));
const FirstJob = lazy(async () => ({ default: (await firstSteps()).FirstJob }));

function figuresOf(endpoints: readonly Endpoint[] | undefined): Figure[] {
  const totals = endpoints && totalsOf(endpoints);
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
    costFigure(endpoints),
  ];
}

function Content({ endpoints }: { readonly endpoints: readonly Endpoint[] | undefined }) {
  const [first] = endpoints ?? [];
  if (endpoints && !first) return <DeclareEndpoint />;
  return (
    <SpaceBetween size="l">
      <EndpointTable endpoints={endpoints} />
      {endpoints && first && isUnused(endpoints) && <FirstJob endpoint={first.id} />}
    </SpaceBetween>
  );
}

export default function Page() {
  const { data, error, dataUpdatedAt, refetch } = useEndpoints();
  const endpoints = data?.endpoints;
  const trouble = endpoints ? totalsOf(endpoints).trouble : 0;
  useTitle(trouble > 0 ? `${trouble} with problems` : 'Endpoints');

  return (
    <SpaceBetween size="l">
      <Header variant="h1" description={<Freshness since={dataUpdatedAt} error={error} />}>
        Endpoints
      </Header>
      {error && !data ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <SpaceBetween size="l">
          <Figures figures={figuresOf(endpoints)} />
          <Suspense fallback={<Skeleton height="320px" />}>
            <Content endpoints={endpoints} />
          </Suspense>
        </SpaceBetween>
      )}
    </SpaceBetween>
  );
}
