/** Shows the releases of an endpoint, who caused them and what they changed, and rolls back to one of them. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Endpoint, EndpointEvent, ReleaseList } from '../../api/management-types.ts';
import { every } from '../../api/polling.ts';
import { releaseName } from '../../endpoint/release.ts';
import { ReleaseState } from '../../endpoint/release-label.tsx';
import { Sentence } from '../../endpoint/sentence.tsx';
import { seen } from '../../json/display.ts';
import { useClient } from '../../session/session.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Link } from '../../shell/link.tsx';
import { jobsPath, paths } from '../../shell/paths.ts';
import { PermittedButton } from '../../shell/permitted-button.tsx';
import type { TableProps } from '../../shell/table.tsx';
import { Time } from '../../shell/time.tsx';
import { fields, isField } from '../../template/fields.ts';
import { duration } from '../../units.ts';
import { isIn, type Period, ranges } from './period.ts';
import { changeOf } from './release-change.ts';
import { TabTable } from './tab-table.tsx';
import { useEvents } from './use-history.ts';

const RollbackDialog = lazy(() => import('./rollback-dialog.tsx'));

const INTERVAL = 15_000;

type Row = ReleaseList['releases'][number];

function Took({ startedAt, endedAt }: Pick<Row, 'startedAt' | 'endedAt'>) {
  if (startedAt === undefined || endedAt === undefined) return '-';
  return <span className="number">{duration(Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)))}</span>;
}

const labelOf = (name: string) => (isField(name) ? fields[name].label : name);

function Change({ release, events }: { readonly release: Row; readonly events: readonly EndpointEvent[] }) {
  const change = changeOf(release, events);
  if (!change) return <Box color="text-body-secondary">A deployment from Git, or a repetition</Box>;
  const { by, reason } = change;
  return (
    <>
      {by && `${by.kind === 'key' ? 'Key' : 'User'} ${seen(by.name)}: `}
      {change.fields.map(labelOf).join(', ')}
      {reason !== undefined && <Box color="text-body-secondary">{seen(reason)}</Box>}
    </>
  );
}

function columnsOf(
  endpoint: string,
  current: number | undefined,
  events: readonly EndpointEvent[],
  onRollback: (release: Row) => void,
): readonly TableProps.ColumnDefinition<Row>[] {
  return [
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
    {
      id: 'change',
      header: 'Who changed what',
      minWidth: 240,
      cell: (release) => <Change release={release} events={events} />,
    },
    {
      id: 'revision',
      header: 'Revision',
      minWidth: 130,
      cell: ({ revision }) =>
        revision === undefined ? (
          '-'
        ) : (
          <Link to={jobsPath({ endpoint, release: revision, status: 'FAILED,TIMED_OUT', since: '7d' })}>
            {revision}, its failures
          </Link>
        ),
    },
    {
      id: 'reason',
      header: 'Reason',
      minWidth: 240,
      cell: ({ reason }) => (reason === undefined ? '-' : <Sentence text={reason} />),
    },
    {
      id: 'rollback',
      header: 'Action',
      minWidth: 110,
      cell: (release) =>
        release.revision === undefined || release.state === 'ROLLED_BACK' || release.revision === current ? (
          '-'
        ) : (
          <PermittedButton
            operation="rollback"
            variant="inline-link"
            ariaLabel={`Roll back to ${releaseName(release)}, revision ${release.revision}`}
            onClick={() => onRollback(release)}
          >
            Roll back
          </PermittedButton>
        ),
    },
  ];
}

interface Props {
  readonly endpoint: string;
  /** Undefined while it loads. */
  readonly details: Endpoint | undefined;
  readonly period: Period;
}

export default function ReleasesTab({ endpoint, details, period }: Props) {
  const client = useClient();
  const [chosen, setChosen] = useState<Row | undefined>(undefined);
  // Releases are listed for 90 days, and so are their changes.
  const events = useEvents(endpoint, ranges[3]);
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
    refetchInterval: (current) => ((current.state.data?.pages.length ?? 1) > 1 ? false : every(INTERVAL)(current)),
  });
  const { data, error } = query;
  if (!data && error) return <Failure error={error} onRetry={() => void query.refetch()} />;
  const current = details?.running?.revision ?? details?.release?.revision;
  return (
    <>
      <TabTable
        title="Releases"
        what="releases"
        items={data?.pages.flatMap(({ releases }) => releases).filter(({ startedAt }) => isIn(period, startedAt))}
        columnDefinitions={columnsOf(endpoint, current, events.data?.events ?? [], setChosen)}
        description="The author of a deployment is in Git. To undo a deployment, revert its commit and deploy."
        since={query.dataUpdatedAt}
        error={error}
        footer={
          query.hasNextPage && (
            <Box textAlign="center">
              <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                Older releases
              </Button>
            </Box>
          )
        }
        empty={period.since === undefined ? 'No releases yet.' : 'No release began in the selected time.'}
      />
      {chosen && (
        <Suspense>
          <RollbackDialog endpoint={endpoint} release={chosen} onClose={() => setChosen(undefined)} />
        </Suspense>
      )}
    </>
  );
}
