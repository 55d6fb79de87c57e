/** Columns of the overview. */
import Box from '@cloudscape-design/components/box';
import type { TableProps } from '@cloudscape-design/components/table';
import type { Endpoint } from '../../api/management-types.ts';
import { dollars, hourlyCost } from '../../endpoint/cost.ts';
import { Image } from '../../endpoint/image.tsx';
import { ReleaseLabel } from '../../endpoint/release-label.tsx';
import { StateLabel } from '../../endpoint/state-label.tsx';
import { WorkerLabel } from '../../endpoint/worker-label.tsx';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import { count } from '../../units.ts';

type Column = TableProps.ColumnDefinition<Endpoint>;

const number = (value: number) => <span className="number">{count(value)}</span>;

/** Shows the image below the name, because a separate column would not fit on the screen. */
function Name({ endpoint: { id, image } }: { readonly endpoint: Endpoint }) {
  return (
    <div className="name">
      <Link to={paths.endpoint(id)}>{id}</Link>
      {image !== undefined && (
        <Box fontSize="body-s" color="text-body-secondary">
          <Image name={image} />
        </Box>
      )}
    </div>
  );
}

/** Links to the failed jobs that have not expired. */
function FailedJobs({ endpoint: { id, health } }: { readonly endpoint: Endpoint }) {
  const { failed } = health.jobs;
  if (failed === 0) return number(0);
  return (
    <Link to={`${paths.endpoint(id)}?status=FAILED,TIMED_OUT`} ariaLabel={`${count(failed)} failed jobs of ${id}`}>
      {number(failed)}
    </Link>
  );
}

/** Columns with fixed widths (`.endpoint-table`), so that a refresh does not move them. */
export const columns: readonly Column[] = [
  {
    id: 'endpoint',
    header: 'Endpoint and image',
    isRowHeader: true,
    width: 210,
    cell: (endpoint) => <Name endpoint={endpoint} />,
  },
  { id: 'state', header: 'State', width: 278, cell: (endpoint) => <StateLabel endpoint={endpoint} /> },
  { id: 'waiting', header: 'Waiting', width: 106, cell: ({ health }) => number(health.jobs.inQueue) },
  { id: 'running', header: 'Running', width: 106, cell: ({ health }) => number(health.jobs.inProgress) },
  { id: 'workers', header: 'Workers', width: 128, cell: (endpoint) => <WorkerLabel endpoint={endpoint} /> },
  { id: 'completed', header: 'Completed', width: 136, cell: ({ health }) => number(health.jobs.completed) },
  { id: 'failed', header: 'Failed', width: 88, cell: (endpoint) => <FailedJobs endpoint={endpoint} /> },
  { id: 'release', header: 'Release', width: 148, cell: ({ release }) => <ReleaseLabel release={release} /> },
  {
    id: 'cost',
    header: '$ per hour',
    width: 104,
    cell: (endpoint) => {
      const amount = hourlyCost(endpoint);
      return <span className="number">{amount === undefined ? '-' : dollars(amount)}</span>;
    },
  },
];
