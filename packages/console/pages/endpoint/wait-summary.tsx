/** Shows the state of an endpoint, why its jobs wait, and what helps. */
import Box from '@cloudscape-design/components/box';
import Skeleton from '@cloudscape-design/components/skeleton';
import type { Endpoint } from '../../api/management-types.ts';
import { Sentence } from '../../endpoint/sentence.tsx';
import { StateLabel } from '../../endpoint/state-label.tsx';
import { isCondition, waitReasons } from '../../endpoint/wait-reasons.ts';

/** Names the number of workers, so that the reader need not compare it with the maximum. */
function busyHelp({ health: { workers }, maxWorkers }: Endpoint): string | undefined {
  if (workers.running < maxWorkers) return;
  return `Wait, or raise maxWorkers: all ${maxWorkers} workers that it permits have a job.`;
}

export function WaitSummary({ endpoint }: { readonly endpoint: Endpoint }) {
  const { jobs, waitReason, waitDetail } = endpoint.health;
  // The state has the details of a condition.
  const explanation = jobs.inQueue > 0 && waitReason && !isCondition(waitReason) ? waitReasons[waitReason] : undefined;
  const helps = (waitReason === 'WORKERS_BUSY' && busyHelp(endpoint)) || explanation?.helps;
  return (
    <div className="wait-summary">
      <StateLabel endpoint={endpoint} />
      {explanation && (
        <>
          <Box fontSize="body-s">
            Jobs wait: <b>{waitReason}</b>.{' '}
            {waitDetail === undefined ? explanation.means : <Sentence text={waitDetail} />}
          </Box>
          <Box fontSize="body-s" color="text-body-secondary">
            <b>What helps:</b> {helps}
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
