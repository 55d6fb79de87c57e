/** Shows the failures of an endpoint, grouped by their errors. */
import Box from '@cloudscape-design/components/box';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { FailureGroup, FailureList } from '../../api/management-types.ts';
import { seen } from '../../json/display.ts';
import { Failure } from '../../shell/failure.tsx';
import { Link } from '../../shell/link.tsx';
import { jobsPath, paths } from '../../shell/paths.ts';
import { PermittedButton } from '../../shell/permitted-button.tsx';
import type { TableProps } from '../../shell/table.tsx';
import { Time } from '../../shell/time.tsx';
import { count } from '../../units.ts';
import { groupsOf, hasInputs } from './failure-groups.ts';
import { Older } from './older.tsx';
import type { Period } from './period.ts';
import { PeriodName } from './period-name.tsx';
import { TabTable } from './tab-table.tsx';
import { usePages } from './use-pages.ts';
import { WorkerLink } from './worker-link.tsx';

const RetryGroup = lazy(() => import('./retry-group.tsx'));

interface Props {
  readonly endpoint: string;
  readonly period: Period;
}

/** Number of workers and releases that a row names. */
const FEW = 3;

const filtersOf = ({ endpoint, period: { range, since, until } }: Props) => ({
  endpoint,
  since: since ?? range.id,
  until,
});

const columnsOf = (
  props: Props,
  onRetry: (group: FailureGroup) => void,
): readonly TableProps.ColumnDefinition<FailureGroup>[] => [
  {
    id: 'error',
    header: 'Error',
    isRowHeader: true,
    minWidth: 260,
    cell: ({ code, error, fingerprint, job }) => (
      <>
        <b>{code}</b>
        {error !== undefined && <div className="anywhere error-line">{seen(error)}</div>}
        <Box fontSize="body-s">
          <Link to={jobsPath({ ...filtersOf(props), error: fingerprint })} fontSize="body-s">
            Jobs of this group
          </Link>
          {' · '}
          <Link to={paths.job(props.endpoint, job)} fontSize="body-s">
            Last job
          </Link>
        </Box>
      </>
    ),
  },
  { id: 'count', header: 'Failures', cell: ({ count: number }) => <span className="number">{count(number)}</span> },
  { id: 'first', header: 'First', minWidth: 110, cell: ({ first }) => <Time at={first} /> },
  { id: 'last', header: 'Last', minWidth: 110, cell: ({ last }) => <Time at={last} /> },
  {
    id: 'workers',
    header: 'Workers',
    minWidth: 190,
    cell: ({ workers, workerCount }) => (
      <>
        {workers.slice(0, FEW).map(({ worker, count: number }) => (
          <div key={worker}>
            <WorkerLink endpoint={props.endpoint} worker={worker} /> <span className="number">{count(number)}</span>
          </div>
        ))}
        {workerCount > FEW && <Box color="text-body-secondary">of {count(workerCount)} workers</Box>}
      </>
    ),
  },
  {
    id: 'releases',
    header: 'Releases',
    minWidth: 150,
    cell: ({ releases, fingerprint }) =>
      releases.slice(0, FEW).map(({ revision, count: number }) => (
        <div key={revision}>
          <Link to={jobsPath({ ...filtersOf(props), error: fingerprint, release: revision })}>revision {revision}</Link>{' '}
          <span className="number">{count(number)}</span>
        </div>
      )),
  },
  {
    id: 'retry',
    header: 'Action',
    minWidth: 120,
    cell: (group) =>
      hasInputs(group, Date.now()) ? (
        <PermittedButton
          operation="retry"
          variant="inline-link"
          ariaLabel={`Retry all ${count(group.count)}: ${group.code} ${group.error ?? ''}`}
          onClick={() => onRetry(group)}
        >
          Retry all {count(group.count)}
        </PermittedButton>
      ) : (
        <Box color="text-body-secondary">No retry: inputs are kept for 30 minutes</Box>
      ),
  },
];

export default function FailuresTab(props: Props) {
  const { endpoint, period } = props;
  const [chosen, setChosen] = useState<FailureGroup | undefined>(undefined);
  const path = `/v1/endpoints/${encodeURIComponent(endpoint)}/failures`;
  const { pages, error, ...query } = usePages<FailureList>({ path, period });
  const groups = useMemo(() => groupsOf(pages ?? []), [pages]);
  if (!pages && error) return <Failure error={error} onRetry={() => void query.refetch()} />;
  const [failed, ended] = (['failed', 'ended'] as const).map((name) =>
    (pages ?? []).reduce((sum, page) => sum + page[name], 0),
  ) as [number, number];
  const share = ended === 0 ? '' : `, ${((100 * failed) / ended).toFixed(1)} %`;
  return (
    <>
      <TabTable
        title="Failures"
        what="failures"
        items={pages && groups}
        columnDefinitions={columnsOf(props, setChosen)}
        trackBy="fingerprint"
        isCounted
        description={
          <>
            <PeriodName period={period} />
            {pages && `: ${count(failed)} of ${count(ended)} jobs that ended have failed${share}. `}
            Errors that differ only by numbers and ids are one group.
          </>
        }
        since={query.dataUpdatedAt}
        error={error}
        footer={<Older {...query} />}
        empty="No job has failed in this time."
      />
      {chosen && (
        <Suspense>
          <RetryGroup endpoint={endpoint} group={chosen} period={period} onClose={() => setChosen(undefined)} />
        </Suspense>
      )}
    </>
  );
}
