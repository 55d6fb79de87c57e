/**
 * Shows on one line when the page was updated. The line keeps its height when a refresh fails, so that nothing
 * below moves.
 */
import Box from '@cloudscape-design/components/box';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useTimes } from '../times.ts';
import { titleOf } from './failure.tsx';

interface Props {
  /** Milliseconds since the epoch; 0 before the first response. */
  readonly since: number;
  /** Error of the last refresh; null if it succeeded. */
  readonly error: unknown;
}

function Text({ since, error }: Props) {
  const { timeOfDay, title } = useTimes();
  // If the first request fails, the page shows the error instead of its data.
  if (since === 0) return error === null ? 'Loading' : '';
  const time = <span title={title(since)}>{timeOfDay(since)}</span>;
  // The time changes every few seconds, so a screen reader announces only failures.
  if (error === null) return <span aria-hidden="true">Updated {time}</span>;
  return (
    <StatusIndicator type="warning">
      Not updated since {time}: {titleOf(error).toLowerCase()}. {error instanceof Error ? error.message : String(error)}
    </StatusIndicator>
  );
}

export const Freshness = (props: Props) => (
  // A span, because the description of a header is a paragraph.
  <span className="freshness" role="status">
    <Box variant="span" fontSize="body-s" color="text-body-secondary">
      <Text {...props} />
    </Box>
  </span>
);
