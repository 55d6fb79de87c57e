/** One line that says how new a page is. It keeps its height when a refresh fails, so that nothing below moves. */
import Box from '@cloudscape-design/components/box';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useTimes } from '../times.ts';
import { titleOf } from './failure.tsx';

interface Props {
  /** Milliseconds since the epoch; 0 before the first response. */
  readonly since: number;
  /** Of the last refresh; null if it succeeded. */
  readonly error: unknown;
}

export function Freshness({ since, error }: Props) {
  const { timeOfDay, title } = useTimes();
  const time = <span title={title(since)}>{timeOfDay(since)}</span>;
  return (
    <div className="freshness" role="status">
      <Box fontSize="body-s" color="text-body-secondary">
        {error && since > 0 ? (
          <StatusIndicator type="warning">
            Not updated since {time}: {titleOf(error).toLowerCase()}.{' '}
            {error instanceof Error ? error.message : String(error)}
          </StatusIndicator>
        ) : (
          // The time changes every few seconds; a screen reader announces failures alone.
          <span aria-hidden="true">Updated {time}</span>
        )}
      </Box>
    </div>
  );
}
