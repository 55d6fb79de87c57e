/** Columns of the job list. */

import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import type { TableProps } from '../../shell/table.tsx';
import { Time } from '../../shell/time.tsx';
import { count, duration } from '../../units.ts';
import type { JobRow } from './job-rows.ts';
import { JobStatusLabel } from './job-status.tsx';

/** Number of characters that distinguish the ids of workers. */
const SHOWN = 12;

/** Shows the beginning of a worker's id. With the whole id, all columns would not fit on a common screen. */
const Worker = ({ id }: { readonly id: string }) => (
  <span className="id" title={id}>
    {id.length > SHOWN ? `${id.slice(0, SHOWN)}…` : id}
  </span>
);

export const number = (text: string) => <span className="number">{text}</span>;

/** The job's id, as a link. As wide as an id, so that the columns do not move when the rows arrive. */
export const jobColumn = (endpoint: string): TableProps.ColumnDefinition<{ readonly id: string }> => ({
  id: 'job',
  header: 'Job',
  isRowHeader: true,
  minWidth: 300,
  cell: ({ id }) => (
    <Link to={paths.job(endpoint, id)}>
      <span className="id">{id}</span>
    </Link>
  ),
});

export const waitedColumn: TableProps.ColumnDefinition<{ readonly delayTime: number }> = {
  id: 'waited',
  header: 'Waited',
  cell: ({ delayTime }) => number(duration(delayTime)),
};

export const columnsOf = (endpoint: string): readonly TableProps.ColumnDefinition<JobRow>[] => [
  jobColumn(endpoint),
  { id: 'status', header: 'Status', minWidth: 210, cell: (job) => <JobStatusLabel job={job} /> },
  { id: 'created', header: 'Submitted', minWidth: 150, cell: ({ createdAt }) => <Time at={createdAt} /> },
  waitedColumn,
  {
    id: 'ran',
    header: 'Ran',
    cell: ({ executionTime }) => (executionTime === 0 ? '-' : number(duration(executionTime))),
  },
  { id: 'attempts', header: 'Attempts', cell: ({ attempts }) => number(count(attempts)) },
  {
    id: 'worker',
    header: 'Worker',
    minWidth: 125,
    cell: ({ workerId }) => (workerId === undefined ? '-' : <Worker id={workerId} />),
  },
];
