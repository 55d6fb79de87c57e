/** The jobs of an endpoint: filter, pages, and actions on many at once. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, memo, Suspense, useRef, useState } from 'react';
import { MOST } from '../../../api/bulk.ts';
import type { JobSummary } from '../../../api/job-types.ts';
import { endpointsKey } from '../../../endpoint/use-endpoints.ts';
import { usePermission } from '../../../session/permission.ts';
import { useClient } from '../../../session/session.tsx';
import { useParameters } from '../../../shell/parameter.ts';
import { count } from '../../../units.ts';
import { applicableTo, type JobAction, statusesOf, withSelection } from './actions.ts';
import { filterOf, filters, sizeOf } from './filters.ts';
import { JobTable } from './job-table.tsx';
import { NoJobs } from './no-jobs.tsx';
import { jobsKey } from './use-jobs.ts';

const BulkDialog = lazy(() => import('../../../shell/bulk-dialog.tsx'));

const verbs = { cancel: 'Cancel', retry: 'Retry' } as const satisfies Record<JobAction, string>;

const consequences = {
  cancel: 'Jobs that wait never run. Workers that run one are asked to stop it. Cancelled jobs cannot be retried.',
  retry: 'Each runs again with the same id and the same input, and loses its present error.',
} as const satisfies Record<JobAction, string>;

const amount = (number: number) => (number === 1 ? '1 job' : `${count(number)} jobs`);

interface ActionButtonProps {
  readonly action: JobAction;
  readonly selected: readonly JobSummary[];
  readonly onStart: (action: JobAction) => void;
}

function ActionButton({ action, selected, onStart }: ActionButtonProps) {
  const permission = usePermission(action);
  const possible = applicableTo(action, selected).length;
  return (
    <Button
      {...(permission.disabled ? permission : { disabled: possible === 0 })}
      onClick={() => onStart(action)}
      ariaLabel={`${verbs[action]} ${amount(possible)}`}
    >
      {verbs[action]}
      {possible > 0 && ` ${count(possible)}`}
    </Button>
  );
}

/** An action and the jobs that it is for, which stay the same when the selection is cleared. */
interface Run {
  readonly action: JobAction;
  readonly ids: readonly string[];
  readonly selected: number;
}

function JobsTab({ endpoint }: { readonly endpoint: string }) {
  const client = useClient();
  const queries = useQueryClient();
  const [parameters, change] = useParameters();
  const [selected, setSelected] = useState<readonly JobSummary[]>([]);
  const [run, setRun] = useState<Run | undefined>(undefined);
  const before = useRef(new Map<string, string | undefined>());

  const statuses = statusesOf(parameters.get('status'));
  const cursor = parameters.get('cursor') ?? undefined;
  const page = { endpoint, statuses, size: sizeOf(parameters.get('size')), cursor };

  function goTo(next: string | undefined) {
    if (next !== undefined) before.current.set(next, cursor);
    change({ cursor: next });
  }

  const choose = (action: JobAction) =>
    setRun({ action, ids: applicableTo(action, selected).map(({ id }) => id), selected: selected.length });

  async function refresh() {
    setSelected([]);
    await Promise.all([
      queries.invalidateQueries({ queryKey: jobsKey(endpoint) }),
      queries.invalidateQueries({ queryKey: endpointsKey }),
    ]);
  }

  return (
    <>
      <JobTable
        key={JSON.stringify(page)}
        page={page}
        selected={selected}
        onSelect={(shown, chosen) => setSelected(withSelection(selected, shown, chosen))}
        onPage={goTo}
        newer={cursor === undefined ? undefined : () => goTo(before.current.get(cursor))}
        header={
          <Header
            variant="h2"
            counter={selected.length > 0 ? `(${count(selected.length)} selected)` : undefined}
            description="The newest first. Results are kept for 30 minutes, those of runsync for one minute."
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <Button disabled={selected.length === 0} onClick={() => setSelected([])}>
                  Clear selection
                </Button>
                <ActionButton action="retry" selected={selected} onStart={choose} />
                <ActionButton action="cancel" selected={selected} onStart={choose} />
              </SpaceBetween>
            }
          >
            Jobs
          </Header>
        }
        filter={
          <SegmentedControl
            label="Filter by status"
            selectedId={filterOf(statuses)?.id ?? null}
            options={filters.map(({ id, text }) => ({ id, text }))}
            onChange={({ detail }) => {
              const chosen = filters.find(({ id }) => id === detail.selectedId);
              change({ status: chosen?.statuses.join(','), cursor: undefined });
            }}
          />
        }
        empty={
          <NoJobs
            endpoint={endpoint}
            isFiltered={statuses.length > 0}
            onShowAll={() => change({ status: undefined })}
          />
        }
      />
      {run && (
        <Suspense>
          <BulkDialog
            title={`${verbs[run.action]} ${amount(Math.min(MOST, run.ids.length))}`}
            verb={verbs[run.action]}
            ids={run.ids}
            request={(id) => client.send(`/v2/${encodeURIComponent(endpoint)}/${run.action}/${id}`, { method: 'POST' })}
            onClose={() => setRun(undefined)}
            onDone={() => void refresh()}
          >
            <Box variant="p">
              {consequences[run.action]}
              {run.ids.length < run.selected &&
                ` The other ${count(run.selected - run.ids.length)} selected jobs stay as they are.`}
            </Box>
          </BulkDialog>
        </Suspense>
      )}
    </>
  );
}

/** The page around it is drawn again every five seconds, a list of jobs only when they have changed. */
export default memo(JobsTab);
