/** Shows the state of a living worker. */
import Box from '@cloudscape-design/components/box';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { Worker } from '../../api/management-types.ts';
import { Time } from '../../shell/time.tsx';

const signs: Readonly<Record<Worker['state'], readonly [StatusIndicatorProps.Type, string]>> = {
  INITIALIZING: ['pending', 'Starting'],
  IDLE: ['success', 'Idle'],
  RUNNING: ['in-progress', 'Running'],
  THROTTLED: ['warning', 'Held back'],
  UNHEALTHY: ['error', 'Unhealthy'],
};

export function State({ worker: { state, since } }: { readonly worker: Worker }) {
  const [type, text] = signs[state];
  return (
    <>
      <StatusIndicator type={type} wrapText={false}>
        {text}
      </StatusIndicator>
      {since !== undefined && (
        <Box fontSize="body-s" color="text-body-secondary">
          since <Time at={since} />
        </Box>
      )}
    </>
  );
}
