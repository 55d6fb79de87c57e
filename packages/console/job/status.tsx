/** Shows the status of a job as a word with an icon. */
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { Status } from './job.ts';

const types: Readonly<Record<Status, StatusIndicatorProps.Type>> = {
  IN_QUEUE: 'pending',
  IN_PROGRESS: 'in-progress',
  COMPLETED: 'success',
  FAILED: 'error',
  // A cancelled job has not failed.
  CANCELLED: 'stopped',
  TIMED_OUT: 'warning',
};

/** @param code shown after the status if it differs */
export function JobStatus({ status, code }: { readonly status: Status; readonly code?: string | undefined }) {
  return (
    <StatusIndicator type={types[status]}>
      {status}
      {code !== undefined && code !== status && ` · ${code}`}
    </StatusIndicator>
  );
}
