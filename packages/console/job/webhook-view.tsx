/** Shows the delivery of a job's webhook. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WebhookDelivery } from '../api/job-types.ts';
import { seen } from '../json/display.ts';
import { usePermission } from '../session/permission.ts';
import { useClient } from '../session/session.tsx';
import { Failure } from '../shell/failure.tsx';
import { helpForWebhook } from './ends.ts';
import { hasEnded, type Job } from './job.ts';
import { jobKey } from './use-job.ts';

interface Props {
  readonly endpoint: string;
  readonly job: Job;
}

const types: Readonly<Record<WebhookDelivery['state'], StatusIndicatorProps.Type>> = {
  PENDING: 'pending',
  DELIVERED: 'success',
  FAILED: 'error',
  NOT_SENT: 'stopped',
};

const EMPTY = '–';

function Delivery({ endpoint, job, webhook }: Props & { readonly webhook: WebhookDelivery }) {
  const client = useClient();
  const queries = useQueryClient();
  const { state, attempts, lastStatus, lastError } = webhook;
  const resend = useMutation({
    mutationFn: () =>
      client.send(`/v2/${encodeURIComponent(endpoint)}/webhooks/${encodeURIComponent(job.id)}/resend`, {
        method: 'POST',
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: jobKey(endpoint, job.id) }),
  });
  const blocker = state === 'FAILED' ? undefined : 'Only a failed delivery can be sent again.';
  const help = helpForWebhook(lastError) ?? (lastStatus && 'Only status 200 acknowledges a webhook.');
  return (
    <SpaceBetween size="m">
      <KeyValuePairs
        columns={4}
        items={[
          { label: 'Delivery', value: <StatusIndicator type={types[state]}>{state}</StatusIndicator> },
          { label: 'Attempts', value: String(attempts) },
          { label: 'Last HTTP status', value: lastStatus === undefined ? EMPTY : String(lastStatus) },
          { label: 'Last error', value: lastError === undefined ? EMPTY : seen(lastError) },
        ]}
      />
      <Box color="text-body-secondary">
        {!hasEnded(job) && 'The webhook is sent when the job has ended. '}
        {state === 'FAILED' && help}
      </Box>
      {resend.error && <Failure error={resend.error} />}
      <Button loading={resend.isPending} {...usePermission('resend', blocker)} onClick={() => resend.mutate()}>
        Send again
      </Button>
    </SpaceBetween>
  );
}

export function WebhookView(props: Props) {
  const { webhook } = props.job;
  if (webhook) return <Delivery {...props} webhook={webhook} />;
  return <Box color="text-body-secondary">The job was submitted without a webhook.</Box>;
}
