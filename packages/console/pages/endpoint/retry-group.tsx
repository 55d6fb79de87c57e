/** Retries the jobs of a group of failures whose inputs the service still has. */
import Box from '@cloudscape-design/components/box';
import Modal from '@cloudscape-design/components/modal';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MAX_IDS } from '../../api/bulk.ts';
import type { EndedJobList, FailureGroup } from '../../api/management-types.ts';
import { useClient } from '../../session/session.tsx';
import BulkDialog from '../../shell/bulk-dialog.tsx';
import { Failure } from '../../shell/failure.tsx';
import { count } from '../../units.ts';
import { retryable } from './failure-groups.ts';
import { type Period, timesOf } from './period.ts';

interface Props {
  readonly endpoint: string;
  readonly group: FailureGroup;
  readonly period: Period;
  readonly onClose: () => void;
}

const jobs = (number: number) => (number === 1 ? '1 job' : `${count(number)} jobs`);

export default function RetryGroup({ endpoint, group, period, onClose }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['jobs-of-group', endpoint, group.fingerprint, period.since, period.until],
    queryFn: async ({ signal }) => {
      const query = { endpoint, error: group.fingerprint, limit: MAX_IDS, ...timesOf(period) };
      const list = await client.json<EndedJobList>('/v1/jobs', { query, signal });
      return retryable(list.jobs, Date.now());
    },
    gcTime: 0,
  });
  if (!data || data.length === 0)
    return (
      <Modal visible header={`Retry ${jobs(group.count)}`} closeAriaLabel="Close" onDismiss={onClose}>
        {error ? (
          <Failure error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <Box>
            None of these {jobs(group.count)} can be retried: the service keeps inputs for 30 minutes after the end of a
            job, and for one minute after runsync. Submit the jobs again from their client.
          </Box>
        ) : (
          <StatusIndicator type="loading">Finding the jobs</StatusIndicator>
        )}
      </Modal>
    );
  return (
    <BulkDialog
      title={`Retry ${jobs(data.length)}`}
      verb="Retry"
      ids={data}
      request={(id) => client.send(`/v2/${encodeURIComponent(endpoint)}/retry/${id}`, { method: 'POST' })}
      onClose={onClose}
      onDone={() => void queries.invalidateQueries()}
    >
      <Box variant="p">
        Each job runs again with the same id and input. Its present error is removed.
        {data.length < group.count &&
          ` ${count(data.length)} of the ${jobs(group.count)} of the group can be retried: inputs of the others are no longer kept.`}
      </Box>
    </BulkDialog>
  );
}
