/** Shows the releases of an endpoint, the newest first. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReleaseList } from '../../api/management-types.ts';
import { every, intervals } from '../../api/polling.ts';
import { releaseName } from '../../endpoint/release.ts';
import { ReleaseState } from '../../endpoint/release-label.tsx';
import { Sentence } from '../../endpoint/sentence.tsx';
import { useClient } from '../../session/session.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Freshness } from '../../shell/freshness.tsx';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import { Time } from '../../shell/time.tsx';
import { duration } from '../../units.ts';

type Row = ReleaseList['releases'][number];

function Took({ startedAt, endedAt }: Pick<Row, 'startedAt' | 'endedAt'>) {
  if (startedAt === undefined || endedAt === undefined) return '-';
  return <span className="number">{duration(Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)))}</span>;
}

const columns: readonly TableProps.ColumnDefinition<Row>[] = [
  {
    id: 'release',
    header: 'Release',
    isRowHeader: true,
    cell: (release) =>
      release.template === undefined ? (
        releaseName(release)
      ) : (
        <Link to={paths.template(release.template)}>{releaseName(release)}</Link>
      ),
  },
  { id: 'state', header: 'State', minWidth: 140, cell: ({ state }) => <ReleaseState state={state} /> },
  {
    id: 'started',
    header: 'Started',
    minWidth: 150,
    cell: ({ startedAt }) => (startedAt === undefined ? '-' : <Time at={startedAt} />),
  },
  { id: 'took', header: 'Took', cell: (release) => <Took {...release} /> },
  { id: 'revision', header: 'Revision', cell: ({ revision }) => revision ?? '-' },
  {
    id: 'reason',
    header: 'Reason',
    minWidth: 320,
    cell: ({ reason }) => (reason === undefined ? '-' : <Sentence text={reason} />),
  },
];

export default function ReleasesTab({ endpoint }: { readonly endpoint: string }) {
  const client = useClient();
  const query = useInfiniteQuery({
    queryKey: ['releases', endpoint],
    queryFn: ({ signal, pageParam }) =>
      client.json<ReleaseList>(`/v1/endpoints/${encodeURIComponent(endpoint)}/releases`, {
        query: { cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Each refresh requests all pages that are shown. With several pages, that would be too many requests.
    refetchInterval: (current) =>
      (current.state.data?.pages.length ?? 1) > 1 ? false : every(intervals.releases)(current),
  });
  const { data, error } = query;
  if (!data && error) return <Failure error={error} onRetry={() => void query.refetch()} />;
  return (
    <Table
      items={data?.pages.flatMap(({ releases }) => releases) ?? []}
      columnDefinitions={columns}
      loading={!data}
      loadingText="Loading releases"
      skeleton={{ totalRows: 3 }}
      contentDensity="compact"
      cellVerticalAlign="top"
      wrapLines
      header={
        <Header variant="h2" description={<Freshness since={query.dataUpdatedAt} error={error} />}>
          Releases
        </Header>
      }
      footer={
        query.hasNextPage && (
          <Box textAlign="center">
            <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Older releases
            </Button>
          </Box>
        )
      }
      ariaLabels={{ tableLabel: 'Releases' }}
      empty="No releases yet."
    />
  );
}
