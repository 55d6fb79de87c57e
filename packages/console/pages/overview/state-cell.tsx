/** Shows the state of an endpoint in a word. What is wrong, and what helps, is in a popover. */
import Box from '@cloudscape-design/components/box';
import Popover from '@cloudscape-design/components/popover';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import { Sentence } from '../../endpoint/sentence.tsx';
import { type StateKind, stateOf } from '../../endpoint/state.ts';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import type { Problem, Row } from './trouble.ts';

const signs: Readonly<Record<Problem['kind'], StatusIndicatorProps.Type>> = {
  condition: 'error',
  'no-workers': 'error',
  failing: 'error',
  waits: 'warning',
  webhooks: 'warning',
  'rolled-back': 'warning',
  alarm: 'warning',
};

/** Words for states without a problem. */
const words: Partial<Readonly<Record<StateKind, readonly [StatusIndicatorProps.Type, string]>>> = {
  starting: ['in-progress', 'Starting'],
  releasing: ['in-progress', 'Rolling out'],
  waiting: ['pending', 'Busy'],
  running: ['in-progress', 'Running'],
  ready: ['success', 'Ready'],
  empty: ['stopped', 'No workers'],
};

const ProblemText = ({ problem: { word, detail, helps } }: { readonly problem: Problem }) => (
  <div className="anywhere">
    <Box variant="h4" tagOverride="strong">
      {word}
    </Box>
    {detail !== undefined && (
      <div>
        <Sentence text={detail} />
      </div>
    )}
    {helps !== undefined && (
      <Box color="text-body-secondary">
        <b>What helps:</b> {helps}
      </Box>
    )}
  </div>
);

export function StateCell({ row: { id, endpoint, problems } }: { readonly row: Row }) {
  const [first, ...others] = problems;
  if (!first) {
    const [type, word] = words[stateOf(endpoint).kind] ?? ['success', 'Ready'];
    return (
      <StatusIndicator type={type} wrapText={false}>
        {word}
      </StatusIndicator>
    );
  }
  return (
    <Popover
      header={id}
      size="large"
      fixedWidth
      triggerType="text"
      dismissAriaLabel="Close"
      content={
        <SpaceBetween size="s">
          {problems.map((problem, index) => (
            <ProblemText key={index} problem={problem} />
          ))}
          <Link to={paths.endpoint(id)}>Open {id}</Link>
        </SpaceBetween>
      }
    >
      <StatusIndicator type={signs[first.kind]} wrapText={false}>
        {first.word}
        {others.length > 0 && <small> +{others.length}</small>}
      </StatusIndicator>
    </Popover>
  );
}
