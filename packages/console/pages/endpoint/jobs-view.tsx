/** Shows the jobs that the service has now, or those that have ended in the time of the page. */
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useParameters } from '../../shell/parameter.ts';
import { EndedJobs } from './ended-jobs.tsx';
import { statusesOf } from './job-actions.ts';
import { filterOf, filters } from './job-filters.ts';
import JobsTab from './jobs-tab.tsx';
import type { Period } from './period.ts';

interface Props {
  readonly endpoint: string;
  readonly period: Period;
}

const endedFilters = filters.filter(({ id }) => id !== 'waiting' && id !== 'running');

export default function JobsView({ endpoint, period }: Props) {
  const [parameters, change] = useParameters();
  const isHistory = parameters.get('view') === 'history' || period.since !== undefined || period.until !== undefined;
  const status = statusesOf(parameters.get('status'));
  const views = (
    <SegmentedControl
      label="Jobs of now or of the history"
      selectedId={isHistory ? 'history' : 'live'}
      options={[
        { id: 'live', text: 'Now' },
        { id: 'history', text: 'History' },
      ]}
      onChange={({ detail }) => {
        const view = detail.selectedId === 'history' ? 'history' : undefined;
        change({ view, since: undefined, until: undefined, status: undefined, cursor: undefined });
      }}
    />
  );
  return (
    <SpaceBetween size="s">
      {views}
      {isHistory ? (
        <EndedJobs
          key={status.join()}
          endpoint={endpoint}
          period={period}
          status={status.length === 0 ? undefined : status.join(',')}
          filter={
            <SegmentedControl
              label="Filter by status"
              selectedId={filterOf(status)?.id ?? null}
              options={endedFilters.map(({ id, text }) => ({ id, text }))}
              onChange={({ detail }) => {
                const chosen = filters.find(({ id }) => id === detail.selectedId);
                change({ status: chosen?.statuses.join(',') });
              }}
            />
          }
        />
      ) : (
        <JobsTab endpoint={endpoint} />
      )}
    </SpaceBetween>
  );
}
