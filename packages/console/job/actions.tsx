/** The actions on a job. */
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { CopyButton } from '../json/copy.tsx';
import { BASE } from '../session/config.ts';
import { usePermission } from '../session/permission.ts';
import { useClient } from '../session/session.tsx';
import { ConfirmModal } from '../shell/confirm-modal.tsx';
import { paths } from '../shell/paths.ts';
import { hasEnded, type Job } from './job.ts';
import { jobKey } from './use-job.ts';

interface Props {
  readonly endpoint: string;
  readonly job: Job | undefined;
  readonly onError: (error: unknown) => void;
}

/** Calls an operation of the job. The page then reads the job again. */
function useJobCall(endpoint: string, operation: 'cancel' | 'retry', onError: (error: unknown) => void) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      client.send(`/v2/${encodeURIComponent(endpoint)}/${operation}/${encodeURIComponent(id)}`, { method: 'POST' }),
    onError,
    onSuccess: () => onError(undefined),
    onSettled: (_data, _error, id) => queries.invalidateQueries({ queryKey: jobKey(endpoint, id) }),
  });
}

/** Button that cancels a job. Asks for confirmation if the job runs, because its work so far is lost. */
export function CancelButton({ endpoint, job, onError }: Props) {
  const [isAsking, setAsking] = useState(false);
  const cancel = useJobCall(endpoint, 'cancel', onError);
  const permission = usePermission('cancel', job && hasEnded(job) ? 'The job has ended.' : undefined);
  function confirm(): void {
    setAsking(false);
    if (job) cancel.mutate(job.id);
  }
  return (
    <>
      <Button
        {...permission}
        disabled={permission.disabled || !job}
        loading={cancel.isPending}
        onClick={() => (job?.status === 'IN_QUEUE' ? confirm() : setAsking(true))}
      >
        Cancel job
      </Button>
      {isAsking && (
        <ConfirmModal
          header="Cancel the job?"
          operation="cancel"
          verb="Cancel job"
          cancel="Keep it"
          onConfirm={confirm}
          onDismiss={() => setAsking(false)}
        >
          The job is running. Its work so far is lost, and a cancelled job cannot be retried.
        </ConfirmModal>
      )}
    </>
  );
}

export function JobActions({ endpoint, id, job, onError }: Props & { readonly id: string }) {
  const [, navigate] = useLocation();
  const retry = useJobCall(endpoint, 'retry', onError);
  const isRetryable = job?.status === 'FAILED' || job?.status === 'TIMED_OUT';
  const retryPermission = usePermission(
    'retry',
    !job || isRetryable ? undefined : 'Only a job that failed or timed out can be retried.',
  );
  const runPermission = usePermission('run');
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <CopyButton text={() => new URL(`${BASE}${paths.job(endpoint, id)}`, location.origin).href}>Copy link</CopyButton>
      <Button
        {...runPermission}
        disabled={runPermission.disabled || !job}
        onClick={() => navigate(`${paths.playground(endpoint)}?input-of=${encodeURIComponent(id)}`)}
      >
        Run again
      </Button>
      <Button
        {...retryPermission}
        disabled={retryPermission.disabled || !job}
        loading={retry.isPending}
        onClick={() => retry.mutate(id)}
      >
        Retry
      </Button>
      <CancelButton endpoint={endpoint} job={job} onError={onError} />
    </SpaceBetween>
  );
}
