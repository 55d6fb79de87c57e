/** Columns of the job list. */
import type { TableProps } from '@cloudscape-design/components/table';
import { Link } from '../../../shell/link.tsx';
import { paths } from '../../../shell/paths.ts';
import { Time } from '../../../shell/time.tsx';
import { count, duration } from '../../../units.ts';
import type { JobRow } from './rows.ts';
import { JobStatusLabel } from './status.tsx';

/** Characters of a worker's id that distinguish it from others. */
const TELLING = 12;

/** The beginning of its id: with the whole, a common screen would have no room for all columns. */
const Worker = ({ id }: { readonly id: string }) => (
  <span className="id" title={id}>
    {id.length > TELLING ? `${id.slice(0, TELLING)}…` : id}
  </span>
);

const number = (text: string) => <span className="number">{text}</span>;

export const columnsOf = (endpoint: string): readonly TableProps.ColumnDefinition<JobRow>[] => [
  {
    id: 'job',
    header: 'Job',
    isRowHeader: true,
    // As wide as an id, so that the columns stay where they are when the rows come.
    minWidth: 300,
    cell: ({ id }) => (
      <Link to={paths.job(endpoint, id)}>
        <span className="id">{id}</span>
      </Link>
    ),
  },
  { id: 'status', header: 'Status', minWidth: 210, cell: (job) => <JobStatusLabel job={job} /> },
  { id: 'created', header: 'Submitted', minWidth: 150, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { id: 'waited', header: 'Waited', cell: ({ delayTime }) => number(duration(delayTime)) },
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
