/** Shows what the workers of all endpoints cost, by day. */
import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import Skeleton from '@cloudscape-design/components/skeleton';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { Costs } from '../../api/management-types.ts';
import { every } from '../../api/polling.ts';
import { dollars } from '../../endpoint/cost.ts';
import { CostNote } from '../../endpoint/cost-note.tsx';
import { useClient } from '../../session/session.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Freshness } from '../../shell/freshness.tsx';
import { useChoice } from '../../shell/parameter.ts';
import { useTitle } from '../../shell/title.ts';
import { lastDays } from './days.ts';

// The page shows its heading and the sum before the code of the table is loaded.
const CostTable = lazy(() => import('./cost-table.tsx'));

const INTERVAL = 60_000;

const ranges = { '7d': 7, '30d': 30 } as const;

function useCosts(days: number) {
  const client = useClient();
  return useQuery({
    queryKey: ['costs', 'all', days],
    queryFn: ({ signal }) => {
      const now = Date.now();
      const since = `${lastDays(days, now).at(-1)}T00:00:00.000Z`;
      const query = { since, until: new Date(now).toISOString(), by: 'endpoint,day' };
      return client.json<Costs>('/v1/costs', { query, signal });
    },
    placeholderData: keepPreviousData,
    refetchInterval: every(INTERVAL),
  });
}

export default function Page() {
  const [range, setRange] = useChoice<keyof typeof ranges>('range', '7d', ['7d', '30d']);
  const days = ranges[range];
  const { data, error, dataUpdatedAt, isPlaceholderData, refetch } = useCosts(days);
  const costs = isPlaceholderData ? undefined : data;
  useTitle('Costs');
  return (
    <SpaceBetween size="s">
      <Header
        variant="h1"
        counter={costs && `(${dollars(costs.total.dollars.total)})`}
        description={
          <>
            <CostNote costs={costs} />
            <Freshness since={dataUpdatedAt} error={error} />
          </>
        }
        actions={
          <SegmentedControl
            label="Time of the costs"
            selectedId={range}
            options={[
              { id: '7d', text: '7 days' },
              { id: '30d', text: '30 days' },
            ]}
            onChange={({ detail }) => setRange(detail.selectedId)}
          />
        }
      >
        Costs
      </Header>
      {error && !costs ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Suspense fallback={<Skeleton height="320px" />}>
          <CostTable key={days} costs={costs} days={days} />
        </Suspense>
      )}
    </SpaceBetween>
  );
}
