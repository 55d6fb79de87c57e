/** Lists jobs that have ended, and says how far the list has been read. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMemo } from 'react';
import type { EndedJobList } from '../../api/management-types.ts';
import { Link } from '../../shell/link.tsx';
import { type JobsFilters, jobsPath, paths } from '../../shell/paths.ts';
import Table from '../../shell/table.tsx';
import { Time } from '../../shell/time.tsx';
import { count } from '../../units.ts';
import { columnsOf } from './columns.tsx';

interface Props {
  /** Undefined while the first page loads. */
  readonly pages: readonly EndedJobList[] | undefined;
  readonly filters: JobsFilters;
  /** Reads the next page; undefined if all were read. */
  readonly more: (() => void) | undefined;
  readonly isReading: boolean;
}

/** Says how far the jobs were compared with the filters. */
function Reach({ pages, more, isReading }: Omit<Props, 'filters'>) {
  const to = pages?.at(-1)?.readTo;
  if (to === undefined) return null;
  return (
    <div role="status">
      <SpaceBetween direction="horizontal" size="s" alignItems="center">
        <Box variant="span" color="text-body-secondary">
          {more ? 'Searched back to ' : 'All jobs since '}
          <Time at={to} />
          {more ? '.' : ' were searched.'}
        </Box>
        {more && (
          <Button loading={isReading} onClick={more}>
            Search further
          </Button>
        )}
      </SpaceBetween>
    </div>
  );
}

export default function JobTable({ pages, filters, more, isReading }: Props) {
  const search = jobsPath(filters).split('?')[1] ?? '';
  const columns = useMemo(() => columnsOf(search), [search]);
  const jobs = pages?.flatMap((page) => page.jobs) ?? [];
  const { endpoint } = filters;
  return (
    <div className="job-list">
      <Table
        items={jobs}
        columnDefinitions={columns}
        // A job that was retried is listed with each of its ends.
        trackBy={({ id, retries }) => `${id} ${retries}`}
        loading={!pages}
        loadingText="Loading jobs"
        skeleton={{ totalRows: 5 }}
        contentDensity="compact"
        header={
          <Header
            variant="h2"
            counter={pages && `(${count(jobs.length)}${more ? '+' : ''})`}
            description={
              endpoint === undefined ? (
                'Jobs that have ended, newest first. Those that wait or run are on the pages of their endpoints.'
              ) : (
                <>
                  Jobs that have ended, newest first.{' '}
                  <Link to={`${paths.endpoint(endpoint)}?tab=jobs&status=IN_QUEUE,IN_PROGRESS`}>
                    Waiting and running
                  </Link>
                  {', '}
                  <Link to={`${paths.endpoint(endpoint)}?tab=failures`}>failures by error</Link>
                </>
              )
            }
          >
            Ended jobs
          </Header>
        }
        footer={jobs.length > 0 && <Reach pages={pages} more={more} isReading={isReading} />}
        empty={
          <SpaceBetween size="s">
            <Box>{more ? 'No job found yet.' : 'No job matches.'}</Box>
            <Reach pages={pages} more={more} isReading={isReading} />
          </SpaceBetween>
        }
        ariaLabels={{ tableLabel: 'Jobs' }}
      />
    </div>
  );
}
