/** Shows the workers of an endpoint: those that live, those that have stopped, or one of them. */
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { EndedWorkerList, Endpoint, Worker } from '../../api/management-types.ts';
import { every, intervals } from '../../api/polling.ts';
import { releaseName } from '../../endpoint/release.ts';
import { workersOf } from '../../endpoint/use-endpoints.ts';
import { workerStates } from '../../endpoint/worker-counts.ts';
import { useClient } from '../../session/session.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Link } from '../../shell/link.tsx';
import { useParameters } from '../../shell/parameter.ts';
import { paths } from '../../shell/paths.ts';
import type { TableProps } from '../../shell/table.tsx';
import { Time } from '../../shell/time.tsx';
import type { Period } from './period.ts';
import { StoppedWorkers, stoppedWorkers } from './stopped-workers.tsx';
import { TabTable } from './tab-table.tsx';
import { usePages } from './use-pages.ts';
import { byBadness, marksOf } from './worker.ts';
import { at, Marks, sharedColumns } from './worker-cells.tsx';
import { sumOf } from './worker-share.ts';
import { State } from './worker-state.tsx';
import { WorkerView } from './worker-view.tsx';

function WorkerRelease({ worker: { template, version, revision } }: { readonly worker: Worker }) {
  if (version === undefined && revision === undefined) return '-';
  const name = releaseName({ ...(version !== undefined && { version }), ...(revision !== undefined && { revision }) });
  return template === undefined ? name : <Link to={paths.template(template)}>{name}</Link>;
}

function columnsOf(
  { id: endpoint, release }: Endpoint,
  all: Pick<Worker, 'completed' | 'failed'>,
): readonly TableProps.ColumnDefinition<Worker>[] {
  const { worker, done, error } = sharedColumns<Worker>(endpoint, all);
  return [
    worker,
    {
      id: 'state',
      header: 'State',
      minWidth: 190,
      cell: (one) => (
        <>
          <State worker={one} />
          <Marks marks={marksOf(one, release)} />
        </>
      ),
    },
    { id: 'ready', header: 'Ready since', minWidth: 110, cell: ({ readySince }) => at(readySince) },
    { id: 'seen', header: 'Last report', cell: ({ seenAt }) => <Time at={seenAt} short /> },
    { id: 'release', header: 'Release', cell: (one) => <WorkerRelease worker={one} /> },
    {
      id: 'jobs',
      header: 'Running jobs',
      minWidth: 130,
      cell: ({ jobs }) =>
        jobs.length === 0
          ? '-'
          : jobs.map((job) => (
              <div key={job}>
                <Link to={paths.job(endpoint, job)}>
                  <span className="id" title={job}>
                    {job.slice(0, 12)}…
                  </span>
                </Link>
              </div>
            )),
    },
    done,
    error,
  ];
}

interface Props {
  readonly endpoint: Endpoint;
  readonly period: Period;
}

export default function WorkersTab({ endpoint, period }: Props) {
  const client = useClient();
  const [parameters] = useParameters();
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    ...workersOf(client, endpoint.id),
    refetchInterval: every(intervals.jobs),
  });
  const stopped = usePages<EndedWorkerList>(stoppedWorkers(endpoint.id, period));
  const ended = useMemo(() => stopped.pages?.flatMap(({ workers }) => workers) ?? [], [stopped.pages]);
  const all = useMemo(() => sumOf([...(data?.workers ?? []), ...ended]), [data, ended]);
  const columns = useMemo(() => columnsOf(endpoint, all), [endpoint, all]);
  if (!data && error) return <Failure error={error} onRetry={() => void refetch()} />;
  const wanted = parameters.get('worker');
  if (wanted !== null && data && stopped.pages)
    return (
      <WorkerView
        endpoint={endpoint.id}
        id={wanted}
        living={data.workers.find(({ id }) => id === wanted)}
        stopped={ended.find(({ id }) => id === wanted)}
        period={period}
      />
    );
  const counted = workerStates(endpoint.health.workers).map(({ text }) => text);
  return (
    <SpaceBetween size="l">
      <TabTable
        title="Workers"
        what="workers"
        items={data && byBadness(data.workers)}
        columnDefinitions={columns}
        trackBy="id"
        isCounted
        description={
          <>
            Now: {counted.length > 0 ? counted.join(', ') : 'none'}. The list omits workers that have not started yet. A
            worker that fails over three times as often as all workers is marked.
          </>
        }
        since={dataUpdatedAt}
        error={error}
        empty={
          endpoint.minWorkers === 0
            ? 'No worker reports. The first job starts one.'
            : 'No worker reports, although minWorkers is not 0.'
        }
      />
      <StoppedWorkers endpoint={endpoint.id} period={period} query={stopped} all={all} />
    </SpaceBetween>
  );
}
