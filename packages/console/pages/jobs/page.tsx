/** Shows the jobs of all endpoints that have ended, with filters in the address. */
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Skeleton from '@cloudscape-design/components/skeleton';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { EndedJobList } from '../../api/management-types.ts';
import { useClient } from '../../session/session.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Freshness } from '../../shell/freshness.tsx';
import { useParameters } from '../../shell/parameter.ts';
import { jobsPath } from '../../shell/paths.ts';
import { useTitle } from '../../shell/title.ts';
import { Controls } from './controls.tsx';
import { filtersIn, queryOf } from './filters.ts';

const JobTable = lazy(() => import('./job-table.tsx'));
const SaveDialog = lazy(() => import('./save-dialog.tsx'));

/** Jobs per page. */
const PAGE = 50;

export default function Page() {
  const client = useClient();
  const [parameters, change] = useParameters();
  const [isSaving, setSaving] = useState(false);
  const filters = filtersIn(parameters);
  const { data, error, dataUpdatedAt, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: ['ended-jobs', filters],
      queryFn: ({ pageParam, signal }) =>
        client.json<EndedJobList>('/v1/jobs', {
          query: { ...queryOf(filters, Date.now()), limit: PAGE, cursor: pageParam },
          signal,
        }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ nextCursor }) => nextCursor,
      // The pages that follow would be read again with the first.
      refetchOnWindowFocus: false,
    });
  useTitle('Jobs', filters.endpoint ?? '');
  return (
    <SpaceBetween size="m">
      <Header
        variant="h1"
        description={<Freshness since={dataUpdatedAt} error={data ? error : null} />}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={() => setSaving(true)}>Save as link</Button>
            <Button iconName="refresh" loading={isFetching && !isFetchingNextPage} onClick={() => void refetch()}>
              Refresh
            </Button>
          </SpaceBetween>
        }
      >
        Jobs
      </Header>
      <Controls filters={filters} onChange={change} />
      {error && !data ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Suspense fallback={<Skeleton height="320px" />}>
          <JobTable
            pages={data?.pages}
            filters={filters}
            more={hasNextPage ? () => void fetchNextPage() : undefined}
            isReading={isFetchingNextPage}
          />
        </Suspense>
      )}
      {isSaving && (
        <Suspense>
          <SaveDialog address={jobsPath(filters)} onDismiss={() => setSaving(false)} />
        </Suspense>
      )}
    </SpaceBetween>
  );
}
