/** Shows the state of an endpoint, why its jobs wait, and what helps. */
import Box from '@cloudscape-design/components/box';
import Skeleton from '@cloudscape-design/components/skeleton';
import type { Endpoint } from '../../api/management-types.ts';
import { Sentence } from '../../endpoint/sentence.tsx';
import { StateLabel } from '../../endpoint/state-label.tsx';
import { useWaitReason } from '../../endpoint/use-wait-reason.ts';
import { waitReasons } from '../../endpoint/wait-reasons.ts';

export function WaitSummary({ endpoint }: { readonly endpoint: Endpoint }) {
  const wait = useWaitReason(endpoint);
  const explanation = wait && waitReasons[wait.waitReason];
  return (
    <div className="wait-summary">
      <StateLabel endpoint={endpoint} />
      {wait && explanation && (
        <>
          <Box fontSize="body-s">
            The newest job waits: <b>{wait.waitReason}</b>.{' '}
            {wait.waitDetail === undefined ? explanation.means : <Sentence text={wait.waitDetail} />}
          </Box>
          <Box fontSize="body-s" color="text-body-secondary">
            <b>What helps:</b> {explanation.helps}
          </Box>
        </>
      )}
    </div>
  );
}

/** Placeholder with the height of the state. */
export const WaitSummarySkeleton = () => (
  <div className="wait-summary">
    <Skeleton height="20px" width="280px" />
  </div>
);
