/** One page of the job list: rows, their selection, and buttons for newer and older pages. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useMemo } from 'react';
import type { JobSummary } from '../../api/job-types.ts';
import { Failure } from '../../shell/failure.tsx';
import Table from '../../shell/table.tsx';
import { count } from '../../units.ts';
import { columnsOf } from './job-columns.tsx';
import { JobsFreshness } from './jobs-freshness.tsx';
import { type JobPage, useJobs } from './use-jobs.ts';

interface Props {
  readonly page: JobPage;
  readonly header: ReactNode;
  readonly filter: ReactNode;
  readonly empty: ReactNode;
  readonly selected: readonly JobSummary[];
  /**
   * @param shown the jobs of this page
   * @param chosen the selected jobs of this page
   */
  readonly onSelect: (shown: readonly JobSummary[], chosen: readonly JobSummary[]) => void;
  /** @param cursor undefined for the newest page */
  readonly onPage: (cursor: string | undefined) => void;
  /** Undefined on the first page. */
  readonly newer: (() => void) | undefined;
}

const jobs = (number: number) => (number === 1 ? '1 new job' : `${count(number)} new jobs`);

/** Shows one page of jobs. Pass the page as `key`. */
export function JobTable({ page, header, filter, empty, selected, onSelect, onPage, newer }: Props) {
  const query = useJobs(page);
  const columns = useMemo(() => columnsOf(page.endpoint), [page.endpoint]);
  const { data, error, rows } = query;
  if (!data && error) return <Failure error={error} onRetry={() => void query.refetch()} />;
  const next = data?.nextCursor;
  const ids = new Set(selected.map(({ id }) => id));

  const paging = (
    <SpaceBetween direction="horizontal" size="xs" alignItems="center">
      <Button disabled={!newer} onClick={() => newer?.()}>
        Newer
      </Button>
      <Button disabled={next === undefined} onClick={() => onPage(next)}>
        Older
      </Button>
    </SpaceBetween>
  );
  return (
    <Table
      items={rows}
      columnDefinitions={columns}
      trackBy="id"
      loading={!data}
      loadingText="Loading jobs"
      skeleton={{ totalRows: 5 }}
      contentDensity="compact"
      selectionType="multi"
      selectedItems={rows.filter(({ id }) => ids.has(id))}
      isItemDisabled={({ hasLeft }) => hasLeft}
      onSelectionChange={({ detail }) => onSelect(rows, detail.selectedItems)}
      header={header}
      filter={
        <SpaceBetween size="xs">
          {filter}
          <div className="newer">
            <Button
              iconName="arrow-up"
              variant="inline-link"
              disabled={query.newer === 0}
              onClick={query.showNewest}
              ariaLabel={query.newer === 0 ? 'No new jobs' : `Show ${jobs(query.newer)}`}
            >
              {query.newer === 0 ? 'No new jobs' : jobs(query.newer)}
            </Button>
            <JobsFreshness page={page} />
          </div>
        </SpaceBetween>
      }
      pagination={paging}
      footer={
        rows.length > 0 &&
        next !== undefined && (
          <Box textAlign="center">
            <Button onClick={() => onPage(next)}>Older jobs</Button>
          </Box>
        )
      }
      empty={
        next === undefined ? (
          empty
        ) : (
          // For each page the service reads up to 1,000 jobs, including jobs that the filter excludes.
          <SpaceBetween size="s">
            <Box>None of these 1,000 jobs matches the filter.</Box>
            <Button onClick={() => onPage(next)}>Search older jobs</Button>
          </SpaceBetween>
        )
      }
      ariaLabels={{
        tableLabel: 'Jobs',
        selectionGroupLabel: 'Select jobs',
        allItemsSelectionLabel: () => 'Select all jobs of this page',
        itemSelectionLabel: (_, { id }) => `Select ${id}`,
      }}
    />
  );
}
