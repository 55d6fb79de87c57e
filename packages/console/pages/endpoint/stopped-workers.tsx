/** Lists the workers that have stopped, also those that were never ready, and why. */
import type { EndedWorker, EndedWorkerList, Worker } from '../../api/management-types.ts';
import { dollars } from '../../endpoint/cost.ts';
import { seen } from '../../json/display.ts';
import { Failure } from '../../shell/failure.tsx';
import type { TableProps } from '../../shell/table.tsx';
import { duration } from '../../units.ts';
import { Older } from './older.tsx';
import type { Period } from './period.ts';
import { PeriodName } from './period-name.tsx';
import { TabTable } from './tab-table.tsx';
import type { usePages } from './use-pages.ts';
import { at, Marks, sharedColumns } from './worker-cells.tsx';

const PAGE = 50;

export const stoppedWorkers = (endpoint: string, period: Period) => ({
  path: `/v1/endpoints/${encodeURIComponent(endpoint)}/workers/ended`,
  period,
  query: { limit: PAGE },
});

/** Explains why a worker stopped. */
export function WhyStopped({ worker }: { readonly worker: EndedWorker }) {
  const { stopCode, reason, container, exitCode, readySince } = worker;
  const exit = exitCode === undefined ? '' : `${container ?? 'Container'} exited with code ${exitCode}. `;
  return (
    <span className="anywhere">
      {readySince === undefined && <Marks marks={[{ isBad: true, text: 'It was never ready.' }]} />}
      {exit}
      {seen(reason ?? stopCode ?? 'Unknown')}
    </span>
  );
}

const lifetimeOf = ({ createdAt, endedAt }: EndedWorker) =>
  createdAt === undefined ? '-' : duration(Math.max(0, Date.parse(endedAt) - Date.parse(createdAt)));

const columnsOf = (
  endpoint: string,
  all: Pick<Worker, 'completed' | 'failed'>,
): readonly TableProps.ColumnDefinition<EndedWorker>[] => {
  const { worker, done, error } = sharedColumns<EndedWorker>(endpoint, all);
  return [
    worker,
    { id: 'ended', header: 'Stopped', minWidth: 110, cell: ({ endedAt }) => at(endedAt) },
    { id: 'why', header: 'Why it stopped', minWidth: 260, cell: (one) => <WhyStopped worker={one} /> },
    { id: 'type', header: 'Instance', minWidth: 110, cell: ({ type, capacity }) => type ?? capacity ?? '-' },
    { id: 'revision', header: 'Revision', cell: ({ revision }) => revision ?? '-' },
    { id: 'lived', header: 'Lived', cell: lifetimeOf },
    done,
    error,
    { id: 'cost', header: 'Cost', cell: (one) => (one.dollars === undefined ? '-' : dollars(one.dollars)) },
  ];
};

interface Props {
  readonly endpoint: string;
  readonly period: Period;
  /** Query of the list, with which the tab also counts failures. */
  readonly query: ReturnType<typeof usePages<EndedWorkerList>>;
  readonly all: Pick<Worker, 'completed' | 'failed'>;
}

export function StoppedWorkers({ endpoint, period, query: { pages, error, ...query }, all }: Props) {
  if (!pages && error) return <Failure error={error} onRetry={() => void query.refetch()} />;
  return (
    <TabTable
      title="Stopped workers"
      what="stopped workers"
      items={pages?.flatMap(({ workers }) => workers)}
      columnDefinitions={columnsOf(endpoint, all)}
      trackBy="id"
      description={<PeriodName period={period} />}
      since={query.dataUpdatedAt}
      error={error}
      footer={<Older {...query} />}
      empty="No worker has stopped in this time."
    />
  );
}
