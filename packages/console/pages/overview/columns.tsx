/** Columns of the overview: one line an endpoint. */
import Box from '@cloudscape-design/components/box';
import type { TableProps } from '@cloudscape-design/components/table';
import type { ReactNode } from 'react';
import type { Endpoint, Recent } from '../../api/management-types.ts';
import { dollars } from '../../endpoint/cost.ts';
import { releaseName } from '../../endpoint/release.ts';
import { workerShare, workerStates } from '../../endpoint/worker-counts.ts';
import { Link } from '../../shell/link.tsx';
import { jobsPath, paths } from '../../shell/paths.ts';
import { count, duration } from '../../units.ts';
import { imageVersion } from './image-version.ts';
import { isFailing, lastDay, percentOf } from './recent.ts';
import { Sparkline } from './sparkline.tsx';
import { StateCell } from './state-cell.tsx';
import type { Row } from './trouble.ts';

type Column = TableProps.ColumnDefinition<Row>;

const text = (value: ReactNode, title?: string) => (
  <span className="number" title={title}>
    {value}
  </span>
);
const number = (value: number) => (value === 0 ? <span className="zero">0</span> : text(count(value)));

/** Shows a cell that needs what happened lately. */
const lately =
  (of: (recent: NonNullable<Endpoint['recent']>, endpoint: Endpoint) => ReactNode) =>
  ({ endpoint }: Row) =>
    endpoint.recent ? of(endpoint.recent, endpoint) : '-';

/** Links to the jobs that failed within the last hour. Their share is in the state, if it is high. */
function FailuresOfHour({ id, recent }: { readonly id: string; readonly recent: Recent }) {
  const { failed } = recent.lastHour;
  if (failed === 0) return number(0);
  const share = percentOf(recent.lastHour);
  return (
    <Link
      to={jobsPath({ endpoint: id, status: 'FAILED,TIMED_OUT', since: '1h' })}
      ariaLabel={`${count(failed)} failed jobs (${share}) of ${id} within the last hour`}
    >
      {text(count(failed), share)}
    </Link>
  );
}

/** Links to the failures of the last 24 hours. Many of them are in the error colour, also if they are over. */
function FailuresOfDay({ id, recent }: { readonly id: string; readonly recent: Recent }) {
  const day = lastDay(recent, Date.now());
  if (day.failed === 0) return number(0);
  const share = percentOf(day);
  const shown = text(`${count(day.failed)} (${share})`);
  return (
    <Link
      to={paths.failures(id)}
      ariaLabel={`${count(day.failed)} failed jobs (${share}) of ${id} within the last 24 hours`}
    >
      {isFailing(day) ? (
        <Box variant="span" color="text-status-error" fontWeight="bold">
          {shown}
        </Box>
      ) : (
        shown
      )}
    </Link>
  );
}

function Release({ endpoint: { image, release } }: Row) {
  const version = imageVersion(image);
  return (
    <span title={image}>
      {release ? releaseName(release) : '-'}
      {version !== undefined && <span className="quiet"> {version}</span>}
    </span>
  );
}

/** Columns with fixed widths (`.endpoint-table`), so that a refresh does not move them. */
export const columns: readonly Column[] = [
  {
    id: 'endpoint',
    header: 'Endpoint',
    isRowHeader: true,
    width: 204,
    cell: ({ id }) => <Link to={paths.endpoint(id)}>{id}</Link>,
  },
  { id: 'state', header: 'State', width: 156, cell: (row) => <StateCell row={row} /> },
  { id: 'waiting', header: 'Waiting', width: 100, cell: ({ endpoint }) => number(endpoint.health.jobs.inQueue) },
  { id: 'running', header: 'Running', width: 102, cell: ({ endpoint }) => number(endpoint.health.jobs.inProgress) },
  {
    id: 'workers',
    header: 'Workers',
    width: 102,
    cell: ({ endpoint: { health, maxWorkers } }) =>
      text(
        workerShare(health.workers, maxWorkers),
        workerStates(health.workers)
          .map((state) => state.text)
          .join(', '),
      ),
  },
  {
    id: 'delay',
    header: 'p95 wait, 1 h',
    width: 142,
    cell: lately(({ lastHour: { p95DelayTime } }) => (p95DelayTime === undefined ? '-' : text(duration(p95DelayTime)))),
  },
  {
    id: 'failed',
    header: 'Failed, 1 h / 24 h',
    width: 174,
    cell: lately((recent, { id }) => (
      <>
        <FailuresOfHour id={id} recent={recent} /> / <FailuresOfDay id={id} recent={recent} />
      </>
    )),
  },
  {
    id: 'cost',
    header: '$ today',
    width: 92,
    cell: lately(({ today }, { workerPrice }) =>
      // A price is unknown on Spot: nothing is not what it costs.
      today.dollars === 0 && !workerPrice ? '-' : text(dollars(today.dollars)),
    ),
  },
  {
    id: 'hours',
    header: 'Jobs, 24 h',
    width: 142,
    cell: lately((recent, { id }) => <Sparkline endpoint={id} recent={recent} />),
  },
  { id: 'release', header: 'Release', width: 136, cell: (row) => <Release {...row} /> },
];
