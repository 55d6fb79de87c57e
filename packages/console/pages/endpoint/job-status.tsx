/** Shows the status of a job in the list. */
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { JobStatus } from './job-actions.ts';
import type { JobRow } from './job-rows.ts';

const signs: Readonly<Record<JobStatus, readonly [StatusIndicatorProps.Type, string]>> = {
  IN_QUEUE: ['pending', 'Waiting'],
  IN_PROGRESS: ['in-progress', 'Running'],
  COMPLETED: ['success', 'Completed'],
  FAILED: ['error', 'Failed'],
  TIMED_OUT: ['error', 'Timed out'],
  CANCELLED: ['stopped', 'Cancelled'],
};

export function JobStatusLabel({
  job,
}: {
  readonly job: Pick<JobRow, 'status'> & { readonly code?: string; readonly hasLeft?: boolean };
}) {
  if (job.hasLeft) return <StatusIndicator type="not-started">No longer in this list</StatusIndicator>;
  const [type, text] = signs[job.status];
  // A code that repeats the status is not shown.
  const code = job.code !== undefined && job.code !== job.status ? job.code : undefined;
  return (
    <StatusIndicator type={type}>
      {text}
      {code && <small> {code}</small>}
    </StatusIndicator>
  );
}
