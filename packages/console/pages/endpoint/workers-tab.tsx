/** Shows the reporting workers of an endpoint with their jobs. Workers that need attention are first. */
import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Endpoint, Worker } from '../../api/management-types.ts';
import { every, intervals } from '../../api/polling.ts';
import { releaseName } from '../../endpoint/release.ts';
import { workersOf } from '../../endpoint/use-endpoints.ts';
import { workerStates } from '../../endpoint/worker-counts.ts';
import { useClient } from '../../session/session.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Freshness } from '../../shell/freshness.tsx';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import { Time } from '../../shell/time.tsx';
import { byBadness, marksOf } from './worker.ts';

const signs: Readonly<Record<Worker['state'], readonly [StatusIndicatorProps.Type, string]>> = {
  INITIALIZING: ['pending', 'Starting'],
  IDLE: ['success', 'Idle'],
  RUNNING: ['in-progress', 'Running'],
  THROTTLED: ['warning', 'Held back'],
  UNHEALTHY: ['error', 'Unhealthy'],
};

function State({ worker: { state, since } }: { readonly worker: Worker }) {
  const [type, text] = signs[state];
  return (
    <>
      <StatusIndicator type={type} wrapText={false}>
        {text}
      </StatusIndicator>
      {since !== undefined && (
        <Box fontSize="body-s" color="text-body-secondary">
          since <Time at={since} />
        </Box>
      )}
    </>
  );
}

function WorkerRelease({ worker: { template, version, revision } }: { readonly worker: Worker }) {
  if (version === undefined && revision === undefined) return '-';
  const name = releaseName({ ...(version !== undefined && { version }), ...(revision !== undefined && { revision }) });
  return template === undefined ? name : <Link to={paths.template(template)}>{name}</Link>;
}

function Marks({ marks }: { readonly marks: ReturnType<typeof marksOf> }) {
  if (marks.length === 0) return '-';
  return marks.map(({ isBad, text }) => (
    <Box key={text} fontSize="body-s" color={isBad ? 'text-status-error' : 'text-body-secondary'}>
      {text}
    </Box>
  ));
}

const at = (time: string | undefined) => (time === undefined ? '-' : <Time at={time} />);

const columnsOf = ({ id: endpoint, release }: Endpoint): readonly TableProps.ColumnDefinition<Worker>[] => [
  {
    id: 'worker',
    header: 'Worker',
    isRowHeader: true,
    // As wide as an id, so that the columns do not move when the rows arrive.
    minWidth: 250,
    cell: ({ id }) => <span className="id">{id}</span>,
  },
  { id: 'state', header: 'State', minWidth: 200, cell: (worker) => <State worker={worker} /> },
  { id: 'ready', header: 'Ready since', minWidth: 150, cell: ({ readySince }) => at(readySince) },
  {
    id: 'seen',
    header: 'Last report',
    cell: ({ seenAt }) => (seenAt === undefined ? '-' : <Time at={seenAt} short />),
  },
  { id: 'release', header: 'Release', cell: (worker) => <WorkerRelease worker={worker} /> },
  {
    id: 'jobs',
    header: 'Jobs',
    minWidth: 280,
    cell: ({ jobs }) =>
      jobs.length === 0
        ? '-'
        : jobs.map((job) => (
            <div key={job}>
              <Link to={paths.job(endpoint, job)}>
                <span className="id">{job}</span>
              </Link>
            </div>
          )),
  },
  { id: 'marks', header: 'Remarks', minWidth: 180, cell: (worker) => <Marks marks={marksOf(worker, release)} /> },
];

export default function WorkersTab({ endpoint }: { readonly endpoint: Endpoint }) {
  const client = useClient();
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    ...workersOf(client, endpoint.id),
    refetchInterval: every(intervals.jobs),
  });
  const columns = useMemo(() => columnsOf(endpoint), [endpoint]);
  if (!data && error) return <Failure error={error} onRetry={() => void refetch()} />;
  const counted = workerStates(endpoint.health.workers).map(({ text }) => text);
  return (
    <Table
      items={data ? byBadness(data.workers) : []}
      columnDefinitions={columns}
      trackBy="id"
      loading={!data}
      loadingText="Loading workers"
      skeleton={{ totalRows: 3 }}
      contentDensity="compact"
      cellVerticalAlign="top"
      wrapLines
      header={
        <Header
          variant="h2"
          counter={data && `(${data.workers.length})`}
          description={
            <>
              Workers of the endpoint: {counted.length > 0 ? counted.join(', ') : 'none'}. The list omits workers that
              have not started yet. For a worker's output, open the log of a job.
              <Freshness since={dataUpdatedAt} error={error} />
            </>
          }
        >
          Workers
        </Header>
      }
      ariaLabels={{ tableLabel: 'Workers' }}
      empty={
        endpoint.minWorkers === 0
          ? 'No worker reports. The first job starts one.'
          : 'No worker reports, although minWorkers is not 0.'
      }
    />
  );
}
