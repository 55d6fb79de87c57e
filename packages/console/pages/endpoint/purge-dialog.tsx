/**
 * Cancels all waiting jobs. To confirm, the user types the endpoint's id, so that the wrong queue is not purged by
 * mistake.
 */
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { PurgeResult } from '../../api/job-types.ts';
import type { Endpoint } from '../../api/management-types.ts';
import { endpointsKey } from '../../endpoint/use-endpoints.ts';
import { useClient } from '../../session/session.tsx';
import { ConfirmModal } from '../../shell/confirm-modal.tsx';
import { Failure } from '../../shell/failure.tsx';
import { count } from '../../units.ts';
import { jobsKey } from './use-jobs.ts';

interface Props {
  readonly endpoint: Endpoint;
  readonly onClose: () => void;
}

const FORM = 'purge-form';

const waitingJobs = (number: number) => (number === 1 ? '1 job waits' : `${count(number)} jobs wait`);

export default function PurgeDialog({ endpoint: { id, health }, onClose }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => client.json<PurgeResult>(`/v2/${encodeURIComponent(id)}/purge-queue`, { method: 'POST' }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: endpointsKey }),
        queries.invalidateQueries({ queryKey: jobsKey(id) }),
      ]),
  });
  const isConfirmed = typed.trim() === id;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isConfirmed && !isPending) mutate();
  }

  return (
    <ConfirmModal
      header={`Purge the queue of ${id}`}
      operation="purge-queue"
      verb="Purge"
      cancel={data ? 'Close' : 'Do nothing'}
      isDisabled={!isConfirmed}
      isBusy={isPending}
      busyText="The jobs are being cancelled"
      isDone={data !== undefined}
      form={FORM}
      onDismiss={onClose}
    >
      {data ? (
        <Alert type="success" header={`${count(data.removed)} ${data.removed === 1 ? 'job' : 'jobs'} removed`}>
          These jobs are now CANCELLED, with the code PURGED.
        </Alert>
      ) : (
        <SpaceBetween size="m">
          <Box>
            <b>{waitingJobs(health.jobs.inQueue)}</b> now. All waiting jobs are cancelled with the code PURGED, and
            cannot be retried. Running jobs ({count(health.jobs.inProgress)}) continue.
          </Box>
          <form id={FORM} onSubmit={submit}>
            <FormField label={`Type ${id} to confirm`}>
              <Input value={typed} onChange={({ detail }) => setTyped(detail.value)} autoComplete={false} />
            </FormField>
          </form>
          {error && <Failure error={error} />}
        </SpaceBetween>
      )}
    </ConfirmModal>
  );
}
