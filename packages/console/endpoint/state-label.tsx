/** Shows the state of an endpoint: an icon and, if there is a problem, the details and what helps. */
import Box from '@cloudscape-design/components/box';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { Endpoint } from '../api/management-types.ts';
import { Sentence } from './sentence.tsx';
import { type StateKind, stateOf } from './state.ts';

const signs: Readonly<Record<StateKind, StatusIndicatorProps.Type>> = {
  condition: 'error',
  'no-workers': 'pending',
  'rolled-back': 'warning',
  starting: 'in-progress',
  releasing: 'in-progress',
  waiting: 'pending',
  running: 'in-progress',
  ready: 'success',
  empty: 'stopped',
};

export function StateLabel({ endpoint, brief = false }: { readonly endpoint: Endpoint; readonly brief?: boolean }) {
  const { kind, title, detail, helps } = stateOf(endpoint);
  return (
    <div className="state">
      <StatusIndicator type={signs[kind]}>{title}</StatusIndicator>
      {!brief && detail !== undefined && (
        <Box fontSize="body-s">
          <Sentence text={detail} />
        </Box>
      )}
      {!brief && helps !== undefined && (
        <Box fontSize="body-s" color="text-body-secondary">
          <b>What helps:</b> {helps}
        </Box>
      )}
    </div>
  );
}
