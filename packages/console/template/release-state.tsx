/** State and progress of a release. */
import Box from '@cloudscape-design/components/box';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Release } from '../api/management-types.ts';
import { rolloutOf, type WorkerRevision } from './rollout.ts';

interface StateProps {
  readonly release: Release | undefined;
  readonly workers?: readonly WorkerRevision[] | undefined;
}

/** Shows the state of a release, its progress, and the service's reason for a rollback or a delay. */
export function ReleaseState({ release, workers }: StateProps) {
  const { type, text, progress, reason } = rolloutOf(release, workers);
  return (
    <div>
      <StatusIndicator type={type}>{progress === undefined ? text : `${text}: ${progress}`}</StatusIndicator>
      {reason !== undefined && (
        <Box fontSize="body-s" color="text-body-secondary">
          {reason}
        </Box>
      )}
    </div>
  );
}
