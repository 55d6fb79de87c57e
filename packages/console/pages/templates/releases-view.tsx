/** Shows the releases of an endpoint, the newest first. */
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReleaseList } from '../../api/management-types.ts';
import { Failure, NotUpdated } from '../../shell/failure.tsx';
import Table from '../../shell/table.tsx';
import { Time } from '../../shell/time.tsx';
import { useReleases } from '../../template/queries.ts';
import { ReleaseState } from '../../template/release-state.tsx';
import { duration } from '../../units.ts';

type ListedRelease = ReleaseList['releases'][number];

const LONG_AGO = '-';

const tookOf = ({ startedAt, endedAt }: ListedRelease) =>
  startedAt === undefined || endedAt === undefined ? LONG_AGO : duration(Date.parse(endedAt) - Date.parse(startedAt));

interface Props {
  readonly endpoint: string;
  /** Id of the template. Releases of other templates show the id of their template. */
  readonly template: string;
}

export function ReleasesView({ endpoint, template }: Props) {
  const { data, error, isPending, dataUpdatedAt, refetch } = useReleases(endpoint);
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <SpaceBetween size="s">
      {error && <NotUpdated error={error} since={dataUpdatedAt} />}
      <Table
        header={
          <Header variant="h2" description={data?.nextCursor && "The last 20. The endpoint's page lists all."}>
            Releases of {endpoint}
          </Header>
        }
        items={data?.releases ?? []}
        loading={isPending}
        loadingText="Loading releases"
        wrapLines
        ariaLabels={{ tableLabel: `Releases of ${endpoint}` }}
        empty="No releases yet"
        columnDefinitions={[
          {
            id: 'revision',
            header: 'Revision',
            isRowHeader: true,
            cell: ({ revision }) => (revision === undefined ? 'None' : String(revision)),
            width: 110,
          },
          { id: 'state', header: 'State', cell: (release) => <ReleaseState release={release} /> },
          {
            id: 'version',
            header: 'Version',
            cell: ({ version, template: of }) =>
              `${version === undefined ? '-' : `v${version}`}${of === undefined || of === template ? '' : ` of ${of}`}`,
            width: 140,
          },
          {
            id: 'started',
            header: 'Started',
            cell: ({ startedAt }) => (startedAt === undefined ? LONG_AGO : <Time at={startedAt} />),
            width: 200,
          },
          { id: 'took', header: 'Took', cell: tookOf, width: 110 },
        ]}
      />
    </SpaceBetween>
  );
}
