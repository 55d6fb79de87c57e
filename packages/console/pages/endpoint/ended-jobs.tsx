/** Lists jobs that have ended, also after their results have expired. */
import { type ReactNode, useMemo } from 'react';
import type { EndedJob, EndedJobList } from '../../api/management-types.ts';
import { dollars } from '../../endpoint/cost.ts';
import { seen } from '../../json/display.ts';
import { Failure } from '../../shell/failure.tsx';
import { Link } from '../../shell/link.tsx';
import { type JobsFilters, jobsPath } from '../../shell/paths.ts';
import type { TableProps } from '../../shell/table.tsx';
import { Time } from '../../shell/time.tsx';
import { duration } from '../../units.ts';
import { jobColumn, number, waitedColumn } from './job-columns.tsx';
import { JobStatusLabel } from './job-status.tsx';
import { Older } from './older.tsx';
import type { Period } from './period.ts';
import { PeriodName } from './period-name.tsx';
import { TabTable } from './tab-table.tsx';
import { usePages } from './use-pages.ts';
import { WorkerLink } from './worker-link.tsx';

const PAGE = 50;

const columnsOf = (endpoint: string): readonly TableProps.ColumnDefinition<EndedJob>[] => [
  jobColumn(endpoint),
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
  waitedColumn,
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
    <TabTable
      title={title}
      what="jobs"
      items={pages?.flatMap(({ jobs }) => jobs)}
      columnDefinitions={columns}
      skeletonRows={5}
      description={
        <>
          <PeriodName period={period} />, newest first. <Link to={jobsPath(all)}>Filter by error, key or release</Link>
        </>
      }
      since={query.dataUpdatedAt}
      error={error}
      filter={filter}
      footer={<Older {...query} />}
      empty="No job has ended in this time."
    />
  );
}
