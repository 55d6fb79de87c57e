/** Lists jobs that have ended, also after their results have expired. */
import Header from '@cloudscape-design/components/header';
import { type ReactNode, useMemo } from 'react';
import type { EndedJob, EndedJobList } from '../../api/management-types.ts';
import { dollars } from '../../endpoint/cost.ts';
import { seen } from '../../json/display.ts';
import { Failure } from '../../shell/failure.tsx';
import { Freshness } from '../../shell/freshness.tsx';
import { Link } from '../../shell/link.tsx';
import { type JobsFilters, jobsPath, paths } from '../../shell/paths.ts';
import Table, { type TableProps } from '../../shell/table.tsx';
import { Time } from '../../shell/time.tsx';
import { duration } from '../../units.ts';
import { JobStatusLabel } from './job-status.tsx';
import { Older } from './older.tsx';
import type { Period } from './period.ts';
import { PeriodName } from './period-name.tsx';
import { usePages } from './use-pages.ts';
import { WorkerLink } from './worker-link.tsx';

const PAGE = 50;

const number = (text: string) => <span className="number">{text}</span>;

const columnsOf = (endpoint: string): readonly TableProps.ColumnDefinition<EndedJob>[] => [
  {
    id: 'job',
    header: 'Job',
    isRowHeader: true,
    minWidth: 300,
    cell: ({ id }) => (
      <Link to={paths.job(endpoint, id)}>
        <span className="id">{id}</span>
      </Link>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    minWidth: 240,
    cell: (job) => (
      <>
        <JobStatusLabel job={job} />
        {job.error !== undefined && <div className="anywhere error-line">{seen(job.error)}</div>}
      </>
    ),
  },
  { id: 'ended', header: 'Ended', minWidth: 110, cell: ({ endedAt }) => <Time at={endedAt} /> },
  { id: 'waited', header: 'Waited', cell: ({ delayTime }) => number(duration(delayTime)) },
  { id: 'ran', header: 'Ran', cell: ({ executionTime }) => number(duration(executionTime)) },
  {
    id: 'worker',
    header: 'Worker',
    minWidth: 125,
    cell: ({ worker }) => (worker === undefined ? '-' : <WorkerLink endpoint={endpoint} worker={worker} />),
  },
  { id: 'release', header: 'Revision', cell: ({ revision }) => revision ?? '-' },
  {
    id: 'key',
    header: 'Submitted by',
    minWidth: 130,
    cell: ({ key, owner }) =>
      key === undefined ? seen(owner) : <Link to={jobsPath({ endpoint, key })}>{seen(owner)}</Link>,
  },
  { id: 'cost', header: 'Cost', cell: (job) => (job.dollars === undefined ? '-' : number(dollars(job.dollars))) },
];

interface Props {
  readonly endpoint: string;
  readonly period: Period;
  readonly status?: string | undefined;
  readonly worker?: string;
  readonly title?: string;
  readonly filter?: ReactNode;
}

export function EndedJobs({ endpoint, period, status, worker, title = 'Jobs that have ended', filter }: Props) {
  const { pages, error, ...query } = usePages<EndedJobList>({
    path: '/v1/jobs',
    period,
    query: { endpoint, status, worker, limit: PAGE },
  });
  const columns = useMemo(
    () => columnsOf(endpoint).filter(({ id }) => id !== 'worker' || worker === undefined),
    [endpoint, worker],
  );
  if (!pages && error) return <Failure error={error} onRetry={() => void query.refetch()} />;
  const all: JobsFilters = { endpoint, status, worker, since: period.since ?? period.range.id, until: period.until };
  return (
    <Table
      items={pages?.flatMap(({ jobs }) => jobs) ?? []}
      columnDefinitions={columns}
      loading={!pages}
      loadingText="Loading jobs"
      skeleton={{ totalRows: 5 }}
      contentDensity="compact"
      cellVerticalAlign="top"
      wrapLines
      header={
        <Header
          variant="h2"
          description={
            <>
              <PeriodName period={period} />, newest first.{' '}
              <Link to={jobsPath(all)}>Filter by error, key or release</Link>
              <Freshness since={query.dataUpdatedAt} error={error} />
            </>
          }
        >
          {title}
        </Header>
      }
      filter={filter}
      footer={<Older {...query} />}
      ariaLabels={{ tableLabel: title }}
      empty="No job has ended in this time."
    />
  );
}
