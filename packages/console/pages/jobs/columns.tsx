/** Columns of jobs that have ended. What is wider than its column ends with an ellipsis. */
import type { EndedJob } from '../../api/management-types.ts';
import { Link } from '../../shell/link.tsx';
import { jobsPath, paths } from '../../shell/paths.ts';
import type { TableProps } from '../../shell/table.tsx';
import { Time } from '../../shell/time.tsx';
import { duration } from '../../units.ts';
import { JobStatusLabel } from '../endpoint/job-status.tsx';

/** Links to the jobs with the same value, with the filters of the page. */
function Same({ name, value, search }: { name: 'worker' | 'key' | 'release'; value: string; search: string }) {
  const filters = Object.fromEntries(new URLSearchParams(search));
  return (
    <Link to={jobsPath({ ...filters, [name]: value })}>
      <span className="id" title={`Jobs of ${name} ${value}`}>
        {value}
      </span>
    </Link>
  );
}

/** @param search query of the page's address */
export const columnsOf = (search: string): readonly TableProps.ColumnDefinition<EndedJob>[] => [
  {
    id: 'job',
    header: 'Job',
    isRowHeader: true,
    width: 146,
    cell: ({ id, endpoint }) => (
      <Link to={paths.job(endpoint, id)}>
        <span className="id" title={id}>
          {id}
        </span>
      </Link>
    ),
  },
  {
    id: 'endpoint',
    header: 'Endpoint',
    width: 150,
    cell: ({ endpoint }) => <Link to={paths.endpoint(endpoint)}>{endpoint}</Link>,
  },
  { id: 'status', header: 'Status', width: 124, cell: ({ status }) => <JobStatusLabel job={{ status }} /> },
  {
    id: 'error',
    header: 'Error',
    cell: ({ error, code }) => (
      <span className="anywhere" title={error}>
        {error ?? code ?? '-'}
      </span>
    ),
  },
  { id: 'ended', header: 'Ended', width: 184, cell: ({ endedAt }) => <Time at={endedAt} /> },
  { id: 'waited', header: 'Waited', width: 92, cell: ({ delayTime }) => duration(delayTime) },
  {
    id: 'ran',
    header: 'Ran',
    width: 92,
    cell: ({ executionTime }) => (executionTime === 0 ? '-' : duration(executionTime)),
  },
  {
    id: 'worker',
    header: 'Worker',
    width: 146,
    cell: ({ worker }) => (worker === undefined ? '-' : <Same name="worker" value={worker} search={search} />),
  },
  {
    id: 'key',
    header: 'Key',
    width: 138,
    cell: ({ key, owner }) => (key === undefined ? owner : <Same name="key" value={key} search={search} />),
  },
];
