/** Shows the jobs of an endpoint with a filter, pages and bulk actions. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, memo, Suspense, useRef, useState } from 'react';
import { MAX_IDS } from '../../api/bulk.ts';
import type { JobSummary } from '../../api/job-types.ts';
import { endpointsKey } from '../../endpoint/use-endpoints.ts';
import { usePermission } from '../../session/permission.ts';
import { useClient } from '../../session/session.tsx';
import { useParameters } from '../../shell/parameter.ts';
import { count } from '../../units.ts';
import { applicableTo, type JobAction, othersUnchanged, statusesOf, withSelection } from './job-actions.ts';
import { filterOf, filters, sizeOf } from './job-filters.ts';
import { JobTable } from './job-table.tsx';
import { NoJobs } from './no-jobs.tsx';
import { jobsKey } from './use-jobs.ts';

const BulkDialog = lazy(() => import('../../shell/bulk-dialog.tsx'));

const verbs = { cancel: 'Cancel', retry: 'Retry' } as const satisfies Record<JobAction, string>;

const consequences = {
  cancel: 'Waiting jobs never run. Workers are asked to stop running jobs. Cancelled jobs cannot be retried.',
  retry: 'Each job runs again with the same id and input. Its present error is removed.',
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

/** An action and its jobs. They do not change when the selection is cleared. */
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
            description="Newest first. Results are kept for 30 minutes, and for one minute after runsync."
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
            title={`${verbs[run.action]} ${amount(Math.min(MAX_IDS, run.ids.length))}`}
            verb={verbs[run.action]}
            ids={run.ids}
            request={(id) => client.send(`/v2/${encodeURIComponent(endpoint)}/${run.action}/${id}`, { method: 'POST' })}
            onClose={() => setRun(undefined)}
            onDone={() => void refresh()}
          >
            <Box variant="p">
              {consequences[run.action]}
              {run.ids.length < run.selected && ` ${othersUnchanged(run.selected - run.ids.length)}`}
            </Box>
          </BulkDialog>
        </Suspense>
      )}
    </>
  );
}

/**
 * Memoized: the page around the list renders every five seconds, but the list renders only when its jobs change.
 */
export default memo(JobsTab);
